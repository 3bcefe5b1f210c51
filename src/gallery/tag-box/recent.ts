/** How many tags have a key of their own, 1 to 9. */
export const SLOTS = 9

/** The tags that a single key adds again. */
export interface Recent {
  /** The tag of each digit. A tag keeps its digit for as long as it is among them. */
  slots: string[]
  /** The same tags, the last used at the end. */
  used: string[]
  /** The tags that the user added to the files tagged last, and to those before them. */
  last: Round | null
  before: Round | null
}

interface Round {
  /** The key of the target. */
  target: string
  tags: string[]
}

export const NOTHING_RECENT: Recent = { slots: [], used: [], last: null, before: null }

/** Returns the recent tags after the user has added these to a target. */
export function afterAdding(recent: Recent, target: string, tags: string[]): Recent {
  const slots = [...recent.slots]
  let used = recent.used
  for (const tag of tags) {
    if (!slots.includes(tag)) {
      const oldest = slots.length < SLOTS ? slots.length : slots.indexOf(used[0]!)
      slots[oldest] = tag
    }
    used = [...used.filter((other) => slots.includes(other) && other !== tag), tag]
  }
  const isSame = recent.last?.target === target
  const already = isSame ? recent.last!.tags : []
  return {
    slots,
    used,
    last: { target, tags: [...new Set([...already, ...tags])] },
    before: isSame ? recent.before : recent.last,
  }
}

/** Returns the recent tags after these were removed from a target: `0` doesn't repeat them. */
export function afterRemoving(recent: Recent, target: string, tags: string[]): Recent {
  if (recent.last?.target !== target) return recent
  const left = recent.last.tags.filter((tag) => !tags.includes(tag))
  return { ...recent, last: { target, tags: left } }
}

/** Returns the tags that `0` adds to a target: those of the target tagged before it. */
export function tagsOfLast(recent: Recent, target: string): string[] {
  const round = recent.last?.target === target ? recent.before : recent.last
  return round?.tags ?? []
}

/** Returns the recent tags without those that no longer exist. */
export function withoutGone(recent: Recent, isThere: (tag: string) => boolean): Recent {
  const rounds = [recent.last, recent.before].flatMap((round) => round?.tags ?? [])
  if ([...recent.slots, ...rounds].every(isThere)) return recent
  const left = (round: Round | null) => round && { ...round, tags: round.tags.filter(isThere) }
  return {
    slots: recent.slots.filter(isThere),
    used: recent.used.filter(isThere),
    last: left(recent.last),
    before: left(recent.before),
  }
}
