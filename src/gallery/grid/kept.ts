import type { Selected } from './selection.ts'

/** Whose selection it is, and of which listing. */
interface Owner {
  /** The session's `k`. */
  k: string
  listing: string
}

interface Kept extends Owner {
  kind: Selected['kind']
  /** The files that are selected, or, of everything, those that are not. */
  ids: string[]
}

/** Returns a selection as a text, from which `readSelected` makes it again. */
export function writeSelected(selected: Selected, { k, listing }: Owner): string {
  const { kind } = selected
  const ids = [...(selected.kind === 'all' ? selected.except : selected.ids)]
  return JSON.stringify({ k, listing, kind, ids } satisfies Kept)
}

/** Returns the selection of a text; null when it is somebody else's, or of another listing. */
export function readSelected(text: string, owner: Owner): Selected | null {
  const { k, listing, kind, ids } = JSON.parse(text) as Kept
  if (k !== owner.k || listing !== owner.listing) return null
  return kind === 'all' ? { kind, except: new Set(ids) } : { kind, ids: new Set(ids) }
}
