import { type BoundedFile, readAtMost, readInBlocks } from '../../bounded-file.ts'
import { boxes, fourcc, MOOV, OLD_FIRST, type Part } from '../../container-parts.ts'

// No film of a camera has more than some hundred.
const MAX_BOXES = 10_000
// In bytes.
const MAX_HEADS = 4 * 2 ** 20
const BLOCK = 2048
const FTYP = fourcc('ftyp')
const FIRST = new Set([FTYP, ...OLD_FIRST.map(fourcc)])
// What the library asks for, at the beginning of a film of QuickTime.
const BRAND = Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  ', 'latin1')
const LISTS = new Set(
  [
    ...['moov', 'trak', 'mdia', 'minf', 'dinf', 'stbl', 'edts', 'udta', 'mvex', 'ilst'],
    ...['sinf', 'schi', 'wave', 'moof', 'traf', 'mfra'],
  ].map(fourcc),
)

// Where reading stops when there are too many boxes.
interface Stop {
  at: number
  /** The index that contains this place, and is to be shortened. */
  moov: Part | null
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
      const head = Buffer.from(await file.read(moov.at, moov.start))
      if (head.length > 8) head.writeBigUInt64BE(BigInt(size - moov.at), 8)
      else head.writeUInt32BE(size - moov.at)
      const from = Math.max(start, moov.at)
      const to = Math.min(start + bytes.length, moov.start)
      if (from < to) head.copy(bytes, from - start, from - moov.at, to - moov.at)
      return bytes
    },
  }
}

/** Returns a film in ISO boxes with `ftyp` before everything else, when it has none. */
export async function withBrand(file: BoundedFile): Promise<BoundedFile> {
  const first = await file.read(0, 8)
  if (first.length < 8 || first.readUInt32BE(4) === FTYP) return file
  const { length } = BRAND
  return {
    size: file.size + length,
    async read(start, end) {
      const own = BRAND.subarray(start, end)
      const from = Math.max(0, start - length)
      if (end <= length) return own
      return Buffer.concat([own, await file.read(from, end - length)])
    },
  }
}

/** Returns whether a film in ISO boxes has more of them than may be read. */
export async function hasTooManyBoxes(file: BoundedFile): Promise<boolean> {
  return (await findStop(file)) !== null
}

async function findStop(file: BoundedFile): Promise<Stop | null> {
  const heads = readInBlocks(readAtMost(file, MAX_HEADS / BLOCK), BLOCK)
  const first = await heads.read(0, 8)
  if (first.length < 8 || !FIRST.has(first.readUInt32BE(4))) return null
  let count = 0
  // Returns where the boxes of a list must end, or null when there are not too many.
  const walk = async (start: number, end: number, moov: Part | null): Promise<Stop | null> => {
    let at = start
    try {
      for await (const box of boxes(heads, start, end, Number.POSITIVE_INFINITY)) {
        at = box.at
        if (++count > MAX_BOXES) return { at, moov }
        const isIndex = moov === null && box.name === MOOV
        if (isIndex || (moov !== null && LISTS.has(box.name))) {
          const stop = await walk(box.start, box.end, moov ?? box)
          // A track that is cut off is of no use.
          if (stop !== null) return moov === null ? stop : { at, moov }
        }
        if (isIndex) return null
        at = box.end
      }
    } catch {
      // More than may be read of heads.
      return { at, moov }
    }
    return null
  }
  return walk(0, file.size, null)
}
