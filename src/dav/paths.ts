import { AppError, invalid } from '../base/errors.ts'

/** The path under which the drop box is served. */
export const ROOT = '/dav'

// Bytes of UTF-8 that a name and a whole path may have; file systems of phones and computers allow 255 and 4,096.
const LONGEST_NAME = 1024
export const LONGEST_PATH = 8192
// What XML can't hold, or shows as something else.
const UNFIT = /[\p{Cc}\ufffe\uffff]/u

/** Where an entry is: the names of the folders above it, joined by slashes, and its own. The root has neither. */
export interface DavPath {
  folder: string
  name: string
}

/**
 * Returns the place that the path of an address names, whose percent escapes are decoded once. Throws a validation
 * error for a name that isn't UTF-8, or that no entry may have, and forbidden for a path outside the drop box.
 */
export function parsePath(path: string): DavPath {
  const [, rest] = /^\/dav(?:\/(.*))?$/s.exec(path) ?? []
  if (!path.startsWith(ROOT) || (rest === undefined && path !== ROOT)) {
    throw new AppError('forbidden', `What is sent lies below ${ROOT}/`)
  }
  const names = (rest ?? '').split('/').filter((name) => name !== '')
  const decoded = names.map(decodeName)
  const name = decoded.pop() ?? ''
  const folder = decoded.join('/')
  if (Buffer.byteLength(folder) > LONGEST_PATH) throw invalid('path', 'is too long')
  return { folder, name }
}

function decodeName(escaped: string): string {
  let name: string
  try {
    name = decodeURIComponent(escaped)
  } catch {
    throw invalid('path', 'must be UTF-8 in percent escapes')
  }
  if (name === '.' || name === '..' || name.includes('/') || UNFIT.test(name)) {
    throw invalid('path', 'has a name that no file may have')
  }
  if (Buffer.byteLength(name) > LONGEST_NAME) throw invalid('path', 'has a name that is too long')
  return name
}

/**
 * Returns the place that a Destination header names, by its path alone: a proxy may have changed scheme and host.
 * Throws a validation error without one, and what `parsePath` throws.
 */
export function parseDestination(header: string | undefined): DavPath {
  const [, path] = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?(\/[!-~]*)$/i.exec(header ?? '') ?? []
  if (path === undefined || /[?#]/.test(path)) throw invalid('Destination', 'must be an address')
  return parsePath(path)
}

/** Returns whether a path names the drop box itself. */
export function isRoot({ name }: DavPath): boolean {
  return name === ''
}

/** Returns the text that entries in a folder have as `folder`. */
export function asFolder({ folder, name }: DavPath): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** Returns the names of the folders that an entry is in, the outermost first. */
export function foldersOf({ folder }: DavPath): string[] {
  return folder === '' ? [] : folder.split('/')
}

/** Returns whether one path lies below another. */
export function isBelow(path: DavPath, other: DavPath): boolean {
  return isRoot(other) || `${path.folder}/`.startsWith(`${asFolder(other)}/`)
}

/** Returns the place of the folder above. */
export function parentOf({ folder }: DavPath): DavPath {
  const cut = folder.lastIndexOf('/')
  return { folder: folder.slice(0, Math.max(0, cut)), name: folder.slice(cut + 1) }
}

/** Returns the path of an address that names an entry; that of a folder ends with a slash. */
export function hrefOf(path: DavPath, isFolder: boolean): string {
  const names = asFolder(path).split('/').map(encodeURIComponent)
  return `${ROOT}/${names.join('/')}${isFolder && !isRoot(path) ? '/' : ''}`
}
