interface Rule {
  when_tag_id: string
  then_tag_id: string
  is_active: boolean
}

/** For each tag, those that an active rule adds directly. */
export type Follows = ReadonlyMap<string, readonly string[]>

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
