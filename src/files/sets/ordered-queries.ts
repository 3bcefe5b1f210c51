import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { uuidGroup } from '../../db/columns.ts'
import { keysetCondition, type Place } from '../../db/keyset.ts'
import { fileLooks, files } from '../../db/schema/files.ts'
import { and, type Sql } from '../../db/sql.ts'
import { read } from '../../db/write.ts'
import type { SortOrder } from '../../enums.ts'
import { type Columns, withinRange } from '../find/range.ts'
import { type Entry, readEntries } from '../find/statement.ts'

/** The sorts by a time. */
export type TimeSort = 'created' | 'content_datetime'

/** An order by a time, in which all files are kept. */
export interface ByTime {
  sort: TimeSort
  order: SortOrder
}

const f = columnNames(files, 'f')
const n = columnNames(files, 'n')
const l = columnNames(fileLooks, 'l')

/** How the files are found in an order. */
interface Sort {
  index: string
  columns: Columns
  /** The local time of the row `f`. */
  time: string
  /** Whether the row `n` comes after the row `f`, and the order of such rows. */
  later: string
  nextOrder: string
}

/** The time of the row `f` of files by its local clock, in milliseconds. */
export const LOCAL_TIME = `${f.content_datetime} + ifnull(${f.content_offset}, 0) * 60000`

const SORTS: Record<TimeSort, Sort> = {
  created: {
    index: 'files_created',
    columns: { column: f.rid, id: null },
    // What is created has no zone. SQLite reads no number from bytes, so its 48 bits of milliseconds
    // go out as hex digits.
    time: `hex(substr(${f.id}, 1, 6))`,
    later: `${n.rid} > ${f.rid}`,
    nextOrder: n.rid,
  },
  content_datetime: {
    index: 'files_content_datetime',
    columns: { column: f.content_datetime, id: f.id },
    time: LOCAL_TIME,
    later: `(${n.content_datetime}, ${n.id}) > (${f.content_datetime}, ${f.id})`,
    nextOrder: `${n.content_datetime}, ${n.id}`,
  },
}

type Asked = { sort: TimeSort; trash: boolean }

function orderOf(sort: TimeSort): string {
  const { column, id } = SORTS[sort].columns
  return id === null ? column : `${column}, ${id}`
}

/** Reads a time as SORTS gives it. */
const timeOf = (time: number | string) =>
  typeof time === 'string' ? Number.parseInt(time, 16) : time

/** Where a stretch of the files in an order ends. */
interface End {
  key: number | string
  id: Uint8Array
}

interface Stretch {
  rids: number[]
  /** Their local times. */
  times: number[]
  /** Where they end, if there are more. */
  end: End | null
}

/** Returns the next `length` files after a place. */
export function orderedStretch(
  db: Db,
  asked: Asked,
  part: { after: End | null; length: number },
): Stretch {
  // Another process may change the last of them before it is asked for its place.
  return read(db, () => readStretch(db, asked, part))
}

function readStretch(
  db: Db,
  { sort, trash }: Asked,
  { after, length }: { after: End | null; length: number },
): Stretch {
  const { index, time, columns } = SORTS[sort]
  const isAfter: Sql[] = !after
    ? []
    : columns.id === null
      ? [{ sql: `${columns.column} > ?`, params: [after.key] }]
      : [{ sql: `(${columns.column}, ${f.id}) > (?, ?)`, params: [after.key, after.id] }]
  const where = and([{ sql: `${f.is_deleted} = ?`, params: [Number(trash)] }, ...isAfter])
  const row = db.get<{ rids: string; times: string }>(
    `SELECT json_group_array(rid) AS rids, json_group_array(time) AS times
     FROM (SELECT ${f.rid}, ${time} AS time FROM files f INDEXED BY ${index}
           WHERE ${where.sql} ORDER BY ${orderOf(sort)} LIMIT ?)`,
    ...where.params,
    length,
  )!
  const rids = JSON.parse(row.rids) as number[]
  const times = (JSON.parse(row.times) as (number | string)[]).map(timeOf)
  if (rids.length < length) return { rids, times, end: null }
  const end = db.get<End>(
    `SELECT ${columns.column} AS key, ${f.id} FROM files f WHERE ${f.rid} = ?`,
    rids.at(-1)!,
  )!
  return { rids, times, end }
}

/** Returns the sizes of the next `length` files after a row number, as far as they are known. */
export function sizeStretch(
  db: Db,
  { after, length }: { after: number; length: number },
): { rids: number[]; widths: (number | null)[]; heights: (number | null)[] } {
  const row = db.get<{ rids: string; widths: string; heights: string }>(
    `SELECT json_group_array(file_rid) AS rids, json_group_array(width) AS widths,
            json_group_array(height) AS heights
     FROM (SELECT ${l.file_rid}, ${l.width}, ${l.height} FROM file_looks l
           WHERE ${l.file_rid} > ? ORDER BY ${l.file_rid} LIMIT ?)`,
    after,
    length,
  )!
  return {
    rids: JSON.parse(row.rids),
    widths: JSON.parse(row.widths),
    heights: JSON.parse(row.heights),
  }
}

export interface OrderedRow
  extends Pick<typeof files.$inferSelect, 'rid'>,
    Pick<typeof fileLooks.$inferSelect, 'width' | 'height'> {
  /** Its local time in milliseconds. */
  time: number
  /** The file that comes after it; null for the last one. */
  next: number | null
}

/** Returns those of the files that are in the trash, or not, in ascending order. */
export function orderedRows(db: Db, { sort, trash }: Asked, rids: number[]): OrderedRow[] {
  const { index, time, later, nextOrder } = SORTS[sort]
  const next = `SELECT ${n.rid} FROM files n INDEXED BY ${index}
     WHERE ${n.is_deleted} = ? AND ${later} ORDER BY ${nextOrder} LIMIT 1`
  return db
    .all<Omit<OrderedRow, 'time'> & { time: number | string }>(
      `SELECT ${f.rid}, ${time} AS time, ${l.width}, ${l.height}, (${next}) AS next
       FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
       LEFT JOIN file_looks l ON ${l.file_rid} = ${f.rid}
       WHERE ${f.is_deleted} = ? ORDER BY ${orderOf(sort)}`,
      Number(trash),
      JSON.stringify(rids),
      Number(trash),
    )
    .map((row) => ({ ...row, time: timeOf(row.time) }))
}

/** Returns the first file whose `content_datetime` is `time` or later; null when there is none. */
export function firstFrom(db: Db, { trash }: Pick<Asked, 'trash'>, time: number): number | null {
  const asked = { sort: 'content_datetime', trash } as const
  const { columns } = SORTS[asked.sort]
  const range = withinRange(
    columns,
    { range: { from: time, to: null }, order: 'asc' },
    { place: null, direction: 'forward' },
  )
  return firstOf(db, asked, range)
}

/**
 * Returns the first file, in ascending order, that comes after a place of a list or, when the list
 * descends, before it; null when there is none.
 */
export function firstBeyond(
  db: Db,
  asked: Asked & { order: SortOrder },
  place: Place,
): number | null {
  const { columns } = SORTS[asked.sort]
  const direction = asked.order === 'asc' ? 'forward' : 'backward'
  return firstOf(db, asked, [keysetCondition(columns, asked.order, place, direction)])
}

function firstOf(db: Db, { sort, trash }: Asked, conditions: Sql[]): number | null {
  const where = and([{ sql: `${f.is_deleted} = ?`, params: [Number(trash)] }, ...conditions])
  const row = db.get<Pick<OrderedRow, 'rid'>>(
    `SELECT ${f.rid} FROM files f INDEXED BY ${SORTS[sort].index}
     WHERE ${where.sql} ORDER BY ${orderOf(sort)} LIMIT 1`,
    ...where.params,
  )
  return row?.rid ?? null
}

/** Returns the entries of files in a list, as far as they are there. */
export function entriesOf(db: Db, sort: TimeSort, rids: number[]): Entry[] {
  const row = db.get<{ rids: string; ids: string; keys: string }>(
    `SELECT json_group_array(${f.rid}) AS rids, ${uuidGroup(f.id)} AS ids,
     json_group_array(${SORTS[sort].columns.column}) AS keys
     FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value`,
    JSON.stringify(rids),
  )!
  return readEntries(row)
}
