import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import { keptMap } from '../../db/kept.ts'
import type { Direction, Place } from '../../db/keyset.ts'
import { read } from '../../db/write.ts'
import type { SortOrder } from '../../enums.ts'
import { type Followed, follow, isCurrent, type Pause, UNREAD } from '../changes/follow.ts'
import { addFile, type FileSet, hasFile } from '../file-set.ts'
import type { Range } from '../find/range.ts'
import { grown, monthReader, type Ordered, part, withChanges, withRows } from './ordered-arrays.ts'
import {
  firstBeyond,
  firstFrom,
  orderedRows,
  orderedStretch,
  sizeStretch,
  type TimeSort,
} from './ordered-queries.ts'
import { ratioOf } from './ratio.ts'

interface State extends Followed {
  ordered: Ordered
}

/** How many files are read before other requests get a turn: about 5 ms. */
const STRETCH = 4000
const statesOf = keptMap<string, State>(
  ({ ordered: { rids, months, ratios } }) =>
    rids.buffer.byteLength + months.buffer.byteLength + ratios.buffer.byteLength,
)

/** Which files are asked for: those of a range of `content_datetime` where that sorts them, else all. */
interface Asked {
  sort: TimeSort
  trash: boolean
  range: Range
}

type Order = Pick<Asked, 'sort' | 'trash'>

/** Which way a list in an order is walked. */
interface Way {
  order: SortOrder
  direction: Direction
}

/** From where a list in an order goes on. */
interface Rest extends Way {
  place: Place
}

/** Returns whether a walk leads from earlier files to later ones. */
export function leadsOn({ order, direction }: Way): boolean {
  return (order === 'asc') === (direction === 'forward')
}

function keyOf({ sort, trash }: Order): string {
  return `${sort} ${trash}`
}

/**
 * Returns the files of a range by `content_datetime`, or all in another order, in the trash or not, and of these
 * the ones that a list goes on with from a place on. All files are kept and follow every change: a
 * million take 10 MB by a time, 4 by name or type. The first call reads them in turns with other requests.
 */
export async function orderedFiles(
  db: Db,
  asked: Asked,
  rest: Rest | null = null,
): Promise<Ordered> {
  const { sort, trash } = asked
  const key = keyOf(asked)
  const states = statesOf(db)
  const state = states.get(key) ?? {
    of: 'file_changes',
    seq: UNREAD,
    reading: null,
    ordered: withRows([]),
  }
  states.set(key, state)
  for (;;) {
    await follow(db, state, {
      readAll: async (pause) => {
        state.ordered = await readOrdered(db, { sort, trash }, pause)
      },
      take: (rids) => {
        const rows = orderedRows(db, { sort, trash }, rids)
        state.ordered = withChanges(state.ordered, rids, rows)
      },
    })
    // It weighs more now.
    states.set(key, state)
    // Another process may have changed files since.
    const bounds = read(db, () => isCurrent(db, state) && boundsOf(db, asked, rest, state.ordered))
    if (bounds) return part(state.ordered, ...bounds)
    // It would never end if what is kept had lost a file.
    if (bounds === null) state.seq = UNREAD
    await setImmediate()
  }
}

async function readOrdered(db: Db, asked: Order, pause: Pause): Promise<Ordered> {
  const ratios = await readRatios(db, pause)
  const monthOf = monthReader()
  let ordered = withRows([])
  let length = 0
  let read: FileSet = new Uint32Array(0)
  for (let after: OrderedPlace | null = null; ; ) {
    const { rids, times, end } = orderedStretch(db, asked, { after, length: STRETCH })
    if (length + rids.length > ordered.rids.length) {
      ordered = grown(ordered, length + rids.length)
    }
    for (const [n, rid] of rids.entries()) {
      // It has moved behind this place meanwhile, and is put there by what follows the reading.
      if (hasFile(read, rid)) continue
      read = addFile(read, rid)
      ordered.rids[length] = rid
      ordered.months[length] = monthOf(times[n]!)
      ordered.ratios[length] = ratios[rid] ?? 0
      length++
    }
    if (!end) return part(ordered, 0, length)
    after = end
    await pause()
  }
}

type OrderedPlace = NonNullable<ReturnType<typeof orderedStretch>['end']>

/** Returns the aspect ratios of all files by their row numbers. */
async function readRatios(db: Db, pause: Pause): Promise<Uint16Array> {
  let ratios = new Uint16Array(0)
  for (let after = 0; ; ) {
    const { rids, widths, heights } = sizeStretch(db, { after, length: STRETCH })
    const last = rids.at(-1)
    if (last === undefined) return ratios
    if (last >= ratios.length) {
      const longer = new Uint16Array(Math.max(last + 1, Math.ceil(ratios.length * 1.5)))
      longer.set(ratios)
      ratios = longer
    }
    for (const [n, rid] of rids.entries()) ratios[rid] = ratioOf(widths[n]!, heights[n]!)
    after = last
    await pause()
  }
}

/**
 * Returns where the files of a range, from a place on, begin and end among all; null when a file there
 * is missing.
 */
function boundsOf(
  db: Db,
  asked: Asked,
  rest: Rest | null,
  { rids }: Ordered,
): [start: number, end: number] | null {
  const { sort, trash, range } = asked
  const indexOf = (first: number | null) => (first === null ? rids.length : rids.indexOf(first))
  const indexFrom = (time: number | null, whole: number) =>
    time === null || sort !== 'content_datetime' ? whole : indexOf(firstFrom(db, { trash }, time))
  let [start, end] = [indexFrom(range.from, 0), indexFrom(range.to, rids.length)]
  const at = rest && indexOf(firstBeyond(db, { ...asked, ...rest }, rest.place))
  if (start < 0 || end < 0 || (at !== null && at < 0)) return null
  if (rest && at !== null && leadsOn(rest)) start = Math.max(start, at)
  else if (at !== null) end = Math.min(end, at)
  return [start, Math.max(start, end)]
}
