import { type BoundedFile, withBoundedFile } from './bounded-file.ts'
import {
  boxes,
  elements,
  findParts,
  fourcc,
  MOOV,
  type Part,
  type Parts,
  SEGMENT,
  TRACK_ENTRY,
  TRAK,
} from './container-parts.ts'

// For each track, whether it may show something; null when it doesn't say.
type Kinds = (boolean | null)[]

// Handlers of tracks with sound, text and what goes with them; any other may be a picture's.
const UNSEEN = new Set(
  ['soun', 'text', 'sbtl', 'subt', 'subp', 'clcp', 'tmcd', 'hint', 'meta', 'odsm', 'sdsm'].map(
    fourcc,
  ),
)
const MDIA = fourcc('mdia')
const HDLR = fourcc('hdlr')
const TRACKS = 0x1654ae6b
const TRACK_TYPE = 0x83
// Video, and a mix that includes video.
const SEEN_TYPES = [1, 3]
// In bytes. A track takes a few hundred; a file with thousands of parts must not delay other work.
const MAX_READ = 65_536

/**
 * Returns whether a film's container lists tracks, none of which is video. A container whose list is cut off or broken
 * gets the benefit of the doubt. Throws when the disk can't read it.
 */
export async function isSoundOnly(path: string, mime_type: string): Promise<boolean> {
  const list = LISTS[mime_type]
  if (list === undefined) return false
  const kinds = await withBoundedFile(path, (file) => list(file).catch(() => []), MAX_READ)
  return kinds.length > 0 && kinds.every((isSeen) => isSeen === false)
}

const LISTS: Record<string, (file: BoundedFile) => Promise<Kinds>> = {
  'video/mp4': listIsoTracks,
  'video/quicktime': listIsoTracks,
  'video/x-m4v': listIsoTracks,
  'video/3gpp': listIsoTracks,
  'video/webm': listMatroskaTracks,
  'video/x-matroska': listMatroskaTracks,
}

async function listIsoTracks(file: BoundedFile): Promise<Kinds> {
  const [moov] = await findParts(boxes, file, [MOOV])
  const kinds: Kinds = []
  for (const part of await listWhole(boxes, file, moov)) {
    if (part.name !== TRAK) continue
    const [handler] = await findParts(boxes, file, [MDIA, HDLR], part)
    const head = handler && (await contentOf(file, handler, 12))
    kinds.push(head ? !UNSEEN.has(head.readUInt32BE(8)) : null)
  }
  return kinds
}

async function listMatroskaTracks(file: BoundedFile): Promise<Kinds> {
  const [tracks] = await findParts(elements, file, [SEGMENT, TRACKS])
  const kinds: Kinds = []
  for (const part of await listWhole(elements, file, tracks)) {
    if (part.name !== TRACK_ENTRY) continue
    const [type] = await findParts(elements, file, [TRACK_TYPE], part)
    const size = type ? type.end - type.start : 0
    const value = type && size > 0 && size <= 6 ? await contentOf(file, type, size) : null
    kinds.push(value ? SEEN_TYPES.includes(value.readUIntBE(0, size)) : null)
  }
  return kinds
}

// Returns the parts of a part, or none when it is missing or damaged and may have had others.
async function listWhole(parts: Parts, file: BoundedFile, within?: Part): Promise<Part[]> {
  const list: Part[] = []
  if (!within?.isWhole) return list
  for await (const part of parts(file, within.start, within.end)) list.push(part)
  const isWhole = list.every((part) => part.isWhole) && list.at(-1)?.end === within.end
  return isWhole ? list : []
}

// Returns null when the part has fewer bytes.
async function contentOf(file: BoundedFile, part: Part, length: number): Promise<Buffer | null> {
  if (part.end - part.start < length) return null
  return file.read(part.start, part.start + length)
}
