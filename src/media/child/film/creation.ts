import type { BoundedFile } from '../../bounded-file.ts'
import { boxes, elements, findParts, fourcc, MOOV, SEGMENT, TRAK } from '../../container-parts.ts'
import type { ReadDate } from '../../dates.ts'
import { readAvchdDates } from './avchd.ts'
import { readAviDates } from './avi.ts'

const EPOCH_1904 = Date.UTC(1904, 0, 1)
const EPOCH_2001 = Date.UTC(2001, 0, 1)

const MVHD = fourcc('mvhd')
const TKHD = fourcc('tkhd')
const INFO = 0x1549a966
const DATE_UTC = 0x4461

/**
 * Returns when a film was made by the headers of its container, the best date first, whether they are plausible or not.
 */
export async function readCreation(file: BoundedFile, mime_type: string): Promise<ReadDate[]> {
  try {
    switch (mime_type) {
      case 'video/mp4':
      case 'video/quicktime':
      case 'video/x-m4v':
      case 'video/3gpp':
        return (await readIsoTimes(file)).map(inUtc)
      case 'video/webm':
      case 'video/x-matroska':
        return (await readMatroskaTimes(file)).map(inUtc)
      case 'video/x-msvideo':
        return await readAviDates(file)
      case 'video/mp2t':
        return await readAvchdDates(file)
      default:
        return []
    }
  } catch {
    return []
  }
}

function inUtc(clock: number): ReadDate {
  return { clock, offset: 0, source: 'video' }
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
