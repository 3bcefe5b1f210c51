import { rightAfter } from './sight.ts'
import type { State } from './state.ts'

/** A person that sees a pool but not all of its pictures that the caller may share. */
interface Lacking {
  id: number
  name: string
  count: number
}

/**
 * Returns who sees a pool but not all of its pictures, and whether the pool is open to everybody, in
 * which case its pictures must be as well.
 */
export function gapsOf({ list, pictures, people, isMine }: State): {
  people: Lacking[]
  isOpen: boolean
} {
  if (!isMine || !list || !pictures) return { people: [], isOpen: false }
  const lacking = people.flatMap(({ id, name }) => {
    const sees = rightAfter(list, { rights: new Map(), isPublic: null }, id) !== null
    const count = pictures.own - (pictures.sights.get(id)?.seen ?? 0)
    return sees && count > 0 ? [{ id, name, count }] : []
  })
  const isOpen = lacking.some(({ id }) => !list.entries.has(id))
  return { people: lacking, isOpen }
}
