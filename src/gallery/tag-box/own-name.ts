/** The most code points that a name may have. */
const LONGEST = 256

/**
 * Returns a name of a user's own in place of one that is taken: `holiday (kid)`, then `holiday (kid) 2`, and so
 * on: the first that is not in `taken`.
 */
export function ownName(name: string, user: string, taken: ReadonlySet<string>): string {
  const mine = ` (${user})`
  const letters = [...withoutUser(name.trim(), mine)]
  for (let count = 1; ; count++) {
    const end = count === 1 ? mine : `${mine} ${count}`
    const start = letters.slice(0, LONGEST - [...end].length).join('')
    const own = start.trimEnd() + end
    if (!taken.has(own)) return own
  }
}

/** Removes the user's name from a name that has it already. */
function withoutUser(name: string, mine: string): string {
  const at = name.lastIndexOf(mine)
  return at > 0 && /^( \d+)?$/.test(name.slice(at + mine.length)) ? name.slice(0, at) : name
}
