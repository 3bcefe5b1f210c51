import type { Direction, Place } from '../../db/keyset.ts'
import type { Entry } from './statement.ts'

/** Files in an order, from which pages are taken. */
export interface Listing {
  /** Returns the next files from a place, or from the end where the direction starts. */
  walk(part: Part): Promise<Entry[]>
  /** Returns the entry of a file, or undefined if it isn't in the list. */
  find(rid: number): Entry | undefined
  cursorAt(place: Place): string
}

/** At most `limit` files from `place` on, or from the end of the list where the direction starts. */
export interface Part {
  place: Place | null
  direction: Direction
  limit: number
}

interface Page<Item> {
  /** In the order of the list. */
  items: Item[]
  /** Each is null if and only if nothing is left in its direction. */
  next: string | null
  prev: string | null
}

/**
 * Returns a page of what `present` returns for the files of a part. That may be fewer files than there are if they are
 * large; `taken` is the number of files that `present` has dealt with.
 */
export async function pageOf<Item>(
  list: Listing,
  part: Part,
  present: (found: Entry[]) => { items: Item[]; taken: number },
): Promise<Page<Item>> {
  const { place, direction, limit } = part
  const walked = await list.walk({ place, direction, limit: limit + 1 })
  // This comes before the check behind the page, which lets other requests run and change files.
  const { items, taken } = present(walked.slice(0, limit))
  const entries = walked.slice(0, taken)
  const goesOn = walked.length > taken
  if (direction === 'backward') {
    entries.reverse()
    items.reverse()
  }

  const start = entries[0] ? placeOf(entries[0], 'before') : place
  const end = entries.length > 0 ? placeOf(entries.at(-1)!, 'after') : place
  const [near, back] =
    direction === 'forward' ? [start, 'backward' as const] : [end, 'forward' as const]
  // A page that doesn't start at an end of the list may have something behind it.
  const comesFrom =
    place !== null && (await list.walk({ place: near, direction: back, limit: 1 })).length > 0

  const cursor = (at: Place | null, exists: boolean) => (at && exists ? list.cursorAt(at) : null)
  return {
    items,
    next: cursor(end, direction === 'forward' ? goesOn : comesFrom),
    prev: cursor(start, direction === 'forward' ? comesFrom : goesOn),
  }
}

/** Returns the place just before or just after an entry. */
export function placeOf(entry: Entry, side: Place['side']): Place {
  return { key: entry.key, id: entry.id, side }
}
