import type { BoundedFile } from './bounded-file.ts'

/** A box of an ISO media file, or an element of Matroska: its name, and where its body is. */
export interface Part {
  name: number
  /** Where its head begins. */
  at: number
  start: number
  end: number
  /** Whether its length is given and it isn't cut off. */
  isWhole: boolean
}

/** Yields the parts from `start` to `end` of a file, on one level. */
export type Parts = (file: BoundedFile, start: number, end: number) => AsyncGenerator<Part>

// No film has more parts than this on one level.
const MAX_PARTS = 1000

export const MOOV = fourcc('moov')
export const TRAK = fourcc('trak')
export const SEGMENT = 0x18538067
export const TRACK_ENTRY = 0xae
// A film may have several of these, but only one of any other part that is looked for. Once that is found, the many
// clusters of a film need not be read.
const REPEATED = [TRAK, TRACK_ENTRY]

/** Boxes with which a film begins that is older than `ftyp`, or was written as if it were. */
export const OLD_FIRST = [
  ...['moov', 'mdat', 'free', 'skip', 'wide', 'junk', 'uuid'],
  ...['pnot', 'PICT', 'pict'],
]

/** Returns the parts at a path of names. */
export async function findParts(
  parts: Parts,
  file: BoundedFile,
  names: number[],
  within: { start: number; end: number } = { start: 0, end: file.size },
): Promise<Part[]> {
  const [name, ...rest] = names
  const found: Part[] = []
  for await (const part of parts(file, within.start, within.end)) {
    if (part.name !== name) continue
    found.push(...(rest.length === 0 ? [part] : await findParts(parts, file, rest, part)))
    if (found.length > 0 && !REPEATED.includes(part.name)) break
  }
  return found
}

/**
 * Yields the boxes of an ISO media file, `most` at most. One whose long size is cut off by `end` starts behind it, and
 * is the last.
 */
export async function* boxes(
  file: BoundedFile,
  start: number,
  end: number,
  most = MAX_PARTS,
): AsyncGenerator<Part> {
  for (let at = start, count = 0; at + 8 <= end && count < most; count++) {
    const head = await file.read(at, Math.min(end, at + 16))
    if (head.length < 8) return
    const short = head.readUInt32BE(0)
    const isLong = short === 1
    const inside = at + (isLong ? 16 : 8)
    const size = isLong ? longSize(head) : short === 0 ? end - at : short
    if (at + size < inside) return
    const next = Math.min(end, at + size)
    yield { name: head.readUInt32BE(4), at, start: inside, end: next, isWhole: at + size <= end }
    at = next
  }
}

function longSize(head: Buffer): number {
  return head.length < 16 ? Number.POSITIVE_INFINITY : Number(head.readBigUInt64BE(8))
}

/** Yields the elements of a Matroska file, `most` at most. */
export async function* elements(
  file: BoundedFile,
  start: number,
  end: number,
  most = MAX_PARTS,
): AsyncGenerator<Part> {
  for (let at = start, count = 0; at + 2 <= end && count < most; count++) {
    const head = await file.read(at, at + 12)
    const idLength = vintLength(head[0])
    const sizeLength = vintLength(head[idLength])
    if (idLength > 4 || sizeLength > 8) return
    const name = head.readUIntBE(0, idLength)
    const sizeBytes = [...head.subarray(idLength, idLength + sizeLength)]
    sizeBytes[0]! &= 0xff >> sizeLength
    const size = sizeBytes.reduce((sum, byte) => sum * 256 + byte, 0)
    // All ones: a live recording, whose length was not yet determined.
    const isUnknown = size === 2 ** (7 * sizeLength) - 1
    const content = at + idLength + sizeLength
    const next = isUnknown ? end : Math.min(end, content + size)
    const isWhole = !isUnknown && content + size <= end
    yield { name, at, start: content, end: next, isWhole }
    at = next
  }
}

// Returns 9 when no number begins with this byte.
function vintLength(first: number | undefined): number {
  return Math.clz32(first ?? 0) - 23
}

/** Returns a name of four letters as a number. */
export function fourcc(name: string): number {
  return Buffer.from(name, 'latin1').readUInt32BE(0)
}
