import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import type { Direction, Place } from '../../db/keyset.ts'
import { perConnection } from '../../db/per-connection.ts'
import { read } from '../../db/write.ts'
import type { SortOrder } from '../../enums.ts'
import {
  type Followed,
  follow,
  isAtHand,
  isCurrent,
  type Pause,
  UNREAD,
} from '../changes/follow.ts'
import { hasFile, setOf } from '../file-set.ts'
import type { Range } from '../filter/range.ts'
import {
  firstBeyond,
  firstFrom,
  type OrderedRow,
  orderedRows,
  orderedStretch,
  sizeStretch,
  type TimeSort,
} from './ordered-queries.ts'
import { ratioOf } from './ratio.ts'

/** All files, in the trash or not, the earliest first; arrays that never change, one item for each. */
export interface Ordered {
  rids: Uint32Array
  /** The local month, counted from January of the year 0. */
  months: Uint32Array
  /** The aspect ratio × 100; 0 when it is unknown. */
  ratios: Uint16Array
}

interface State extends Followed {
  ordered: Ordered
}

/** How many files are read before other requests get a turn: about 5 ms. */
const STRETCH = 4000
/** So many files are found one by one among a million quicker than in one pass over all of them. */
const FEW = 16

const statesOf = perConnection(() => new Map<string, State>())

/** Which files are asked for: those of a range of the time by which they are sorted. */
interface Asked {
  sort: TimeSort
  trash: boolean
  range: Range
}

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

/** Returns whether the files are kept already, so that nobody waits for them. */
export function areOrderedAtHand(db: Db, { sort, trash }: Pick<Asked, 'sort' | 'trash'>): boolean {
  const state = statesOf(db).get(keyOf({ sort, trash }))
  return state !== undefined && isAtHand(db, state)
}

function keyOf({ sort, trash }: Pick<Asked, 'sort' | 'trash'>): string {
  return `${sort} ${trash}`
}

/**
 * Returns the files of a range by their time, in the trash or not, and of these the ones that a list
 * goes on with from a place on. All files are kept and follow every change: a million take 10 MB. The
 * first call reads them in turns with other requests.
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
        state.ordered = withChanges(state.ordered, rids, orderedRows(db, { sort, trash }, rids))
      },
    })
    // Another process may have changed files since.
    const bounds = read(db, () => isCurrent(db, state) && boundsOf(db, asked, rest, state.ordered))
    if (bounds) return part(state.ordered, ...bounds)
    // It would never end if what is kept had lost a file.
    if (bounds === null) state.seq = UNREAD
    await setImmediate()
  }
}

async function readOrdered(
  db: Db,
  asked: { sort: TimeSort; trash: boolean },
  pause: Pause,
): Promise<Ordered> {
  const ratios = await readRatios(db, pause)
  const monthOf = monthReader()
  let ordered = withRows([])
  let length = 0
  for (let after: OrderedPlace | null = null; ; ) {
    const { rids, times, end } = orderedStretch(db, asked, { after, length: STRETCH })
    if (length + rids.length > ordered.rids.length) ordered = grown(ordered, length + rids.length)
    for (const [n, rid] of rids.entries()) {
      ordered.rids[length] = rid
      ordered.months[length] = monthOf(times[n]!)
      ordered.ratios[length++] = ratios[rid] ?? 0
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

/** Returns the files as they are after some of them changed, came or went; `rows` are what is there now. */
function withChanges(old: Ordered, changed: number[], rows: OrderedRow[]): Ordered {
  // Most changes are of who may see a file, or of what is not in this order.
  if (changed.length <= FEW && isSame(old, changed, rows)) return old
  const gone = new Set(changed)
  const comes = new Map<number | null, OrderedRow[]>()
  let waiting: OrderedRow[] = []
  for (const row of rows) {
    waiting.push(row)
    if (row.next !== null && gone.has(row.next)) continue
    comes.set(row.next, waiting)
    waiting = []
  }
  const parts: Ordered[] = []
  let start = 0
  for (const at of placesOf(old, [...gone, ...comes.keys()])) {
    const rid = old.rids[at]!
    parts.push(part(old, start, at), withRows(comes.get(rid) ?? []))
    start = gone.has(rid) ? at + 1 : at
  }
  parts.push(part(old, start, old.rids.length), withRows(comes.get(null) ?? []))
  return joined(parts)
}

/** Whether files that changed are as they were, and where they were. */
function isSame(old: Ordered, changed: number[], rows: OrderedRow[]): boolean {
  const now = withRows(rows)
  return changed.every((rid) => {
    const [before, after] = [old.rids.indexOf(rid), now.rids.indexOf(rid)]
    if (before < 0 || after < 0) return before === after
    return (
      (old.rids[before + 1] ?? null) === rows[after]!.next &&
      old.months[before] === now.months[after] &&
      old.ratios[before] === now.ratios[after]
    )
  })
}

/** Returns where those of some files that are there stand, ascending. */
function placesOf({ rids }: Ordered, files: (number | null)[]): number[] {
  const asked = files.filter((rid) => rid !== null)
  if (asked.length <= 2 * FEW) {
    const places = new Set(asked.map((rid) => rids.indexOf(rid)).filter((at) => at >= 0))
    return [...places].sort((a, b) => a - b)
  }
  const wanted = setOf(asked)
  const places: number[] = []
  for (let at = 0; at < rids.length; at++) if (hasFile(wanted, rids[at]!)) places.push(at)
  return places
}

function withRows(rows: OrderedRow[]): Ordered {
  const monthOf = monthReader()
  return {
    rids: Uint32Array.from(rows, (row) => row.rid),
    months: Uint32Array.from(rows, (row) => monthOf(row.time)),
    ratios: Uint16Array.from(rows, ({ width, height }) => ratioOf(width, height)),
  }
}

function part({ rids, months, ratios }: Ordered, from: number, to: number): Ordered {
  return {
    rids: rids.subarray(from, to),
    months: months.subarray(from, to),
    ratios: ratios.subarray(from, to),
  }
}

function joined(parts: Ordered[]): Ordered {
  const all = grown(
    withRows([]),
    parts.reduce((sum, one) => sum + one.rids.length, 0),
  )
  let at = 0
  for (const one of parts) {
    all.rids.set(one.rids, at)
    all.months.set(one.months, at)
    all.ratios.set(one.ratios, at)
    at += one.rids.length
  }
  return all
}

/** Returns the same with room for at least `length` files. */
function grown(ordered: Ordered, length: number): Ordered {
  const room = Math.max(length, Math.ceil(ordered.rids.length * 1.5))
  const longer = {
    rids: new Uint32Array(room),
    months: new Uint32Array(room),
    ratios: new Uint16Array(room),
  }
  longer.rids.set(ordered.rids)
  longer.months.set(ordered.months)
  longer.ratios.set(ordered.ratios)
  return longer
}

/**
 * Returns a function that returns the month of a time in milliseconds, by UTC, counted from January of
 * the year 0; it is quick for times that stand in their order.
 */
function monthReader(): (time: number) => number {
  let month = 0
  let [start, end] = [0, 0]
  return (time) => {
    if (time >= start && time < end) return month
    const date = new Date(time)
    const [year, inYear] = [date.getUTCFullYear(), date.getUTCMonth()]
    month = year * 12 + inYear
    date.setUTCDate(1)
    start = date.setUTCHours(0, 0, 0, 0)
    end = date.setUTCMonth(inYear + 1)
    return month
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
  const { range } = asked
  const indexOf = (first: number | null) => (first === null ? rids.length : rids.indexOf(first))
  const indexFrom = (time: number | null, whole: number) =>
    time === null ? whole : indexOf(firstFrom(db, asked, time))
  let [start, end] = [indexFrom(range.from, 0), indexFrom(range.to, rids.length)]
  const at = rest && indexOf(firstBeyond(db, { ...asked, ...rest }, rest.place))
  if (start < 0 || end < 0 || (at !== null && at < 0)) return null
  if (rest && at !== null && leadsOn(rest)) start = Math.max(start, at)
  else if (at !== null) end = Math.min(end, at)
  return [start, Math.max(start, end)]
}
