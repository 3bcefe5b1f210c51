import type { Selected } from './selection.ts'

interface Owner {
  /** The session's `k`. */
  k: string
  listing: string
}

interface Kept extends Owner {
  kind: Selected['kind']
  /** The files that are selected or, if everything is, those that are not. */
  ids: string[]
}

/** Serializes a selection for `readSelected`. */
export function writeSelected(selected: Selected, { k, listing }: Owner): string {
  const { kind } = selected
  const ids = [...(selected.kind === 'all' ? selected.except : selected.ids)]
  return JSON.stringify({ k, listing, kind, ids } satisfies Kept)
}

/** Parses a selection; null if it belongs to another user or listing. */
export function readSelected(text: string, owner: Owner): Selected | null {
  const { k, listing, kind, ids } = JSON.parse(text) as Kept
  if (k !== owner.k || listing !== owner.listing) return null
  return kind === 'all' ? { kind, except: new Set(ids) } : { kind, ids: new Set(ids) }
}
