import { AppError } from '../base/errors.ts'
import type { Db } from '../db/client.ts'
import { mostTags, rulesAround, tagsLeadingTo } from './limit-queries.ts'

/** How many tags a file may carry, hidden ones included. */
export const TAGS_OF_FILE = 1000
/** How many tags may follow from one by rules. */
const FOLLOWING_TAGS = 200

/** Throws conflict when one of the files, which just got tags, has more than it may. */
export function requireRoomOnFiles(db: Db, files: number[]): void {
  const { most } = mostTags.get(db, { files: JSON.stringify(files) })!
  if (most <= TAGS_OF_FILE) return
  throw new AppError(
    'conflict',
    `A file may have at most ${TAGS_OF_FILE} tags, and would have ${most}`,
  )
}

/** The two tags of a rule, by their row numbers. */
interface RuleRids {
  when_tag_rid: number
  then_tag_rid: number
}

/** Throws conflict when a rule that becomes active makes more tags follow from one than may. */
export function requireFewFollowing(db: Db, rule: RuleRids): void {
  const following = tooManyFollowing(db, rule)
  if (following !== null) throw tooMany(following)
}

function tooMany(following: number): AppError {
  return new AppError(
    'conflict',
    `At most ${FOLLOWING_TAGS} tags may follow from one by rules, and ${following} would`,
  )
}

/**
 * Throws conflict when a tag that takes over the rules of another one makes more tags follow from one
 * than may, and more than now.
 */
export function requireFewFollowingMerged(
  db: Db,
  { old, into }: { old: number; into: number },
): void {
  const leading = new Set(
    [old, into].flatMap((tag) => tagsLeadingTo.all(db, { tag }).map((row) => row.rid)),
  )
  const rules = rulesAround.all(db, { tags: JSON.stringify([...leading]) })
  const merged = (rid: number) => (rid === old ? into : rid)
  const before = nextOf(rules)
  const after = nextOf(
    rules.map(({ when_tag_rid, then_tag_rid }) => ({
      when_tag_rid: merged(when_tag_rid),
      then_tag_rid: merged(then_tag_rid),
    })),
  )
  leading.delete(old)
  for (const tag of leading) {
    // The tag itself is among them.
    const following = reached(after, tag).size - 1
    const isMore = following > reached(before, tag).size - 1
    if (following > FOLLOWING_TAGS && isMore) throw tooMany(following)
  }
}

/**
 * Returns how many tags follow from one when a rule becomes active, if that makes it too many: from its
 * when-tag, or from a tag that leads to it; null if from none.
 */
export function tooManyFollowing(db: Db, { when_tag_rid, then_tag_rid }: RuleRids): number | null {
  const leading = tagsLeadingTo.all(db, { tag: when_tag_rid }).map((row) => row.rid)
  const tags = JSON.stringify([...leading, then_tag_rid])
  const next = nextOf(rulesAround.all(db, { tags }))
  const coming = reached(next, then_tag_rid)
  for (const tag of leading) {
    const following = reached(next, tag)
    // Nothing new follows from such a tag, however many there were.
    if (following.has(then_tag_rid)) continue
    for (const rid of coming) following.add(rid)
    // The tag itself is among them.
    if (following.size - 1 > FOLLOWING_TAGS) return following.size - 1
  }
  return null
}

/** Returns the tags that follow from each by one rule. */
function nextOf(rules: RuleRids[]): Map<number, number[]> {
  const next = new Map<number, number[]>()
  for (const { when_tag_rid, then_tag_rid } of rules) {
    const following = next.get(when_tag_rid)
    if (following) following.push(then_tag_rid)
    else next.set(when_tag_rid, [then_tag_rid])
  }
  return next
}

/** Returns a tag and all that follow from it. */
function reached(next: Map<number, number[]>, tag: number): Set<number> {
  const found = new Set([tag])
  // A set goes on to what was added meanwhile.
  for (const rid of found) for (const following of next.get(rid) ?? []) found.add(following)
  return found
}
