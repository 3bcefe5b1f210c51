import { otherOf, type Side } from './sides.ts'

/**
 * Who sees a file besides admins: everybody, or the named people; `isWhole` if the list is complete.
 */
export interface Viewers {
  isPublic: boolean
  names: string[]
  isWhole: boolean
}

/** Who loses sight of both pictures; `isWhole` if the list is complete. */
export interface Losers {
  isEverybody: boolean
  names: string[]
  isWhole: boolean
}

/** Returns who sees neither of two files any more if one side is kept, `isPublic` or not. */
export function losersOf(
  viewers: Record<Side, Viewers>,
  kept: Side,
  { isPublic, self }: { isPublic: boolean; self: string },
): Losers {
  const [before, after] = [viewers[otherOf(kept)], viewers[kept]]
  if (isPublic) return { isEverybody: false, names: [], isWhole: true }
  if (before.isPublic) return { isEverybody: true, names: [], isWhole: true }
  return {
    isEverybody: false,
    names: before.names.filter((name) => name !== self && !after.names.includes(name)),
    isWhole: before.isWhole && after.isWhole,
  }
}
