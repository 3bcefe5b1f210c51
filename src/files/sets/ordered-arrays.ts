import { hasFile, setOf } from '../file-set.ts'
import type { OrderedRow } from './ordered-queries.ts'
import { ratioOf } from './ratio.ts'

/**
 * All files, in the trash or not, in ascending order by a time; arrays that never change, one item for each.
 */
export interface Ordered {
  rids: Uint32Array
  /** The local month, counted from January of the year 0. */
  months: Uint32Array
  /** The aspect ratio × 100; 0 when it is unknown. */
  ratios: Uint16Array
}

/** So many files are found one by one among a million quicker than in one pass over all of them. */
const FEW = 16

/** Returns the files after some of them changed, came or went; `rows` are what is there now. */
export function withChanges(old: Ordered, changed: number[], rows: OrderedRow[]): Ordered {
  // Most changes are of who may see a file, or of what is not in this order.
  if (changed.length <= FEW && isSame(old, changed, withRows(rows), rows)) return old
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
function isSame(old: Ordered, changed: number[], now: Ordered, rows: OrderedRow[]): boolean {
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

/** Returns the files of rows that stand in an order. */
export function withRows(rows: OrderedRow[]): Ordered {
  const monthOf = monthReader()
  return {
    rids: Uint32Array.from(rows, (row) => row.rid),
    months: Uint32Array.from(rows, (row) => monthOf(row.time)),
    ratios: Uint16Array.from(rows, ({ width, height }) => ratioOf(width, height)),
  }
}

/** Returns the files from one place to before another one; they share their memory. */
export function part({ rids, months, ratios }: Ordered, from: number, to: number): Ordered {
  return {
    rids: rids.subarray(from, to),
    months: months.subarray(from, to),
    ratios: ratios.subarray(from, to),
  }
}

function joined(parts: Ordered[]): Ordered {
  const join = <Column extends Uint32Array | Uint16Array>(columns: Column[], all: Column) => {
    let at = 0
    for (const column of columns) {
      all.set(column, at)
      at += column.length
    }
    return all
  }
  const lengthOf = (columns: { length: number }[]) =>
    columns.reduce((sum, column) => sum + column.length, 0)
  const [rids, months, ratios] = [
    parts.map((one) => one.rids),
    parts.map((one) => one.months),
    parts.map((one) => one.ratios),
  ]
  return {
    rids: join(rids, new Uint32Array(lengthOf(rids))),
    months: join(months, new Uint32Array(lengthOf(months))),
    ratios: join(ratios, new Uint16Array(lengthOf(ratios))),
  }
}

/** Returns the same with room for at least `length` files. */
export function grown(ordered: Ordered, length: number): Ordered {
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
export function monthReader(): (time: number) => number {
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
