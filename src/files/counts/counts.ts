import pLimit from 'p-limit'
import type { Db } from '../../db/client.ts'
import { keptMap } from '../../db/kept.ts'
import { perConnection } from '../../db/per-connection.ts'
import { createPause } from '../../pause.ts'
import { viewTags } from '../../tags/cache.ts'
import { type Clock, isoTime } from '../../time.ts'
import type { User } from '../../user.ts'
import { countAmong } from '../file-set.ts'
import { readAsked } from '../find/list.ts'
import { type Members, membersOf } from '../sets/members.ts'
import { keepOnly, keptCarriers, readCarriers } from './carriers.ts'
import { tagsOnFiles } from './counts-queries.ts'
import type { TagCounts, TagCountsQuery } from './schema.ts'

/** What was counted, and when it began, in milliseconds since 1970-01-01 UTC. */
interface Result {
  at: number
  /** The row number of each tag, followed by its count. */
  pairs: Uint32Array
}

/** How old a count may be, in milliseconds. */
const MOST_AGE = 30_000

const resultsOf = keptMap<string, Result>(({ pairs }) => pairs.byteLength)

const stateOf = perConnection(() => ({
  underWay: new Map<string, Promise<Result>>(),
  // What one count has read of the tags, the next one has in memory.
  turn: pLimit(1),
}))

/**
 * Returns on how many of the files that match, and that the viewer sees, each tag is that the viewer
 * may view, as it was at most 30 s ago. Throws a validation error for the filter.
 */
export async function countTagsOfFiles(
  db: Db,
  clock: Clock,
  viewer: User,
  query: TagCountsQuery,
): Promise<TagCounts> {
  const counted: Members = {
    viewer,
    ...readAsked(db, viewer, query),
    pool: null,
    sort: 'created',
  }
  const { at, pairs } = await recentResult(db, clock, counted)
  const view = viewTags(db, viewer)
  const counts: Record<string, number> = {}
  for (let i = 0; i < pairs.length; i += 2) {
    const tag = view.byRid(pairs[i]!)
    if (tag) counts[tag.id] = pairs[i + 1]!
  }
  return { counts, as_of: isoTime(at) }
}

/**
 * Reads the files of all tags, so that the next count has them in memory; one that is asked for
 * meanwhile waits for it. Leaves off after the tag that is being read when the signal is aborted.
 */
export async function readTags(db: Db, signal: AbortSignal): Promise<void> {
  await stateOf(db).turn(async () => {
    const pause = createPause()
    for (const tag of tagsOnFiles(db)) {
      if (signal.aborted) return
      if (!keptCarriers(db, tag)) await readCarriers(db, tag, pause)
      await pause()
    }
  })
}

/** Returns a result that is not too old: the one that is kept or under way, else a new one. */
async function recentResult(db: Db, clock: Clock, counted: Members): Promise<Result> {
  const { underWay, turn } = stateOf(db)
  const results = resultsOf(db)
  const { viewer, tree, search, trash } = counted
  const key = JSON.stringify([viewer.id, viewer.is_admin, tree, search, trash])
  const kept = results.get(key)
  if (kept && Math.abs(clock() - kept.at) <= MOST_AGE) return kept
  const running =
    underWay.get(key) ?? turn(() => count(db, clock(), counted)).finally(() => underWay.delete(key))
  underWay.set(key, running)
  const result = await running
  results.set(key, result)
  return result
}

async function count(db: Db, at: number, counted: Members): Promise<Result> {
  const seen = await membersOf(db, counted)
  const view = viewTags(db, counted.viewer)
  const tags = tagsOnFiles(db)
  keepOnly(db, tags)
  const pause = createPause()
  const pairs: number[] = []
  for (const tag of tags) {
    if (!view.byRid(tag.rid)) continue
    const carriers = keptCarriers(db, tag) ?? (await readCarriers(db, tag, pause))
    const files = countAmong(carriers, seen)
    if (files > 0) pairs.push(tag.rid, files)
    await pause()
  }
  return { at, pairs: Uint32Array.from(pairs) }
}
