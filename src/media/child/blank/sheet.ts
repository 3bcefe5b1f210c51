import type { Edit } from '../../blanked.ts'
import type { BoundedFile } from '../../bounded-file.ts'
import { isOfSystem } from '../../outcome.ts'
import type { Extent } from '../../raw.ts'

/** A file, and what of it is to be blanked, as it is found. */
export interface Sheet {
  file: BoundedFile
  zeros: Extent[]
  /** Bytes that are laid over the zeros. */
  puts: { at: number; bytes: Buffer }[]
}

// What goes to the server goes in one line.
const MAX_EDITS = 12_000
const MAX_BYTES = 262_144
// While they are collected, many lie beside each other.
const MAX_FOUND = 500_000

/** Throws unless a condition holds of what a file says. */
export function understand(holds: boolean): asserts holds {
  if (!holds) throw new Error('is not understood')
}

/** Notes that bytes are to be zeros. */
export function zero({ zeros }: Sheet, start: number, end: number): void {
  if (end > start) zeros.push({ start, end })
  understand(zeros.length <= MAX_FOUND)
}

/** Notes that other bytes go out. */
export function put({ puts }: Sheet, at: number, bytes: Buffer): void {
  puts.push({ at, bytes })
  understand(puts.length <= MAX_FOUND)
}

/** Notes that of a part of a file all is to be zeros but what is in `kept`, in any order. */
export function zeroOutside(sheet: Sheet, { start, end }: Extent, kept: Extent[]): void {
  let at = start
  for (const extent of merged(kept)) {
    if (extent.end <= start || extent.start >= end) continue
    zero(sheet, at, extent.start)
    at = extent.end
  }
  zero(sheet, at, end)
}

/** Returns what `walk` returns, or null when it is not understood: then a part of the file is to be zeros. */
export async function attempt<Result>(
  sheet: Sheet,
  { start, end }: Extent,
  walk: () => Promise<Result>,
): Promise<Result | null> {
  const [zeros, puts] = [sheet.zeros.length, sheet.puts.length]
  try {
    return await walk()
  } catch (error) {
    if (isOfSystem(error)) throw error
    sheet.zeros.length = zeros
    sheet.puts.length = puts
    zero(sheet, start, end)
    return null
  }
}

/** Returns extents in order; those that touch each other as one. */
export function merged(extents: Extent[]): Extent[] {
  const found: Extent[] = []
  for (const { start, end } of extents.toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else found.push({ start, end })
  }
  return found
}

/** Returns whether two of the extents share a byte. */
export function overlap(extents: Extent[]): boolean {
  const sorted = extents.toSorted((a, b) => a.start - b.start)
  return sorted.some(({ start }, n) => n > 0 && start < sorted[n - 1]!.end)
}

/** Returns what was noted, in order and without overlaps; throws when it is too much, or beyond the file's end. */
export function editsOf({ file, zeros, puts }: Sheet): Edit[] {
  const edits: Edit[] = []
  const laid = puts.toSorted((a, b) => a.at - b.at)
  const taken = laid.map(({ at, bytes }) => ({ start: at, end: at + bytes.length }))
  understand(!overlap(taken))
  understand([...zeros, ...taken].every(({ end }) => end <= file.size))
  understand(laid.reduce((sum, { bytes }) => sum + bytes.length, 0) <= MAX_BYTES)
  let next = 0
  for (const { start, end } of merged(zeros)) {
    let at = start
    while (next < taken.length && taken[next]!.end <= at) next++
    for (let n = next; n < taken.length && taken[n]!.start < end; n++) {
      if (taken[n]!.start > at) edits.push({ at, zeros: taken[n]!.start - at })
      at = Math.max(at, taken[n]!.end)
    }
    if (at < end) edits.push({ at, zeros: end - at })
  }
  for (const { at, bytes } of laid) edits.push({ at, base64: bytes.toString('base64') })
  understand(edits.length <= MAX_EDITS)
  return edits.sort((a, b) => a.at - b.at)
}
