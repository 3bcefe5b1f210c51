import type { BoundedFile } from '../../bounded-file.ts'
import { fourcc, MOOV } from '../../container-parts.ts'

// No film of a camera has more than some hundred.
const MAX_BOXES = 10_000
const MAX_HEADS = 4 * 2 ** 20
// In bytes.
const BLOCK = 2048
// A size, a name, and for some boxes a longer size.
const HEAD = 16
// Boxes with which a film begins.
const FIRST = new Set(['ftyp', 'moov', 'mdat', 'free', 'wide'].map(fourcc))
const LISTS = new Set(
  [
    ...['moov', 'trak', 'mdia', 'minf', 'dinf', 'stbl', 'edts', 'udta', 'mvex', 'ilst'],
    ...['sinf', 'schi', 'wave', 'moof', 'traf', 'mfra'],
  ].map(fourcc),
)

interface Box {
  name: number
  start: number
  end: number
  /** Where its contents begin. */
  inside: number
}

// Where reading stops when there are too many boxes.
interface Stop {
  at: number
  /** The index that contains this place, and is to be shortened. */
  moov: Box | null
}

/**
 * Returns a film in ISO boxes as its container may be read: the file itself, or what comes before its bounds, with an
 * index that ends there.
 */
export async function withinHeads(file: BoundedFile): Promise<BoundedFile> {
  const stop = await findStop(file)
  if (stop === null) return file
  const { at: size, moov } = stop
  return {
    size,
    async read(start, end) {
      const bytes = Buffer.from(await file.read(start, Math.min(end, size)))
      if (moov === null) return bytes
      const head = Buffer.from(await file.read(moov.start, moov.inside))
      if (head.length === HEAD) head.writeBigUInt64BE(BigInt(size - moov.start), 8)
      else head.writeUInt32BE(size - moov.start)
      const from = Math.max(start, moov.start)
      const to = Math.min(start + bytes.length, moov.inside)
      if (from < to) head.copy(bytes, from - start, from - moov.start, to - moov.start)
      return bytes
    },
  }
}

/** Returns whether a film in ISO boxes has more of them than may be read. */
export async function hasTooManyBoxes(file: BoundedFile): Promise<boolean> {
  return (await findStop(file)) !== null
}

async function findStop(file: BoundedFile): Promise<Stop | null> {
  const headAt = headReader(file)
  const first = await headAt(0)
  if (first === null || first.length < 8 || !FIRST.has(first.readUInt32BE(4))) return null
  let boxes = 0
  // Returns where the boxes of a list must end, or null when there are not too many.
  const walk = async (start: number, end: number, moov: Box | null): Promise<Stop | null> => {
    for (let at = start; at + 8 <= end; ) {
      const head = ++boxes > MAX_BOXES ? null : await headAt(at)
      if (head === null) return { at, moov }
      const box = boxOf(head, at, end)
      if (box === null) return null
      const isIndex = moov === null && box.name === MOOV
      if (isIndex || (moov !== null && LISTS.has(box.name))) {
        const stop = await walk(box.inside, box.end, moov ?? box)
        // A track that is cut off is of no use.
        if (stop !== null) return moov === null ? stop : { at, moov }
      }
      if (isIndex) return null
      at = box.end
    }
    return null
  }
  return walk(0, file.size, null)
}

function boxOf(head: Buffer, start: number, end: number): Box | null {
  const told = head.readUInt32BE(0)
  const isLong = told === 1
  if (isLong && head.length < HEAD) return null
  const size = isLong ? Number(head.readBigUInt64BE(8)) : told === 0 ? end - start : told
  const inside = start + (isLong ? HEAD : 8)
  if (start + size < inside) return null
  return { name: head.readUInt32BE(4), start, inside, end: Math.min(end, start + size) }
}

// The reader returns null when too much has been read.
function headReader(file: BoundedFile): (at: number) => Promise<Buffer | null> {
  let block: Buffer = Buffer.alloc(0)
  let first = 0
  let left = MAX_HEADS
  return async (at) => {
    const end = Math.min(at + HEAD, file.size)
    if (at < first || end > first + block.length) {
      left -= BLOCK
      if (left < 0) return null
      block = await file.read(at, at + BLOCK)
      first = at
    }
    return block.subarray(at - first, end - first)
  }
}
