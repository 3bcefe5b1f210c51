import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'

/** A name as the file system has it: a text, or bytes that are not UTF-8. */
export type RawName = string | Buffer

/** Returns bytes as a name. */
export function rawName(bytes: Buffer): RawName {
  return isUtf8(bytes) ? bytes.toString() : bytes
}

/** Returns whether a name is that of something hidden. */
export function isHidden(name: RawName): boolean {
  return Buffer.from(name as string)[0] === 0x2e
}

/**
 * Returns a name that people can read: bytes that are not UTF-8 are read as Latin-1, and where that is not printable,
 * the name is made from their digest, with their extension.
 */
export function readable(name: RawName): string {
  if (typeof name === 'string') return name
  const text = name.toString('latin1')
  if (!/\p{C}/u.test(text)) return text
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `unnamed-${digest}${/\.[A-Za-z0-9]{1,8}$/.exec(text)?.[0] ?? ''}`
}

/**
 * Returns the path, as a text, of a name in a folder. Bytes that are not UTF-8 are written as Latin-1, behind a dot
 * that no path without links has, so that they differ from the same text.
 */
export function pathWithin(folder: string, name: RawName): string {
  return typeof name === 'string' ? `${folder}/${name}` : `${folder}/./${name.toString('latin1')}`
}

/** Returns the folder and the name of a path that `pathWithin` has made. */
export function splitPath(path: string): { folder: string; name: RawName } {
  const at = path.lastIndexOf('/')
  const [folder, name] = [path.slice(0, at), path.slice(at + 1)]
  if (!folder.endsWith('/.')) return { folder, name }
  return { folder: folder.slice(0, -2), name: Buffer.from(name, 'latin1') }
}
