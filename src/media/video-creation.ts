import type { BoundedFile } from './bounded-file.ts'

/** A box of an ISO media file, or an element of Matroska: its name and where its content lies. */
interface Part {
  name: number
  start: number
  end: number
}

type Parts = (file: BoundedFile, start: number, end: number) => AsyncGenerator<Part>

/** More parts than this on one level are no film's. */
const MAX_PARTS = 1000
const EPOCH_1904 = Date.UTC(1904, 0, 1)
const EPOCH_2001 = Date.UTC(2001, 0, 1)

const MOOV = fourcc('moov')
const MVHD = fourcc('mvhd')
const TRAK = fourcc('trak')
const TKHD = fourcc('tkhd')
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const DATE_UTC = 0x4461

/**
 * Returns the times of creation that a container has in its headers, in milliseconds since
 * 1970-01-01 UTC, the best first, whether they are plausible or not.
 */
export async function readCreation(file: BoundedFile, mime_type: string): Promise<number[]> {
  try {
    switch (mime_type) {
      case 'video/mp4':
      case 'video/quicktime':
      case 'video/x-m4v':
      case 'video/3gpp':
        return await readIsoTimes(file)
      case 'video/webm':
      case 'video/x-matroska':
        return await readMatroskaTimes(file)
      default:
        return []
    }
  } catch {
    return []
  }
}

async function readIsoTimes(file: BoundedFile): Promise<number[]> {
  const headers = [
    ...(await find(boxes, file, [MOOV, MVHD])),
    ...(await find(boxes, file, [MOOV, TRAK, TKHD])),
  ]
  const times: number[] = []
  for (const { start, end } of headers) {
    const head = await file.read(start, Math.min(end, start + 12))
    if (head.length < 12) continue
    const seconds = head[0] === 1 ? Number(head.readBigUInt64BE(4)) : head.readUInt32BE(4)
    times.push(EPOCH_1904 + seconds * 1000)
  }
  return times
}

async function readMatroskaTimes(file: BoundedFile): Promise<number[]> {
  const times: number[] = []
  for (const { start, end } of await find(elements, file, [SEGMENT, INFO, DATE_UTC])) {
    if (end - start !== 8) continue
    const nanoseconds = (await file.read(start, end)).readBigInt64BE()
    times.push(EPOCH_2001 + Number(nanoseconds / 1_000_000n))
  }
  return times
}

/** Returns the parts that lie at a path of names. */
async function find(
  parts: Parts,
  file: BoundedFile,
  names: number[],
  within = { start: 0, end: file.size },
): Promise<Part[]> {
  const [name, ...rest] = names
  const found: Part[] = []
  for await (const part of parts(file, within.start, within.end)) {
    if (part.name !== name) continue
    found.push(...(rest.length === 0 ? [part] : await find(parts, file, rest, part)))
    // A film has many clusters, but one of each of these.
    if (name !== TRAK && found.length > 0) break
  }
  return found
}

async function* boxes(file: BoundedFile, start: number, end: number): AsyncGenerator<Part> {
  for (let at = start, count = 0; at + 8 <= end && count < MAX_PARTS; count++) {
    const head = await file.read(at, at + 16)
    let size = head.readUInt32BE(0)
    let headLength = 8
    if (size === 1) {
      size = Number(head.readBigUInt64BE(8))
      headLength = 16
    } else if (size === 0) size = end - at
    if (size < headLength) return
    const next = Math.min(end, at + size)
    yield { name: head.readUInt32BE(4), start: at + headLength, end: next }
    at = next
  }
}

async function* elements(file: BoundedFile, start: number, end: number): AsyncGenerator<Part> {
  for (let at = start, count = 0; at + 2 <= end && count < MAX_PARTS; count++) {
    const head = await file.read(at, at + 12)
    const idLength = vintLength(head[0])
    const sizeLength = vintLength(head[idLength])
    if (idLength > 4 || sizeLength > 8) return
    const name = head.readUIntBE(0, idLength)
    const sizeBytes = [...head.subarray(idLength, idLength + sizeLength)]
    sizeBytes[0]! &= 0xff >> sizeLength
    const size = sizeBytes.reduce((sum, byte) => sum * 256 + byte, 0)
    // All ones: a live recording, whose length was not known.
    const isUnknown = size === 2 ** (7 * sizeLength) - 1
    const content = at + idLength + sizeLength
    const next = isUnknown ? end : Math.min(end, content + size)
    yield { name, start: content, end: next }
    at = next
  }
}

/** The length of a number that begins with this byte; 9 when there is none. */
function vintLength(first: number | undefined): number {
  return Math.clz32(first ?? 0) - 23
}

function fourcc(name: string): number {
  return Buffer.from(name, 'latin1').readUInt32BE(0)
}
