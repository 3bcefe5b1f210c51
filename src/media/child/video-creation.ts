import type { BoundedFile } from '../bounded-file.ts'
import { boxes, elements, findParts, fourcc, MOOV, SEGMENT, TRAK } from '../container-parts.ts'

const EPOCH_1904 = Date.UTC(1904, 0, 1)
const EPOCH_2001 = Date.UTC(2001, 0, 1)

const MVHD = fourcc('mvhd')
const TKHD = fourcc('tkhd')
const INFO = 0x1549a966
const DATE_UTC = 0x4461

/**
 * Returns the times of creation in the headers of a container, in milliseconds since 1970-01-01
 * UTC, the best one first, whether they are plausible or not.
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
    ...(await findParts(boxes, file, [MOOV, MVHD])),
    ...(await findParts(boxes, file, [MOOV, TRAK, TKHD])),
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
  for (const { start, end } of await findParts(elements, file, [SEGMENT, INFO, DATE_UTC])) {
    if (end - start !== 8) continue
    const nanoseconds = (await file.read(start, end)).readBigInt64BE()
    times.push(EPOCH_2001 + Number(nanoseconds / 1_000_000n))
  }
  return times
}
