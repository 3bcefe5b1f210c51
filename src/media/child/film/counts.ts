import { type BoundedFile, inMemory } from '../../bounded-file.ts'
import { boxes, fourcc, type Part } from '../../container-parts.ts'

// The library makes an object of every sample that a table counts, and a few bytes can count four billion.

// Samples whose times are sorted: 19 hours of 30 frames a second.
const MAX_ORDERED = 2 ** 21
// Samples of one fragment, and of all that are read.
const MAX_OF_FRAGMENT = 2 ** 20
const MAX_OF_FRAGMENTS = 2 ** 24
// Places of fragments, which the library removes one by one when two have the same time.
const MAX_PLACES = 2 ** 16
// Samples of a chunk, where there are fewer in all.
const MIN_OF_CHUNK = 2 ** 16
const MAX_CHUNKS = 2 ** 21

const LISTS = new Set(['moov', 'trak', 'mdia', 'minf', 'moof', 'traf', 'mfra', 'udta'].map(fourcc))
const [STBL, STTS, CTTS, STSC, STSZ, STZ2] = ['stbl', 'stts', 'ctts', 'stsc', 'stsz', 'stz2'].map(
  fourcc,
)
const [TRUN, TFRA, FREE, META, KEYS] = ['trun', 'tfra', 'free', 'meta', 'keys'].map(fourcc)
// These describe how samples are encrypted.
const UNUSED = new Set(['saiz', 'saio', 'senc'].map(fourcc))
// Flags of a run that has something for each sample.
const OF_EACH = [0x100, 0x200, 0x400, 0x800]
// Bytes of the shortest name of a tag, with its head.
const MIN_KEY = 8
const SIZES_OF_SMALL = [4, 8, 16]

interface Left {
  ordered: number
  ofFragments: number
}

/**
 * Returns a film in ISO boxes without the tables that count more samples than a film has, or more names than they hold.
 * They are found in what is read from the beginning of a box on: each read must be exactly what the library asks for.
 */
export function withinCounts({ size, read }: BoundedFile): BoundedFile {
  const left = { ordered: MAX_ORDERED, ofFragments: MAX_OF_FRAGMENTS }
  return {
    size,
    async read(start, end) {
      const bytes = Buffer.from(await read(start, end))
      for (const box of await excesses(bytes, left)) {
        bytes.writeUInt32BE(FREE!, box.at + 4)
      }
      return bytes
    },
  }
}

async function excesses(bytes: Buffer, left: Left): Promise<Part[]> {
  const found: Part[] = []
  let ofFragment = 0
  const walk = async (from: number, to: number) => {
    for await (const box of boxesIn(bytes, from, to)) {
      if (LISTS.has(box.name)) await walk(box.start, box.end)
      else if (box.name === STBL) found.push(...(await tablesIn(bytes, box, left)))
      // The version that begins it is absent in QuickTime.
      else if (box.name === META) {
        await walk(box.start + (countAt(bytes, box, 0) === 0 ? 4 : 0), box.end)
      } else if (box.name === KEYS) {
        if (countAt(bytes, box, 4) > (box.end - box.start) / MIN_KEY) found.push(box)
      } else if (UNUSED.has(box.name)) found.push(box)
      else if (box.name === TFRA && countAt(bytes, box, 12) > MAX_PLACES) found.push(box)
      else if (box.name === TRUN) {
        const count = countAt(bytes, box, 4)
        ofFragment += count
        left.ofFragments -= count
        const isOfEach = OF_EACH.some((flag) => (countAt(bytes, box, 0) & flag) !== 0)
        const isPresent = !isOfEach || count <= (box.end - box.start) / 4
        if (ofFragment > MAX_OF_FRAGMENT || left.ofFragments < 0 || !isPresent) found.push(box)
      }
    }
  }
  await walk(0, bytes.length)
  return found
}

async function tablesIn(bytes: Buffer, { start, end }: Part, left: Left): Promise<Part[]> {
  const tables: Part[] = []
  for await (const table of boxesIn(bytes, start, end)) tables.push(table)
  const named = (name: number | undefined) => tables.filter((box) => box.name === name)
  const sum = (name: number | undefined) =>
    named(name)
      .flatMap((box) => rowsOf(bytes, box, 8))
      .reduce((total, at) => total + bytes.readUInt32BE(at), 0)
  const offsets = named(CTTS)
  const samples = named(STSZ).reduce((total, box) => total + countAt(bytes, box, 8), 0)
  const found = named(STZ2).filter((box) => !SIZES_OF_SMALL.includes(countAt(bytes, box, 4) & 0xff))
  if (offsets.length > 0) {
    const ordered = Math.max(sum(STTS), sum(CTTS))
    if (ordered > left.ordered) found.push(...offsets)
    else left.ordered -= ordered
  }
  const isOfOneSize = named(STSZ).some((box) => countAt(bytes, box, 4) !== 0)
  const most = isOfOneSize ? Number.POSITIVE_INFINITY : Math.max(samples, MIN_OF_CHUNK)
  for (const box of named(STSC)) {
    let chunk = 0
    const isGood = rowsOf(bytes, box, 12).every((at) => {
      const before = chunk
      chunk = bytes.readUInt32BE(at)
      return chunk >= before && chunk <= MAX_CHUNKS && bytes.readUInt32BE(at + 4) <= most
    })
    if (!isGood) found.push(box)
  }
  return found
}

// Those of a read are bounded by its length.
function boxesIn(bytes: Buffer, start: number, end: number): AsyncGenerator<Part> {
  return boxes(inMemory(bytes), start, end, Number.POSITIVE_INFINITY)
}

// Returns 0 when the number is cut off.
function countAt(bytes: Buffer, { start, end }: Part, at: number): number {
  return start + at + 4 <= end ? bytes.readUInt32BE(start + at) : 0
}

// Rows that are cut off are left out.
function rowsOf(bytes: Buffer, box: Part, length: number): number[] {
  const first = box.start + 8
  const room = Math.max(0, Math.floor((box.end - first) / length))
  return Array.from(
    { length: Math.min(countAt(bytes, box, 4), room) },
    (_, n) => first + n * length,
  )
}
