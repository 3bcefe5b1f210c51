import type { BoundedFile } from '../../bounded-file.ts'
import { boxes, elements, findParts, fourcc, type Part, SEGMENT } from '../../container-parts.ts'
import type { KnownDate } from '../exif-dates.ts'
import { readAvchdDates } from './avchd.ts'
import { readAviDates } from './avi.ts'
import { type MakerNotes, NOTES } from './maker.ts'

const EPOCH_1904 = Date.UTC(1904, 0, 1)
const EPOCH_2001 = Date.UTC(2001, 0, 1)

const MVHD = fourcc('mvhd')
const TKHD = fourcc('tkhd')
// Boxes in which headers and notes are, with the bytes that they have before the boxes in them.
const LISTS = new Map(
  Object.entries({ moov: 0, trak: 0, udta: 0, NCDT: 0, CNTH: 0, skip: 0, meta: 4, uuid: 16 }).map(
    ([name, before]) => [fourcc(name), before],
  ),
)
const MAX_DEPTH = 3
// In bytes.
const MAX_NOTES = 65_536
// In milliseconds; what lies further from 1970 is no time of JavaScript.
const MAX_CLOCK = 8.64e15
const INFO = 0x1549a966
const DATE_UTC = 0x4461

/** What a film says of its making, apart from the tags that programs know by their names. */
interface Creation {
  /** Those of headers, the best first, whether they are plausible or not. */
  dates: KnownDate[]
  notes: MakerNotes
}

/** Returns what the headers of a film's container, and its maker's notes, say of its making. */
export async function readCreation(file: BoundedFile, mime_type: string): Promise<Creation> {
  const only = (dates: KnownDate[]) => ({ dates, notes: {} })
  try {
    switch (mime_type) {
      case 'video/mp4':
      case 'video/quicktime':
      case 'video/x-m4v':
      case 'video/3gpp':
        return await readIso(file)
      case 'video/webm':
      case 'video/x-matroska':
        return only((await readMatroskaTimes(file)).map(inUtc))
      case 'video/x-msvideo':
        return only(await readAviDates(file))
      case 'video/mp2t':
        return only((await readAvchdDates(file)).map((date) => ({ ...date, precision: null })))
      default:
        return only([])
    }
  } catch {
    return only([])
  }
}

function inUtc(clock: number): KnownDate {
  return { clock, offset: 0, source: 'video', precision: null }
}

async function readIso(file: BoundedFile): Promise<Creation> {
  // Of the whole film first.
  const times = new Map<number, number[]>([MVHD, TKHD].map((name) => [name, []]))
  const notes: MakerNotes = {}
  const readBox = async ({ name, start, end }: Part) => {
    const readFirst = (most: number) => file.read(start, Math.min(end, start + most))
    const note = NOTES.get(name)
    if (note) merge(notes, await note(await readFirst(MAX_NOTES)))
    if (times.has(name)) times.get(name)!.push(...timeOf(await readFirst(12)))
  }
  const walk = async (start: number, end: number, depth: number) => {
    for await (const box of boxes(file, start, end)) {
      const before = depth < MAX_DEPTH ? LISTS.get(box.name) : undefined
      if (before === undefined) await readBox(box)
      else await walk(box.start + before, box.end, depth + 1)
    }
  }
  // What was found before there was too much counts.
  await walk(0, file.size, 0).catch(() => {})
  return { dates: [...times.values()].flat().map(inUtc), notes }
}

// The first note counts.
function merge(notes: MakerNotes, more: MakerNotes): void {
  notes.Make ??= more.Make
  notes.Model ??= more.Model
  notes.taken ??= more.taken
  notes.zone ??= more.zone
}

// Some cameras count from 1970.
function timeOf(head: Buffer): number[] {
  if (head.length < 12) return []
  const seconds = head[0] === 1 ? Number(head.readBigUInt64BE(4)) : head.readUInt32BE(4)
  const since1904 = EPOCH_1904 + seconds * 1000
  const clock = seconds > 0 && since1904 < 0 ? seconds * 1000 : since1904
  return Math.abs(clock) <= MAX_CLOCK ? [clock] : []
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
