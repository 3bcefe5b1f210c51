import { alsoAdded, type Follows } from '../rules.ts'

/** A tag that is on the files that are being tagged. */
export interface OnFiles {
  id: string
  /** Whether it is on all of the files, or only on some. */
  on: 'all' | 'some'
  /** Whether it came by a rule alone. Of several files that isn't known. */
  byRule: boolean
}

/** Tags put on the files or taken off, of which the server hasn't told yet. */
export interface Edit {
  action: 'add' | 'remove'
  ids: string[]
}

/** Returns the tags as they will be when the server has done what it is asked for. */
export function applied(tags: OnFiles[], edits: Edit[], follows: Follows): OnFiles[] {
  return edits.reduce((before, edit) => {
    if (edit.action === 'remove') return before.filter(({ id }) => !edit.ids.includes(id))
    const after = new Map(before.map((tag) => [tag.id, tag]))
    for (const id of edit.ids) after.set(id, { id, on: 'all', byRule: false })
    for (const id of alsoAdded(follows, edit.ids)) {
      after.set(id, { id, on: 'all', byRule: after.get(id)?.byRule ?? true })
    }
    return [...after.values()]
  }, tags)
}

/** Returns what is on all of the files, and on some, of what is on each part of them. */
export function mergedCommon(parts: { common_tag_ids: string[]; partial_tag_ids: string[] }[]): {
  common: string[]
  partial: string[]
} {
  const common = parts
    .map((part) => part.common_tag_ids)
    .reduce((all, part) => all.filter((id) => part.includes(id)))
  const isCommon = new Set(common)
  const seen = new Set(parts.flatMap((part) => [...part.common_tag_ids, ...part.partial_tag_ids]))
  return { common, partial: [...seen].filter((id) => !isCommon.has(id)) }
}
