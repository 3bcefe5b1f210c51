interface Rule {
  when_tag_id: string
  then_tag_id: string
}

/** Returns how many rules a tag gains when another one is merged into it. */
export function rulesTakenOver(rules: readonly Rule[], from: string, into: string): number {
  const known = new Set(rules.map(nameOf))
  const now = rules.filter((rule) => rule.when_tag_id === from || rule.then_tag_id === from)
  const instead = (id: string) => (id === from ? into : id)
  const then = now
    .map(({ when_tag_id, then_tag_id }) => ({
      when_tag_id: instead(when_tag_id),
      then_tag_id: instead(then_tag_id),
    }))
    // No tag follows from itself.
    .filter((rule) => rule.when_tag_id !== rule.then_tag_id && !known.has(nameOf(rule)))
  return then.length
}

function nameOf({ when_tag_id, then_tag_id }: Rule): string {
  return `${when_tag_id} ${then_tag_id}`
}
