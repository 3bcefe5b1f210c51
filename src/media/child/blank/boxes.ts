import { boxes, type Part } from '../../container-parts.ts'
import type { Extent } from '../../raw.ts'
import { put, type Sheet, understand, zero } from './sheet.ts'

/** No file has more on one level. */
export const MAX_BOXES = 10_000

/** Where the data of what is kept is, of EXIF, which is kept in part, and of what goes. */
export interface Data {
  kept: Extent[]
  exif: Extent[]
  gone: Extent[]
}

const FREE = Buffer.from('free')
// Bytes of a handler before its name, which cameras choose, and of a reference.
const BEFORE_NAME = 24
const REFERENCE = 12

/** Notes that a box goes: it becomes one of zeros that every program passes over. */
export function free(sheet: Sheet, { at, start, end }: Part): void {
  put(sheet, at + 4, FREE)
  zero(sheet, start, end)
}

/** Returns the boxes that fill a part of a file; throws when they don't. */
export async function boxesIn(sheet: Sheet, { start, end }: Extent): Promise<Part[]> {
  const found: Part[] = []
  for await (const part of boxes(sheet.file, start, end, MAX_BOXES)) found.push(part)
  const last = found.at(-1)?.end ?? start
  understand(found.every(({ isWhole }) => isWhole) && end - last < 8)
  // Some end with a zero.
  zero(sheet, last, end)
  return found
}

/** Notes that references to data say no more than that it is in the file; throws for any other. */
export async function blankReferences(sheet: Sheet, dref: Part): Promise<void> {
  for (const { at, start, end } of await boxesIn(sheet, { start: dref.start + 8, end: dref.end })) {
    const flags = await sheet.file.read(start, start + 4)
    understand(flags.length === 4 && (flags[3]! & 1) === 1)
    zero(sheet, at + REFERENCE, end)
  }
}

/** Notes that the name of a handler goes. */
export function blankName(sheet: Sheet, hdlr: Part): void {
  zero(sheet, hdlr.start + BEFORE_NAME, hdlr.end)
}
