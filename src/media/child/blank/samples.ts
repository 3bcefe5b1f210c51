import { boxes, findParts, fourcc, type Part } from '../../container-parts.ts'
import type { Extent } from '../../raw.ts'
import { boxesIn } from './boxes.ts'
import { type Sheet, understand, zero } from './sheet.ts'

const [MDIA, MINF, STBL] = ['mdia', 'minf', 'stbl'].map(fourcc)
const [STSD, STTS, STSZ, STSC, STCO, CO64] = ['stsd', 'stts', 'stsz', 'stsc', 'stco', 'co64'].map(
  fourcc,
)
// In bytes, of a table, and of how a track is to be decoded.
const MAX_TABLE = 32 * 2 ** 20
const MAX_DESCRIPTION = 16_384
const MAX_EXTENTS = 500_000
const SOUND = fourcc('soun')
const VISUAL = new Set(['vide', 'pict', 'auxv'].map(fourcc))
// How the pictures of a film may be coded: in others, each is a file of its own, such as a JPEG, that says all it likes.
const CODED = new Set(
  [
    ...['avc1', 'avc2', 'avc3', 'avc4', 'hvc1', 'hev1', 'dvh1', 'dvhe', 'dva1', 'dvav', 'vp08'],
    ...['vp09', 'av01', 'mp4v', 's263', 'h263', 'apcn', 'apch', 'apcs', 'apco', 'ap4h', 'ap4x'],
  ].map(fourcc),
)

/** Returns where the samples of a track are, in order of the file; throws when its tables don't agree. */
export async function samplesOf(sheet: Sheet, trak: Part, kind: number): Promise<Extent[]> {
  const { file } = sheet
  const [stbl] = await findParts(boxes, file, [MDIA!, MINF!, STBL!], trak)
  understand(stbl !== undefined)
  const tables = new Map<number, Part>()
  for await (const part of boxes(file, stbl.start, stbl.end)) {
    understand(part.isWhole && !tables.has(part.name))
    tables.set(part.name, part)
  }
  const read = async (name: number | undefined, head: number, row: number) => {
    const part = tables.get(name!)
    understand(part !== undefined && part.end - part.start <= MAX_TABLE)
    const bytes = await file.read(part.start, part.end)
    understand(bytes.length >= head)
    const rows = bytes.subarray(head)
    const count = bytes.readUInt32BE(head - 4)
    understand(rows.length >= count * row)
    // Some cameras reserve space.
    if (row > 0) zero(sheet, part.start + head + count * row, part.end)
    return { bytes, rows, count }
  }
  const stsd = tables.get(STSD!)
  understand(stsd !== undefined && stsd.end - stsd.start <= MAX_DESCRIPTION)
  const isLong = tables.has(CO64!)
  const places = await read(isLong ? CO64 : STCO, 8, isLong ? 8 : 4)
  const runs = await read(STSC, 8, 12)
  const times = await read(STTS, 8, 8)
  const sizes = await read(STSZ, 12, 0)
  if (VISUAL.has(kind)) {
    for (const { name } of await boxesIn(sheet, { start: stsd.start + 8, end: stsd.end })) {
      understand(CODED.has(name))
    }
  }
  const size = sizes.bytes.readUInt32BE(4)
  const entry = await file.read(stsd.start + 8, stsd.end)
  const unit = size > 0 && kind === SOUND ? soundUnit(entry, size) : { bytes: size, samples: 1 }
  understand(size > 0 || sizes.rows.length === sizes.count * 4)

  const found: Extent[] = []
  let sample = 0
  let run = -1
  for (let chunk = 0; chunk < places.count; chunk++) {
    const isNext = run + 1 < runs.count && runs.rows.readUInt32BE((run + 1) * 12) === chunk + 1
    if (isNext) run++
    understand(run >= 0)
    const count = runs.rows.readUInt32BE(run * 12 + 4)
    understand(sample + count <= sizes.count)
    let length = Math.ceil(count / unit.samples) * unit.bytes
    if (size === 0) {
      length = 0
      for (let n = sample; n < sample + count; n++) length += sizes.rows.readUInt32BE(n * 4)
    }
    sample += count
    const start = isLong
      ? Number(places.rows.readBigUInt64BE(chunk * 8))
      : places.rows.readUInt32BE(chunk * 4)
    const last = found.at(-1)
    if (last?.end === start) last.end += length
    else if (length > 0) found.push({ start, end: start + length })
    understand(found.length <= MAX_EXTENTS)
  }
  let timed = 0
  for (let n = 0; n < times.count; n++) timed += times.rows.readUInt32BE(n * 8)
  understand(sample === sizes.count && timed === sample && run + 1 === runs.count)
  return found
}

/**
 * Returns how many bytes so many samples of sound take that all have the same size: QuickTime says so for each channel,
 * or in the description (QuickTime File Format, Sound Sample Descriptions).
 */
function soundUnit(entry: Buffer, size: number): { bytes: number; samples: number } {
  understand(entry.length >= 36)
  const version = entry.readUInt16BE(16)
  const [channels, bits] = [entry.readUInt16BE(24), entry.readUInt16BE(26)]
  if (version === 0)
    return { bytes: size > 1 ? size : Math.ceil((channels * bits) / 8), samples: 1 }
  if (version === 1) {
    understand(entry.length >= 52)
    return { bytes: entry.readUInt32BE(44) || size, samples: entry.readUInt32BE(36) || 1 }
  }
  understand(version === 2 && entry.length >= 72)
  return { bytes: entry.readUInt32BE(64) || size, samples: entry.readUInt32BE(68) || 1 }
}
