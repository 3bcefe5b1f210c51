import type { Db } from '../../db/client.ts'
import { keptMap } from '../../db/kept.ts'
import { stateOf } from '../../db/state.ts'
import type { User } from '../../user.ts'
import { newestChange } from '../changes/queries.ts'
import { type FileSet, hasFile } from '../file-set.ts'
import { fileCursor } from '../find/list.ts'
import { placeOf } from '../find/page.ts'
import { isBounded } from '../find/range.ts'
import { type Pools, readPoolList } from './listing.ts'
import {
  type Members,
  membersInOrder,
  type Passed,
  PLACES,
  passInTurns,
  placesAt,
} from './members.ts'
import { orderedFiles } from './ordered.ts'
import type { Ordered } from './ordered-arrays.ts'
import { type ByTime, entriesOf } from './ordered-queries.ts'
import type { Timeline, TimelineQuery } from './schema.ts'

/** More files of a month than this are several buckets. */
const BUCKET = 4000
/** The aspect ratio of a file of which none is known. */
const USUAL_RATIO = 4 / 3

/** A timeline that stays as it is as long as the version does. */
interface Kept {
  version: string | number
  timeline: Timeline
}

/** What a bucket takes, with its cursor. */
const BUCKET_BYTES = 300

const timelinesOf = keptMap<string, Kept>(({ timeline }) => timeline.buckets.length * BUCKET_BYTES)

/** Files of a month: how many, and what their rectangles are like. */
interface Bucket {
  month: number
  part: number
  /** The row number of the file at which it begins. */
  first: number
  count: number
  /** The sum of the aspect ratios × 100 that are known, and how many are not. */
  ratios: number
  unknown: number
}

/**
 * Returns how many files of a list there are in each month of their local time. Throws validation errors
 * for the filter, and not_found or forbidden for the pool.
 */
export async function readTimeline(
  db: Db,
  viewer: User,
  query: TimelineQuery,
  pools: Pools,
): Promise<Timeline> {
  const { list: asked } = readPoolList(db, viewer, query, pools)
  const list = { ...asked, sort: query.sort }
  // What all files are like changes with files alone, other lists perhaps with anything.
  const versionNow = () => (isWhole(list) ? newestChange(db, 'file_changes') : stateOf(db))
  const kept = timelinesOf(db)
  const key = JSON.stringify([viewer.is_admin ? 'admins' : viewer.id, query])
  const known = kept.get(key)
  const version = versionNow()
  if (known?.version === version) return known.timeline
  const timeline = await timelineOf(db, list)
  // What changed while it was read may be in it or not.
  if (versionNow() === version) kept.set(key, { version, timeline })
  return timeline
}

/** Whether a list holds all files, in the trash or not, that its viewer sees. */
function isWhole({ tree, search, pool, range }: Members): boolean {
  return tree === null && search === '' && pool === null && !isBounded(range)
}

async function timelineOf(db: Db, list: Members & ByTime): Promise<Timeline> {
  for (;;) {
    const members = await membersInOrder(db, list)
    const buckets = await bucketsOf(await orderedFiles(db, list), members, list)
    const entries = entriesOf(
      db,
      list.sort,
      buckets.map((bucket) => bucket.first),
    )
    // A file that was deleted for good meanwhile is none to begin at.
    if (entries.length < buckets.length) continue
    return {
      total: buckets.reduce((sum, { count }) => sum + count, 0),
      buckets: buckets.map((bucket, n) => ({
        ...presentBucket(bucket),
        cursor: fileCursor(list, placeOf(entries[n]!, 'before')),
      })),
    }
  }
}

function presentBucket({ month, part, count, ratios, unknown }: Bucket) {
  const year = String(Math.floor(month / 12)).padStart(4, '0')
  const key = `${year}-${String((month % 12) + 1).padStart(2, '0')}`
  const ratio = Math.round(ratios + unknown * USUAL_RATIO * 100) / 100
  return { key, part, count, ratio }
}

/**
 * Returns the buckets of those of the files that are in a set, by month and part in the order given. What a clock that
 * was set back has put among later files stays there, as a bucket of its own.
 */
async function bucketsOf(
  ordered: Ordered,
  members: FileSet,
  { sort, order }: ByTime,
): Promise<Bucket[]> {
  const { rids, months, ratios } = ordered
  const buckets: Bucket[] = []
  const last = new Map<number, Bucket>()
  let [latest, takesTurns] = [-1, false]
  const bucketFor = (month: number, first: number): Bucket => {
    const found = last.get(month)
    const isNear = month === latest || sort !== 'created'
    takesTurns ||= found !== undefined && month !== latest
    latest = month
    if (found && isNear && found.count < BUCKET) return found
    const part = found ? found.part + 1 : 0
    const begun = { month, part, first, count: 0, ratios: 0, unknown: 0 }
    last.set(month, begun)
    buckets.push(begun)
    return begun
  }
  /** How many files of the set were passed, after each PLACES. */
  const passed: number[] = []
  await passInTurns({ ordered, members, order }, ({ first, step, length }) => {
    let bucket: Bucket | undefined
    // Numbers by themselves are counted three times as quickly as those of an object.
    let [month, room, count, known, unknown] = [-1, 0, 0, 0, 0]
    let seen = passed.at(-1) ?? 0
    const keep = () => {
      if (!bucket) return
      seen += count
      bucket.count += count
      bucket.ratios += known
      bucket.unknown += unknown
    }
    for (let n = 0, at = first; n < length; n++, at += step) {
      const rid = rids[at]!
      // As `hasFile`: beyond the end of the set, what is shifted is undefined, which counts as 0.
      if (((members[rid >>> 5]! >>> (rid & 31)) & 1) === 0) continue
      if (months[at] !== month || count === room) {
        keep()
        month = months[at]!
        bucket = bucketFor(month, rid)
        room = BUCKET - bucket.count
        count = known = unknown = 0
      }
      const ratio = ratios[at]!
      count++
      known += ratio
      if (ratio === 0) unknown++
    }
    keep()
    passed.push(seen)
    return true
  })
  if (sort === 'created') return buckets
  const sign = order === 'asc' ? 1 : -1
  const met = buckets.slice()
  buckets.sort((a, b) => sign * (a.month - b.month) || a.part - b.part)
  takesTurns ||= buckets.some((bucket, n) => bucket !== met[n])
  if (takesTurns) layEndToEnd(buckets, { ordered, members, order }, passed)
  return buckets
}

/**
 * Lets each bucket begin where those before it end. Times of several zones may take turns about
 * midnight, so that a month's files need not be next to each other; a page of as many files as a
 * bucket counts would else hold some of them twice, and others never.
 */
function layEndToEnd(buckets: Bucket[], files: Passed, passed: number[]): void {
  const { ordered, members, order } = files
  let [begins, block] = [0, 0]
  for (const bucket of buckets) {
    while (passed[block]! <= begins) block++
    const { first, step } = placesAt(block * PLACES, { rids: ordered.rids, order })
    let [at, left] = [first, begins - (passed[block - 1] ?? 0)]
    while (!hasFile(members, ordered.rids[at]!) || left-- > 0) at += step
    bucket.first = ordered.rids[at]!
    begins += bucket.count
  }
}
