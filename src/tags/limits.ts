import { AppError } from '../base/errors.ts'
import type { Db } from '../db/client.ts'
import { mostTags, rulesAround, tagsLeadingTo } from './limit-queries.ts'

/** The most tags that a file may have, hidden ones included. */
export const TAGS_OF_FILE = 1000
// The most tags that may follow from one by rules.
const FOLLOWING_TAGS = 200

/** Throws conflict when one of the files, which just got tags, exceeds the limit of tags. */
export function requireRoomOnFiles(db: Db, files: number[]): void {
  requireFewTags(mostTags.get(db, { files: JSON.stringify(files) })!.most)
}

/** Throws conflict when a file would have more tags than it may. */
export function requireFewTags(most: number): void {
  if (most <= TAGS_OF_FILE) return
  throw new AppError(
    'conflict',
    `A file may have at most ${TAGS_OF_FILE} tags, and would have ${most}`,
  )
}

interface RuleRids {
  when_tag_rid: number
  then_tag_rid: number
}

/** Throws conflict when too many tags would follow from one because a rule becomes active. */
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
 * Throws conflict when too many tags would follow from one, and more than now, because a tag takes over the rules of
 * another.
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
 * Returns how many tags would follow from one if a rule became active, in case that is too many: from its when-tag, or
 * from a tag that leads to it; null if there is no such tag.
 */
export function tooManyFollowing(db: Db, { when_tag_rid, then_tag_rid }: RuleRids): number | null {
  const leading = tagsLeadingTo.all(db, { tag: when_tag_rid }).map((row) => row.rid)
  const tags = JSON.stringify([...leading, then_tag_rid])
  const next = nextOf(rulesAround.all(db, { tags }))
  const coming = reached(next, then_tag_rid)
  for (const tag of leading) {
    const following = reached(next, tag)
    // Nothing new follows from such a tag, however many tags there are.
    if (following.has(then_tag_rid)) continue
    for (const rid of coming) following.add(rid)
    // The tag itself is among them.
    if (following.size - 1 > FOLLOWING_TAGS) return following.size - 1
  }
  return null
}

function nextOf(rules: RuleRids[]): Map<number, number[]> {
  const next = new Map<number, number[]>()
  for (const { when_tag_rid, then_tag_rid } of rules) {
    const following = next.get(when_tag_rid)
    if (following) following.push(then_tag_rid)
    else next.set(when_tag_rid, [then_tag_rid])
  }
  return next
}

function reached(next: Map<number, number[]>, tag: number): Set<number> {
  const found = new Set([tag])
  // Iterating over a set includes what is added meanwhile.
  for (const rid of found) for (const following of next.get(rid) ?? []) found.add(following)
  return found
}
