import type { BoundedFile } from '../bounded-file.ts'
import { openTiff, type Row, readDirectory } from '../tiff-directory.ts'

// No usual scan has more pages; the decoder counts them all.
const MAX_DIRECTORIES = 64
// Lists of where the pixels are, and of colours: the decoder trusts their counts.
const LISTS = [258, 273, 279, 320, 324, 325]
// The fewest bytes of a value in these lists.
const SMALLEST = 2

/**
 * Returns a TIFF of too many directories with the first one alone, or null for another one. Throws when the first
 * directory claims more than the file has.
 */
export async function firstTiffPage(file: BoundedFile): Promise<Buffer | null> {
  const tiff = await openTiff(file)
  if (!tiff) return null
  const seen = new Set<number>()
  let firstLink = 0
  for (let at = tiff.first; at > 0 && !seen.has(at); ) {
    if (seen.size === MAX_DIRECTORIES) {
      const bytes = await file.read(0, file.size)
      return bytes.fill(0, firstLink, firstLink + tiff.placeSize)
    }
    const { rows, link, next } = await readDirectory(tiff, at)
    if (seen.size === 0) {
      firstLink = link
      refuseClaims(rows, file.size)
    }
    seen.add(at)
    at = next
  }
  return null
}

function refuseClaims(rows: Row[], size: number): void {
  const found = rows.find(({ tag, count }) => LISTS.includes(tag) && count * SMALLEST > size)
  if (found) throw new Error(`claims ${found.count} values of ${found.tag}`)
}
