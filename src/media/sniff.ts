import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { AppError } from '../base/errors.ts'
import { withBoundedFile } from './bounded-file.ts'
import { OLD_FIRST } from './container-parts.ts'
import { RAW_TYPES } from './endings.ts'
import { isOfSystem } from './outcome.ts'
import { readRaw } from './raw.ts'
import { isSoundOnly } from './tracks.ts'

/** The accepted MIME types with the extension of each, without a dot. */
export const MIME_TYPES: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/heic', 'heic'],
  ['image/heif', 'heif'],
  ['image/tiff', 'tif'],
  ['image/jxl', 'jxl'],
  ...RAW_TYPES,
  ['video/mp4', 'mp4'],
  ['video/quicktime', 'mov'],
  ['video/x-m4v', 'm4v'],
  ['video/3gpp', '3gp'],
  ['video/webm', 'webm'],
  ['video/x-matroska', 'mkv'],
  ['video/x-msvideo', 'avi'],
  ['video/mpeg', 'mpg'],
  ['video/mp2t', 'mts'],
])

/** What a content is. */
export interface AcceptedType {
  mime_type: string
  /** Without a dot. */
  mime_extension: string
}

// Types that the detector calls by another name.
const ALIASES = new Map([
  ['image/apng', 'image/png'],
  ['image/heic-sequence', 'image/heic'],
  ['image/heif-sequence', 'image/heif'],
  ['video/matroska', 'video/x-matroska'],
  ['video/vnd.avi', 'video/x-msvideo'],
  ['video/MP1S', 'video/mpeg'],
  ['video/MP2P', 'video/mpeg'],
])

// Brands of pictures among ISO media files, which the detector takes for videos.
const PICTURE_BRANDS = new Map([
  ['heim', 'image/heic'],
  ['heis', 'image/heic'],
  ['hevm', 'image/heic'],
  ['hevs', 'image/heic'],
  ['avci', 'image/heif'],
  ['avcs', 'image/heif'],
  ['miaf', 'image/heif'],
])

// First bytes in Latin-1: JPEG, PNG, GIF, JPEG XL, Matroska and WebM, MPEG.
const MAGIC = [
  '\xff\xd8\xff',
  '\x89PNG\r\n\x1a\n',
  'GIF87a',
  'GIF89a',
  '\xff\x0a',
  '\0\0\0\x0cJXL \r\n\x87\n',
  '\x1aE\xdf\xa3',
  '\0\0\x01\xba',
  '\0\0\x01\xb3',
]
// TIFF and BigTIFF, and what may be a RAW beside these.
const TIFF = /^(II[*+]\0|MM\0[*+])/
const RAW = /^(II|MM|FUJIFILMCCD-RAW |.{4}ftypcrx )/s
const HEAD_LENGTH = 4096

/** Returns the type that `sniff` finds; throws unsupported_mime when it finds none, and what `sniff` throws. */
export async function requireAccepted(path: string): Promise<AcceptedType> {
  const type = await sniff(path)
  if (type) return type
  throw new AppError('unsupported_mime', 'The file is not a picture or video of a known type')
}

/**
 * Returns the type of a file by its content, as the table of accepted types names it, or null when it is none of them
 * or too broken to tell. Throws the errors of the file system.
 */
export async function sniff(path: string): Promise<AcceptedType | null> {
  const { head, size } = await readHead(path)
  if (!startsLikeMedia(head, size)) return null
  const known = isOldQuickTime(head, size) ? 'video/quicktime' : pictureBrand(head)
  const mime_type = known ?? (await rawType(path, head)) ?? (await detect(path, head))
  const mime_extension = mime_type === null ? undefined : MIME_TYPES.get(mime_type)
  if (mime_type === null || mime_extension === undefined) return null
  // Sound recorders use the same containers.
  if (await isSoundOnly(path, mime_type)) return null
  return { mime_type, mime_extension }
}

async function detect(path: string, head: Buffer): Promise<string | null> {
  const isTiff = TIFF.test(latin1(head))
  if (RAW.test(latin1(head)) && !isTiff) return null
  try {
    const mime = (await fileTypeFromFile(path))?.mime
    if (mime === undefined) return null
    // The detector takes any TIFF with a few tags for a RAW.
    if (isTiff) return 'image/tiff'
    return ALIASES.get(mime) ?? mime
  } catch (error) {
    if (isOfSystem(error)) throw error
    return null
  }
}

async function rawType(path: string, head: Buffer): Promise<string | null> {
  if (!RAW.test(latin1(head))) return null
  return (await withBoundedFile(path, readRaw))?.mime_type ?? null
}

function latin1(head: Buffer): string {
  return head.toString('latin1', 0, 16)
}

async function readHead(path: string): Promise<{ head: Buffer; size: number }> {
  const handle = await open(path, 'r')
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_LENGTH), 0, HEAD_LENGTH, 0)
    return { head: buffer.subarray(0, bytesRead), size: (await handle.stat()).size }
  } finally {
    await handle.close()
  }
}

// The detector knows hundreds of formats, unpacks some of them, and recognizes others by three letters, so nothing but
// our formats may reach it.
function startsLikeMedia(head: Buffer, size: number): boolean {
  const text = latin1(head)
  if (MAGIC.some((magic) => text.startsWith(magic))) return true
  if (RAW.test(latin1(head))) return true
  if (text.startsWith('RIFF')) return /^(WEBP|AVI )/.test(text.slice(8))
  if (text.slice(4, 8) === 'ftyp' || isOldQuickTime(head, size)) return true
  return hasSyncBytes(head, 0, 188) || hasSyncBytes(head, 4, 192)
}

// Old QuickTime has no `ftyp`. Its first box must fit into the file, or else the text "I'm free" would be a film.
function isOldQuickTime(head: Buffer, size: number): boolean {
  return OLD_FIRST.includes(head.toString('latin1', 4, 8)) && head.readUInt32BE(0) <= size
}

// At least three packets of an MPEG transport stream must begin with the sync byte.
function hasSyncBytes(head: Buffer, first: number, step: number): boolean {
  if (head.length <= first + 2 * step) return false
  for (let i = first; i < head.length; i += step) if (head[i] !== 0x47) return false
  return true
}

function pictureBrand(head: Buffer): string | null {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return null
  return PICTURE_BRANDS.get(head.toString('latin1', 8, 12)) ?? null
}
