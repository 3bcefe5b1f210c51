import { signal } from '@preact/signals'
import { type Cell, FLAGS } from './listing.ts'

/** The hearts that were set or taken here since the listing was read; undefined as the listing has it. */
export const changedHearts = signal<ReadonlyMap<string, boolean | undefined>>(new Map())

/** Returns whether a file of a listing is a favourite. */
export function hasHeart({ id, flags }: Pick<Cell, 'id' | 'flags'>): boolean {
  return changedHearts.value.get(id) ?? (flags & FLAGS.favourite) > 0
}
