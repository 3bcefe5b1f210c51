/** How many tags have a key of their own, 1 to 9. */
export const SLOTS = 9

/** The tags that one key repeats. */
export interface Recent {
  /** The tag of each digit. A tag keeps its digit for as long as it is among them. */
  slots: string[]
  /** The same tags, the one used last at the end. */
  used: string[]
  /** What was put by hand on the files that were tagged last, and on those before them. */
  last: Round | null
  before: Round | null
}

interface Round {
  /** Names the files. */
  target: string
  tags: string[]
}

export const NOTHING_RECENT: Recent = { slots: [], used: [], last: null, before: null }

/** Returns what is recent once these tags were put on a target by hand. */
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

/** Returns what is recent once these tags were taken off a target: `0` doesn't repeat them. */
export function afterRemoving(recent: Recent, target: string, tags: string[]): Recent {
  if (recent.last?.target !== target) return recent
  const left = recent.last.tags.filter((tag) => !tags.includes(tag))
  return { ...recent, last: { target, tags: left } }
}

/** Returns the tags that `0` puts on a target: those of the files tagged last before it. */
export function tagsOfLast(recent: Recent, target: string): string[] {
  const round = recent.last?.target === target ? recent.before : recent.last
  return round?.tags ?? []
}

/** Returns what is recent without tags that are gone. */
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
