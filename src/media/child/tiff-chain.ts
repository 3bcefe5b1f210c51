import type { BoundedFile } from '../bounded-file.ts'

// No usual scan has more pages; the decoder counts them all.
const MAX_DIRECTORIES = 64
// Cameras write some hundred.
const MAX_ENTRIES = 4096
// Lists of where the pixels are, and of colours: the decoder trusts their counts.
const LISTS = [258, 273, 279, 320, 324, 325]
// The fewest bytes of a value in these lists.
const SMALLEST = 2

// In bytes.
interface Layout {
  isLittle: boolean
  countSize: number
  entry: number
  placeSize: number
}
const CLASSIC = { countSize: 2, entry: 12, placeSize: 4 }
const BIG = { countSize: 8, entry: 20, placeSize: 8 }

/**
 * Returns a TIFF of too many directories with the first one alone, or null for another one. Throws when the first
 * directory claims more than the file has.
 */
export async function firstTiffPage(file: BoundedFile): Promise<Buffer | null> {
  const head = await file.read(0, 16)
  const isLittle = head.toString('latin1', 0, 2) === 'II'
  const version = number(head.subarray(2, 4), isLittle)
  if (head.length < 16 || (version !== 42 && version !== 43)) return null
  const layout: Layout = { isLittle, ...(version === 43 ? BIG : CLASSIC) }
  const start = layout.placeSize
  const first = number(head.subarray(start, start + layout.placeSize), isLittle)
  await refuseClaims(file, layout, first)
  const seen = new Set<number>()
  let link = 0
  for (let at = first; at > 0 && !seen.has(at); ) {
    if (seen.size === MAX_DIRECTORIES) {
      const bytes = await file.read(0, file.size)
      return bytes.fill(0, link, link + layout.placeSize)
    }
    seen.add(at)
    const behind = await endOf(file, layout, at)
    if (seen.size === 1) link = behind
    at = number(await file.read(behind, behind + layout.placeSize), isLittle)
  }
  return null
}

async function endOf(file: BoundedFile, layout: Layout, at: number): Promise<number> {
  const { isLittle, countSize, entry } = layout
  const count = number(await file.read(at, at + countSize), isLittle)
  return at + countSize + count * entry
}

async function refuseClaims(file: BoundedFile, layout: Layout, at: number): Promise<void> {
  const { isLittle, countSize, entry, placeSize } = layout
  const start = at + countSize
  const end = Math.min(await endOf(file, layout, at), start + MAX_ENTRIES * entry)
  const rows = await file.read(start, end)
  for (let row = 0; row + entry <= rows.length; row += entry) {
    const tag = number(rows.subarray(row, row + 2), isLittle)
    const count = number(rows.subarray(row + 4, row + 4 + placeSize), isLittle)
    if (LISTS.includes(tag) && count * SMALLEST > file.size) {
      throw new Error(`claims ${count} values of ${tag}`)
    }
  }
}

function number(bytes: Buffer, isLittle: boolean): number {
  const ordered = isLittle ? [...bytes].reverse() : [...bytes]
  return ordered.reduce((sum, byte) => sum * 256 + byte, 0)
}
