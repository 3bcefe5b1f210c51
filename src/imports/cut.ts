import type { FileHandle } from 'node:fs/promises'
import { type BoundedFile, readInBlocks, withinBounds } from '../media/bounded-file.ts'
import { boxes, elements, OLD_FIRST, type Part, type Parts } from '../media/container-parts.ts'
import { isOfSystem } from '../media/outcome.ts'
import { openTiff, type Row, readDirectory, readNumbers, SIZES } from '../media/tiff-directory.ts'

const BLOCK = 16 * 1024
// Of more parts than these, the last ones are not looked at.
const MANY_PARTS = 1000
// Bytes at the end of a file. A writer that sets the size of a file first leaves zeros there until it comes to them, and
// the last piece that it writes may be a small one. A whole file that ends in so many zeros only waits.
const TAIL = 64

const START = 0xd8
const END = 0xd9
const SCAN = 0xda
const RESTARTS = [0xd0, 0xd7] as const
const PNG = '\x89PNG\r\n\x1a\n'
const PNG_END = 'IEND\xaeB`\x82'
const FIRST_BOXES = ['ftyp', ...OLD_FIRST, 'JXL ']

/**
 * Returns whether the format of an open file of `size` bytes shows that its end is missing; false for formats without
 * an end. Throws the errors of the disk.
 */
export async function isCut(source: FileHandle, size: number): Promise<boolean> {
  const read = async (start: number, end: number) => {
    const length = Math.max(0, Math.min(end, size) - start)
    if (length === 0) return Buffer.alloc(0)
    const { bytesRead, buffer } = await source.read(Buffer.alloc(length), 0, length, start)
    return buffer.subarray(0, bytesRead)
  }
  const file = readInBlocks({ size, read }, BLOCK)
  const head = (await file.read(0, 16)).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return isJpegCut(file)
  if (head.startsWith(PNG)) return isPngCut(file)
  if (head.startsWith('GIF8')) return (await lastBytes(file, 1)) !== ';'
  if (/^(II(\*\0|U\0|R[OS])|MM(\0\*|OR))/.test(head)) return isTiffCut(file, head)
  if (head.startsWith('RIFF')) return (await isRiffCut(file)) || isUnfilled(file)
  if (head.startsWith('\x1aE\xdf\xa3')) return isCutInParts(elements, file, 0)
  return FIRST_BOXES.includes(head.slice(4, 8)) && areBoxesCut(file, 0)
}

// Phones put further pictures and films behind a picture.
async function isJpegCut(file: BoundedFile): Promise<boolean> {
  for (let start = 0; ; ) {
    const end = await endOfJpeg(file, start)
    if (end === null) return true
    const next = (await file.read(end, end + 16)).toString('latin1')
    if (!next.startsWith('\xff\xd8\xff')) {
      return next.slice(4, 8) === 'ftyp' && areBoxesCut(file, end)
    }
    start = end
  }
}

// Returns null when the picture has not ended.
async function endOfJpeg(file: BoundedFile, start: number): Promise<number | null> {
  for (let at = start; ; ) {
    const found = await nextMarker(file, at)
    if (!found) return null
    const { marker, end } = found
    if (marker === END) return end
    if (marker === START || marker === 0x01) {
      at = end
      continue
    }
    // From here on, these two bytes can only be the end.
    if (marker === SCAN && (await lastBytes(file, 2)) === '\xff\xd9') return file.size
    const length = await file.read(end, end + 2)
    if (length.length < 2) return null
    at = end + Math.max(2, length.readUInt16BE(0))
  }
}

// Skips compressed data.
async function nextMarker(
  file: BoundedFile,
  from: number,
): Promise<{ marker: number; end: number } | null> {
  for (let at = from; at + 1 < file.size; ) {
    const bytes = await file.read(at, at + BLOCK / 2)
    if (bytes.length < 2) return null
    for (let found = bytes.indexOf(0xff); found !== -1; found = bytes.indexOf(0xff, found + 1)) {
      const marker = bytes[found + 1] ?? 0
      const isRestart = marker >= RESTARTS[0] && marker <= RESTARTS[1]
      if (marker !== 0 && marker !== 0xff && !isRestart) return { marker, end: at + found + 2 }
    }
    // The last byte may be the first one of a marker.
    at += bytes.length - 1
  }
  return null
}

async function isPngCut(file: BoundedFile): Promise<boolean> {
  if ((await lastBytes(file, 8)) === PNG_END) return false
  for (let at = 8; ; ) {
    const head = await file.read(at, at + 8)
    const type = head.toString('latin1', 4)
    if (head.length < 8 || !/^[A-Za-z]{4}$/.test(type)) return true
    at += 12 + head.readUInt32BE(0)
    if (at > file.size) return true
    if (type === 'IEND') return false
  }
}

// Most programs write the directory last, which says where all else is.
async function isTiffCut(file: BoundedFile, head: string): Promise<boolean> {
  const bytes = Buffer.from(head, 'latin1')
  if (bytes.length < 8) return true
  const directory = head.startsWith('II') ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4)
  return directory + 2 > file.size || (await isUnfilled(file)) || lacksPixelsInHeads(file)
}

// Tags of TIFF 6.0 with the places of pixels, and with their lengths: strips, tiles, JPEGs; then, of further directories.
const PIXELS = [
  [273, 279],
  [324, 325],
  [513, 514],
] as const
const SUB_IFDS = 330
const MANY_DIRECTORIES = 64
// In bytes, of all directories and lists: several may name the same list. No camera writes as much.
const MAX_HEADS = 2 ** 21
// What Panasonic writes where other tags say the place.
const ELSEWHERE = 2 ** 32 - 1

// What would take too long to read says nothing.
async function lacksPixelsInHeads(file: BoundedFile): Promise<boolean> {
  try {
    return await withinBounds(file, lacksPixels, MAX_HEADS)
  } catch (error) {
    if (isOfSystem(error)) throw error
    return false
  }
}

// Cameras write the directories of a RAW first.
async function lacksPixels(file: BoundedFile): Promise<boolean> {
  const tiff = await openTiff(file)
  const directories = new Set(tiff ? [tiff.first] : [])
  // What is found meanwhile comes as well.
  for (const at of directories) {
    const { rows, claimed, next } = await readDirectory(tiff!, at)
    const isBehindEnd = ({ type, count, rest }: Row) => {
      const length = count * (SIZES[type] ?? 0)
      return length > rest.length && tiff!.order.read(rest) + length > file.size
    }
    if (at + 2 > file.size || rows.length < claimed || rows.some(isBehindEnd)) return true
    const numbers = (wanted: number) =>
      readNumbers(
        tiff!,
        rows.find(({ tag }) => tag === wanted),
        MAX_HEADS,
      )
    for (const [placeTag, lengthTag] of PIXELS) {
      const [places, lengths] = [await numbers(placeTag), await numbers(lengthTag)]
      const isBehind = (place: number, n: number) => place + (lengths[n] ?? 0) > file.size
      if (places.some((place, n) => place !== ELSEWHERE && isBehind(place, n))) return true
    }
    for (const more of [next, ...(await numbers(SUB_IFDS))]) {
      if (more > 0 && directories.size < MANY_DIRECTORIES) directories.add(more)
    }
  }
  return false
}

// A film of more than a gigabyte has several of these.
async function isRiffCut(file: BoundedFile): Promise<boolean> {
  for (let at = 0; at < file.size; ) {
    const head = await file.read(at, at + 8)
    if (!head.toString('latin1').startsWith('RIFF')) return false
    if (head.length < 8) return true
    const size = head.readUInt32LE(4)
    at += 8 + size
    if (at > file.size) return true
    at += size % 2
  }
  return false
}

async function areBoxesCut(file: BoundedFile, start: number): Promise<boolean> {
  return (await isCutInParts(boxes, file, start)) || isUnfilled(file)
}

async function isCutInParts(parts: Parts, file: BoundedFile, start: number): Promise<boolean> {
  let last: Part | undefined
  let count = 0
  for await (const part of parts(file, start, file.size)) {
    last = part
    count++
  }
  if (!last || last.name === 0 || last.start > last.end) return true
  if (count === MANY_PARTS) return false
  // Cameras also put something else behind a film, which has no such name.
  if (!last.isWhole) return parts === elements || isBoxName(last.name)
  const rest = await file.read(last.end, last.end + 8)
  return rest.length > 0 && (rest.length < 8 || rest.every((byte) => byte === 0))
}

function isBoxName(name: number): boolean {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(name)
  return /^[ -~]{4}$/.test(bytes.toString('latin1'))
}

async function isUnfilled(file: BoundedFile): Promise<boolean> {
  const tail = await file.read(Math.max(0, file.size - TAIL), file.size)
  return tail.length === TAIL && tail.every((byte) => byte === 0)
}

async function lastBytes(file: BoundedFile, count: number): Promise<string> {
  return (await file.read(Math.max(0, file.size - count), file.size)).toString('latin1')
}
