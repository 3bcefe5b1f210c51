interface Rule {
  when_tag_id: string
  then_tag_id: string
  is_active: boolean
}

/** For each tag, those that an active rule adds directly. */
type Follows = ReadonlyMap<string, readonly string[]>

/** Returns what the active rules add for each tag. */
export function followsOf(rules: Rule[]): Follows {
  const follows = new Map<string, string[]>()
  for (const { when_tag_id, then_tag_id, is_active } of rules) {
    if (!is_active) continue
    const then = follows.get(when_tag_id)
    if (then) then.push(then_tag_id)
    else follows.set(when_tag_id, [then_tag_id])
  }
  return follows
}

/**
 * Returns the tags that rules add when these are put on a file, the nearest first; without the given
 * ones, and without those in `present`, which the file has.
 */
export function alsoAdded(
  follows: Follows,
  given: string[],
  present: ReadonlySet<string> = new Set(),
): string[] {
  const seen = new Set(given)
  const queue = [...given]
  const added: string[] = []
  for (const tag of queue) {
    for (const then of follows.get(tag) ?? []) {
      if (seen.has(then)) continue
      seen.add(then)
      queue.push(then)
      if (!present.has(then)) added.push(then)
    }
  }
  return added
}

/** A tag that is on the files being tagged. */
export interface OnFiles {
  id: string
  /** Whether it is on all of the files, or only on some. */
  on: 'all' | 'some'
  /** Whether only a rule added it. False for several files, where that is unknown. */
  byRule: boolean
}

/** Tags that were added or removed, without an answer from the server yet. */
export interface Edit {
  action: 'add' | 'remove'
  ids: string[]
}

/** Returns the tags as they will be when the server has made the edits. */
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

/** Combines the tags of several parts of the files: those on all of the files, and those on some. */
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
