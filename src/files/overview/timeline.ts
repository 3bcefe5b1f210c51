import { seenNow } from '../../auth/seen-now.ts'
import { DAY } from '../../base/time.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { question } from '../../reader/question.ts'
import { foldSet } from '../companions/folding.ts'
import { fileCursor, withRightsOfNow } from '../find/list.ts'
import { membersOf } from '../find/members.ts'
import { placeOf } from '../find/page.ts'
import type { FileList } from '../find/query.ts'
import { type Pools, readPoolList } from './listing.ts'
import type { Timeline, TimelineQuery } from './schema.ts'
import { entriesOf, type Timed, type TimeSort, timesOf, YEAR_0_DAYS } from './timeline-queries.ts'

const BUCKET = 4000
const USUAL_RATIO = 4 / 3

interface Bucket {
  /** Counted from January of the year 0, × 4; and 1 of a month known alone, 2 of a year, in its December. */
  month: number
  part: number
  count: number
  /** The sum of the known aspect ratios × 100, and the number of unknown ones. */
  ratios: number
  unknown: number
}

/**
 * Returns how many files of a list there are in each month of their local time. Throws validation errors for the
 * filter, and not_found or forbidden for the pool.
 */
export async function readTimeline(
  db: Db,
  viewer: User,
  query: TimelineQuery,
  pools: Pools,
): Promise<Timeline> {
  const ask = (now: User) => readPoolList(db, now, query, pools).list
  return withRightsOfNow(db, viewer, ask, (list) =>
    timelineOf(db, { ...list, sort: query.sort === 'created' ? 'created' : 'timeline' }),
  )
}

export const timelineOf = question(
  'overview',
  'timeline',
  (db: Db, asked: FileList & { sort: TimeSort }): Timeline => {
    const list = seenNow(db, asked)
    const members = membersOf(db, list)
    const timed = timesOf(db, list.pairs ? foldSet(db, members) : members, list)
    const buckets = bucketsOf(timed, list)
    // Each bucket begins where those before it end. Times of several zones may alternate around midnight, so that a
    // month's files need not be adjacent; otherwise, a page of as many files as a bucket counts would hold some files
    // twice, and others never.
    let begins = 0
    const firsts = buckets.map(({ count }) => {
      begins += count
      return timed.rids[begins - count]!
    })
    const entries = entriesOf(db, list.sort, firsts)
    return {
      total: timed.rids.length,
      buckets: buckets.map((bucket, n) => ({
        ...presentBucket(bucket),
        cursor: fileCursor(list, placeOf(entries[n]!, 'before')),
      })),
    }
  },
)

const PRECISIONS = [null, 'month', 'year'] as const

function presentBucket({ month, part, count, ratios, unknown }: Bucket) {
  const [index, known] = [Math.floor(month / 4), month % 4]
  const year = String(Math.floor(index / 12)).padStart(4, '0')
  const key = known === 2 ? year : `${year}-${String((index % 12) + 1).padStart(2, '0')}`
  const ratio = Math.round(ratios + unknown * USUAL_RATIO * 100) / 100
  return { key, part, precision: PRECISIONS[known]!, count, ratio }
}

/**
 * By month and part, in the given order. Files that a clock that was set back has put among later ones stay there, as a
 * bucket of their own.
 */
function bucketsOf(
  { rids, days, ratios }: Timed,
  { sort, order }: Pick<FileList, 'order'> & { sort: TimeSort },
): Bucket[] {
  const monthOf = monthReader()
  const buckets: Bucket[] = []
  const last = new Map<number, Bucket>()
  let current: Bucket | undefined
  for (let n = 0; n < rids.length; n++) {
    const month = monthOf(days[n]!)
    if (current?.month !== month || current.count === BUCKET) {
      const found = last.get(month)
      const goesOn = found && found.count < BUCKET && sort !== 'created'
      current = goesOn
        ? found
        : { month, part: (found?.part ?? -1) + 1, count: 0, ratios: 0, unknown: 0 }
      if (!goesOn) buckets.push(current)
      last.set(month, current)
    }
    const ratio = ratios[n]!
    current.count++
    current.ratios += ratio
    if (ratio === 0) current.unknown++
  }
  if (sort === 'created') return buckets
  const sign = order === 'asc' ? 1 : -1
  return buckets.sort((a, b) => sign * (a.month - b.month) || a.part - b.part)
}

// Both are counted from the beginning of the year 0.
function monthReader(): (day: number) => number {
  let [known, month] = [-1, 0]
  return (day) => {
    if (day === known) return month
    known = day
    const date = new Date((Math.floor(day / 4) - YEAR_0_DAYS) * DAY)
    month = (date.getUTCFullYear() * 12 + date.getUTCMonth()) * 4 + (day % 4)
    return month
  }
}
