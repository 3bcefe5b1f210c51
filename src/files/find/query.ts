import { accessCondition } from '../../acl/access.ts'
import type { SortOrder } from '../../base/enums.ts'
import { DAY } from '../../base/time.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { type Direction, keysetCondition, keysetOrder, type Place } from '../../db/keyset.ts'
import { files, timelineTime } from '../../db/schema/files.ts'
import { poolFiles } from '../../db/schema/pools.ts'
import { and, type Sql } from '../../db/sql.ts'
import { createdBetween, spanOfCreated } from '../created-queries.ts'
import type { FileSort } from '../schema.ts'
import { probe, probesRow } from './probe.ts'
import {
  ALL_TIMES,
  betweenTimes,
  type Columns,
  commonRange,
  endsOfSpan,
  endsOfTypes,
  isBounded,
  type Range,
  withinEnds,
  withinRange,
} from './range.ts'
import { daysOf, type Tree, typesOf } from './tree.ts'

/** A list of files: which files it holds, and how it is sorted. */
export interface FileList {
  viewer: User
  /** `manual` is the order of its pool; `timeline` that of dates, with those known in part at their end. */
  sort: FileSort | 'manual' | 'timeline'
  order: SortOrder
  trash: boolean
  tree: Tree | null
  /** The folded text to search for; empty for no search. */
  search: string
  /** The instants between which the files are, by the time of the sort. */
  range: Range
  /** The row number of the pool that holds the files; null for all files. */
  pool: number | null
  /** Whether a film is left out where the list holds its picture; false, or absent, also where there are no pairs. */
  pairs?: boolean
}

/** A walk through a list: up to `limit` files from `place` on, or from the end where it starts. */
export interface Walk {
  list: FileList
  place: Place | null
  direction: Direction
  limit: number
}

const f = columnNames(files, 'f')
const p = columnNames(poolFiles, 'p')
const s = columnNames(poolFiles, 's')

const SORTS = {
  created: { column: f.rid, id: null, index: 'files_created' },
  content_datetime: { column: f.content_datetime, id: f.id, index: 'files_content_datetime' },
  timeline: { column: timelineTime(f), id: f.id, index: 'files_timeline', isComputed: true },
  original_name: { column: f.name_key, id: f.id, index: 'files_original_name' },
  mime: { column: f.mime_type, id: f.id, index: 'files_mime' },
  // Only from rows that `filesArranged` or `arrangedAmong` returns: no index of files has this order.
  manual: { column: s.order_key, id: null, index: '' },
} as const

/** The parts of a statement that finds entries; `f` is the row of the file. */
export interface Query {
  index: string
  /** The entry's columns, from the row `f`. */
  columns: string
  /** Trash, place, range and types: which part of the sort's index to walk. */
  listed: Sql
  /** Place and range in the order of creation, of row numbers in this column. */
  within: (column: string) => Sql
  /** The viewer's right to view the file in a row, for which the sort's index is enough. */
  visible: (alias: string) => Sql
  /** Filter, search, pool, and a range, unless it is exactly that of the sort's index. */
  asked: Sql
  /** Whether `asked` reads the row itself, not only indexes. */
  asksRow: boolean
  orderBy: string
  isAscending: boolean
}

/** Returns whether the range of a list is a part of the sort's index. */
export function rangeIsIndexed({ sort }: Pick<FileList, 'sort'>): boolean {
  return sort === 'created' || sort === 'content_datetime' || sort === 'timeline'
}

function asksTime({ sort, range }: Pick<FileList, 'sort' | 'range'>): boolean {
  return isBounded(range) && (sort === 'timeline' || !rangeIsIndexed({ sort }))
}

/** Returns whether a list needs more of a file than the indexes hold. */
export function asksRow(list: FileList): boolean {
  return list.search !== '' || asksTime(list) || (list.tree !== null && probesRow(list.tree))
}

function namedLike(search: string): Sql[] {
  return search === '' ? [] : [{ sql: `instr(${f.name_key}, ?) > 0`, params: [search] }]
}

/** Returns the parts of the statements of a walk. */
export function describe(db: Db, walk: Walk): Query {
  const { list, direction } = walk
  const { index, ...columns } = SORTS[list.sort]
  const { column } = columns
  const asked: Sql[] = []
  if (list.tree) asked.push(probe(list.tree, list.viewer))
  asked.push(...namedLike(list.search))
  if (list.pool !== null && list.sort !== 'manual') asked.push(inPool(list.pool))
  if (asksTime(list)) asked.push(...betweenTimes(f.content_datetime, list.range))
  if (list.sort === 'created') asked.push(...createdBetween(f.id, list.range))
  return {
    index,
    columns: `${f.rid}, ${f.id}, ${column} AS key`,
    listed: and([
      { sql: `${f.is_deleted} = ?`, params: [Number(list.trash)] },
      ...partOf(db, walk, columns),
    ]),
    within: (column) => and(partOf(db, walk, { column, id: null })),
    visible: (alias) => accessCondition(list.viewer, 'file', 'view', alias),
    asked: and(asked),
    asksRow: asksRow(list),
    orderBy: keysetOrder(columns, list.order, direction),
    isAscending: (list.order === 'asc') === (direction === 'forward'),
  }
}

function partOf(db: Db, { list, place, direction }: Walk, columns: Columns): Sql[] {
  const types = list.sort === 'mime' && list.tree ? typesOf(list.tree) : null
  if (types && types.length > 0) {
    const ends = { ...endsOfTypes(types), order: list.order }
    return withinEnds(columns, ends, { place, direction })
  }
  if (list.sort === 'created' && isBounded(list.range)) {
    const { order } = list
    const ends = endsOfSpan(spanOfCreated(db, list.range), order)
    return withinEnds(columns, { ...ends, order }, { place, direction })
  }
  if (list.sort === 'content_datetime' || list.sort === 'timeline') {
    return partOfDates(columns, list, { place, direction })
  }
  return place ? [keysetCondition(columns, list.order, place, direction)] : []
}

/** Returns the conditions for the part of an index of dates that holds the files of a list, and perhaps others. */
function partOfDates(
  columns: Columns,
  { sort, range, order, tree }: FileList,
  part: Pick<Walk, 'place' | 'direction'>,
): Sql[] {
  const { from, to } = tree ? daysOf(tree) : ALL_TIMES
  // A clock is at most a day away from the index, which is in UTC.
  const days = { from: from === null ? null : from - DAY, to: to === null ? null : to + DAY }
  if (sort === 'content_datetime' || range.to === null) {
    return withinRange(columns, { order, range: commonRange(range, days) }, part)
  }
  // A month or a year known alone stands up to a year after its `content_datetime`; the index tells which files
  // are one.
  const late = { from: range.from, to: range.to + 366 * DAY }
  const isEarly = `(${columns.column} < ? OR ${f.date_precision} IN ('month', 'year'))`
  return [
    ...withinRange(columns, { order, range: commonRange(late, days) }, part),
    { sql: isEarly, params: [range.to] },
  ]
}

function inPool(pool: number): Sql {
  return {
    sql: `EXISTS (SELECT 1 FROM pool_files p WHERE ${p.pool_rid} = ? AND ${p.file_rid} = ${f.rid})`,
    params: [pool],
  }
}
