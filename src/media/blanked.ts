import type { Bytes, ReadRange } from './file-bytes.ts'

/** What goes out in place of bytes of a content, as many: so many zeros, or other bytes. */
export type Edit = { at: number; zeros: number } | { at: number; base64: string }

/**
 * Returns what `stream` returns, with edits laid over, which are in order and don't overlap. Each piece is changed where
 * it is, so that it takes no more memory.
 */
export function blanked(
  stream: (range: ReadRange) => Promise<Bytes>,
  edits: readonly Edit[],
): (range?: ReadRange) => Promise<Bytes> {
  return async (range = {}) => layOver(await stream(range), edits, range.start ?? 0)
}

async function* layOver(bytes: Bytes, edits: readonly Edit[], start: number): Bytes {
  let at = start
  let next = firstBehind(edits, start)
  for await (const piece of bytes) {
    const end = at + piece.length
    for (; next < edits.length && edits[next]!.at < end; next++) {
      const edit = edits[next]!
      const from = edit.at - at
      if ('zeros' in edit)
        piece.fill(0, Math.max(0, from), Math.min(piece.length, from + edit.zeros))
      else {
        const laid = Buffer.from(edit.base64, 'base64')
        const seen = laid.subarray(Math.max(0, -from), piece.length - from)
        piece.set(seen, Math.max(0, from))
      }
      // The rest of it is in the next piece.
      if (endOf(edit) > end) break
    }
    yield piece
    at = end
  }
}

// Returns the number of the first edit that ends behind a place.
function firstBehind(edits: readonly Edit[], place: number): number {
  let [low, high] = [0, edits.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (endOf(edits[middle]!) <= place) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns where an edit ends. */
export function endOf(edit: Edit): number {
  return edit.at + ('zeros' in edit ? edit.zeros : Buffer.byteLength(edit.base64, 'base64'))
}
