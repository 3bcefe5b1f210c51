import { accessCondition, type Rows } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import { columnNames } from '../../db/columns.ts'
import {
  cameras,
  favourites,
  fileCameras,
  fileDetails,
  fileLooks,
  fileNotes,
  filePositions,
  files,
  timelineTime,
} from '../../db/schema/files.ts'
import { poolFiles, pools } from '../../db/schema/pools.ts'
import { and, type Sql } from '../../db/sql.ts'
import { fold } from '../../db/text.ts'
import type { Fact } from './facts.ts'

/** What a filter asks of a file beside its tags and its type, with pools as row numbers; null: any that is seen. */
export type Trait =
  | { of: 'review' | 'favourite' }
  | { of: 'pool'; pool: number | null }
  | Exclude<Fact, { of: 'category' | 'pool' | 'raw' }>

/** How a trait is found. */
interface Ways<Asked> {
  /** The condition that the file in the row `f` of files has it; NULL where that is unknown. */
  sql(trait: Asked, viewer: User): Sql
  /** Rows of an index that name the files that have it; without them, all files are looked at. */
  rows?(trait: Asked, viewer: User): Rows
  /** Whether `rows` passes a whole table, which is left to a reader. */
  isScanned?: boolean
  /** A guess of the share of files that have it. */
  share: number
  /** What a file costs to check, in conditions on a tag. */
  weight: number
  /** Whether `sql` reads more of a file than the index of a sort has. */
  readsRow: boolean
}

const f = columnNames(files, 'f')
const h = columnNames(favourites, 'h')
const p = columnNames(poolFiles, 'p')
const o = columnNames(pools, 'o')
const d = columnNames(fileDetails, 'd')
const l = columnNames(fileLooks, 'l')
const n = columnNames(fileNotes, 'n')
const q = columnNames(filePositions, 'q')
const m = columnNames(cameras, 'm')
const c = columnNames(fileCameras, 'c')

const DAY = 86_400_000
/** The time at which the last moment of what is known of a date ends, and the same by its own clock. */
const END = timelineTime(f)
const LOCAL_END = `${END} + ifnull(${f.content_offset}, 0) * 60000`
/** From the year 0 to 1970: added before a division, which would round the times before 1970 up. */
const YEAR_0 = 719_528 * DAY
const LOCAL_SECONDS = `((${LOCAL_END} + ${YEAR_0}) / 1000 - ${YEAR_0 / 1000})`
/** The years of which each has a part of the index to itself where the same days of all years are asked for. */
const YEARS = Array.from({ length: 300 }, (_, n) => 1801 + n)

const plain = (sql: string): Sql => ({ sql, params: [] })

const DETAILS = { table: 'file_details', alias: 'd', file: d.file_rid }
const LOOKS = { table: 'file_looks', alias: 'l', file: l.file_rid }

/** Each trait: how it is asked of a file, by which index it is found, and how many files may have it. */
const TRAITS: { [Of in Trait['of']]: Ways<Trait & { of: Of }> } = {
  review: {
    sql: () => plain(`${f.needs_review} = 1`),
    rows: () => indexed('files_needs_review', plain(`${f.needs_review} = 1`)),
    share: 0.5,
    weight: 0.2,
    readsRow: true,
  },
  favourite: {
    sql: (_, { id }) => ({
      sql: `EXISTS (SELECT 1 FROM favourites h WHERE ${h.user_id} = ? AND ${h.file_rid} = ${f.rid})`,
      params: [id],
    }),
    rows: (_, { id }) => ({
      from: plain('favourites h'),
      where: { sql: `${h.user_id} = ?`, params: [id] },
      column: h.file_rid,
      isOrdered: true,
    }),
    share: 0.05,
    weight: 1,
    readsRow: false,
  },
  pool: {
    sql: ({ pool }, viewer) => {
      const { from, where } = pooled(pool, viewer)
      const { sql, params } = and([where, plain(`${p.file_rid} = ${f.rid}`)])
      return { sql: `EXISTS (SELECT 1 FROM ${from.sql} WHERE ${sql})`, params }
    },
    rows: ({ pool }, viewer) => pooled(pool, viewer),
    share: 0.1,
    weight: 1,
    readsRow: false,
  },
  creator: {
    sql: ({ id }) => ({ sql: `${f.creator_id} = ?`, params: [id] }),
    rows: ({ id }) => indexed('files_creator', { sql: `${f.creator_id} = ?`, params: [id] }),
    share: 0.3,
    weight: 0.2,
    readsRow: false,
  },
  source: {
    sql: ({ source }) => ({ sql: `${f.date_source} = ?`, params: [source] }),
    rows: ({ source }) =>
      indexed('files_date_source', { sql: `${f.date_source} = ?`, params: [source] }),
    share: 0.3,
    weight: 0.2,
    readsRow: true,
  },
  days: {
    sql: between,
    rows: ({ from, to }) => {
      // A clock is at most a day away from the index, which is in UTC.
      const ends = [
        ...(from === null ? [] : [{ sql: `${END} >= ?`, params: [from - DAY] }]),
        ...(to === null ? [] : [{ sql: `${END} < ?`, params: [to + DAY] }]),
      ]
      const isListed = plain(`${f.is_deleted} IN (0, 1)`)
      return {
        ...indexed('files_timeline', and([isListed, ...ends, between({ from, to })])),
        isOrdered: false,
      }
    },
    share: 0.2,
    weight: 2,
    readsRow: true,
  },
  yearly: {
    sql: onDay,
    rows: (trait) => {
      const from = {
        sql: 'json_each(?) j CROSS JOIN files f INDEXED BY files_timeline',
        params: [spansOf(trait)],
      }
      const where = and([
        plain(`${f.is_deleted} IN (0, 1) AND ${END} >= j.value ->> 0 AND ${END} < j.value ->> 1`),
        onDay(trait),
      ])
      return { from, where, column: f.rid, isOrdered: false }
    },
    share: 0.05,
    weight: 3,
    readsRow: true,
  },
  place: {
    ...placed(() => plain('1')),
    rows: () => ({
      from: plain('file_positions q NOT INDEXED'),
      where: plain('1'),
      column: q.file_rid,
      isOrdered: true,
    }),
    share: 0.5,
    weight: 1,
  },
  cell: {
    ...placed(({ cell }) => startingWith(q.geohash, cell)),
    rows: ({ cell }) => ({
      from: plain('file_positions q INDEXED BY file_positions_geohash'),
      where: startingWith(q.geohash, cell),
      column: q.file_rid,
      isOrdered: false,
    }),
    share: 0.1,
    weight: 2,
  },
  town: {
    ...placed(({ town }) => inTown(town)),
    rows: ({ town }) => ({
      from: plain('file_positions q INDEXED BY file_positions_town'),
      where: town.includes('_') ? inTownsLike(town) : inTown(town),
      column: q.file_rid,
      isOrdered: isOneTown(town),
    }),
    share: 0.1,
    weight: 2,
  },
  camera: {
    sql: (trait) => {
      const { sql, params } = and([plain(`${c.file_rid} = ${f.rid}`), byCamera(trait)])
      return { sql: `EXISTS (SELECT 1 FROM file_cameras c WHERE ${sql})`, params }
    },
    rows: (trait) => ({
      from: plain('file_cameras c INDEXED BY file_cameras_camera'),
      where: byCamera(trait),
      column: c.file_rid,
      isOrdered: false,
    }),
    share: 0.2,
    weight: 2,
    readsRow: false,
  },
  bytes: inTable(DETAILS, ({ sign, than }) => [
    'size',
    { sql: `${d.size} ${sign} ?`, params: [than] },
  ]),
  pixels: inTable(LOOKS, ({ sign, than }) => [
    'pixels',
    { sql: `${l.width} * ${l.height} ${sign} ?`, params: [than] },
  ]),
  seconds: inTable(LOOKS, ({ sign, than }) => [
    'duration',
    { sql: `${l.duration} ${sign} ?`, params: [than] },
  ]),
  damaged: inTable(DETAILS, () => ['damaged', plain(`${d.is_damaged} = 1`)], 0.01),
  animated: inTable(LOOKS, () => ['animated', plain(`${l.is_animated} = 1`)], 0.01),
  portrait: inTable(LOOKS, () => ['shape', plain(`sign(${l.width} - ${l.height}) = -1`)]),
  landscape: inTable(LOOKS, () => ['shape', plain(`sign(${l.width} - ${l.height}) = 1`)], 0.6),
  notes: {
    sql: ({ pattern }) => ({
      sql: `EXISTS (SELECT 1 FROM file_notes n WHERE ${n.file_rid} = ${f.rid} AND ${n.folded} LIKE ?)`,
      params: [fold(pattern)],
    }),
    rows: ({ pattern }) => ({
      from: plain('file_notes n'),
      where: { sql: `${n.folded} LIKE ?`, params: [fold(pattern)] },
      column: n.file_rid,
      isOrdered: true,
    }),
    isScanned: true,
    share: 0.01,
    weight: 4,
    readsRow: false,
  },
}

/** Returns how a trait is found. */
export function waysOf(trait: Trait): Omit<Ways<Trait>, 'sql' | 'rows'> & {
  sql(viewer: User): Sql
  rows: ((viewer: User) => Rows) | null
} {
  const { sql, rows, ...known } = TRAITS[trait.of] as Ways<Trait>
  return {
    ...known,
    sql: (viewer) => sql(trait, viewer),
    rows: rows ? (viewer) => rows(trait, viewer) : null,
  }
}

/** Returns rows that name the files that have a trait, by its index or by looking at all files. */
export function filesWith(trait: Trait, viewer: User): Rows {
  const { sql, rows } = waysOf(trait)
  return (
    rows?.(viewer) ?? {
      from: plain('files f'),
      where: sql(viewer),
      column: f.rid,
      isOrdered: true,
    }
  )
}

function indexed(index: string, where: Sql): Rows {
  return { from: plain(`files f INDEXED BY ${index}`), where, column: f.rid, isOrdered: true }
}

function placed<Asked>(where: (trait: Asked) => Sql): Pick<Ways<Asked>, 'sql' | 'readsRow'> {
  const of = plain(`${q.file_rid} = ${f.rid}`)
  return {
    sql: (trait) => {
      const { sql, params } = and([of, where(trait)])
      return { sql: `EXISTS (SELECT 1 FROM file_positions q WHERE ${sql})`, params }
    },
    readsRow: false,
  }
}

function startingWith(column: string, start: string): Sql {
  return { sql: `${column} >= ? AND ${column} < ?`, params: [start, `${start}\u{10ffff}`] }
}

const isTown = (town: string) => /\..*\./.test(town)
const isOneTown = (town: string) => isTown(town) && !town.includes('_')

// A country or a region has all that is below it. What GLOB asks is of these letters, in this case.
function inTown(town: string): Sql {
  if (isOneTown(town)) return { sql: `${q.town} = ?`, params: [town] }
  const { start, pattern } = townsLike(town)
  return and([startingWith(q.town, start), { sql: `${q.town} GLOB ?`, params: [pattern] }])
}

/** The same by the index, of which it passes each town once: a country's files may be a million, and none like this. */
function inTownsLike(town: string): Sql {
  const { start, pattern } = townsLike(town)
  const from = startingWith(q.town, start)
  const first = `SELECT min(${q.town}) FROM file_positions q INDEXED BY file_positions_town WHERE`
  const next = `${first} ${q.town} > passed.town AND ${q.town} < ?`
  return {
    sql: `${q.town} IN (WITH RECURSIVE passed(town) AS (
        ${first} ${from.sql} UNION ALL SELECT (${next}) FROM passed WHERE passed.town IS NOT NULL)
      SELECT passed.town FROM passed WHERE passed.town GLOB ?)`,
    params: [...from.params, from.params[1]!, pattern],
  }
}

function townsLike(town: string): { start: string; pattern: string } {
  const literal = town.split('_', 1)[0]!
  const pattern = `${town.replaceAll('_', '?')}${isTown(town) ? '' : '.*'}`
  return { start: literal === town ? `${town}.` : literal, pattern }
}

function byCamera({ pattern }: { pattern: string }): Sql {
  const list = `SELECT ${m.rid} FROM cameras m WHERE ${m.name} LIKE ?`
  return { sql: `${c.camera_rid} IN (${list})`, params: [pattern] }
}

/**
 * A trait of a row that most files have in a table, by an index of that table and what the row has to be. The index of
 * an amount or a kind is in the order of row numbers only where one value is asked for.
 */
function inTable<Asked>(
  { table, alias, file }: { table: string; alias: string; file: string },
  asked: (trait: Asked) => [index: string, is: Sql],
  share = 0.2,
): Ways<Asked> {
  return {
    sql: (trait) => {
      const [, { sql, params }] = asked(trait)
      return {
        sql: `EXISTS (SELECT 1 FROM ${table} ${alias} WHERE ${file} = ${f.rid} AND ${sql})`,
        params,
      }
    },
    rows: (trait) => {
      const [index, where] = asked(trait)
      const from = plain(`${table} ${alias} INDEXED BY ${table}_${index}`)
      return { from, where, column: file, isOrdered: where.params.length === 0 }
    },
    share,
    weight: 3,
    readsRow: false,
  }
}

function pooled(pool: number | null, viewer: User): Rows {
  if (pool !== null) {
    const where = { sql: `${p.pool_rid} = ?`, params: [pool] }
    return { from: plain('pool_files p'), where, column: p.file_rid, isOrdered: true }
  }
  const seen = accessCondition(viewer, 'pool', 'view', 'o')
  return {
    from: plain(`pools o CROSS JOIN pool_files p ON ${p.pool_rid} = ${o.rid}`),
    where: and([plain(`${o.is_deleted} = 0`), seen]),
    column: p.file_rid,
    isOrdered: false,
    repeats: true,
  }
}

// What is known of a month or a year begins at its first moment, and ends at its last.
function between({ from, to }: { from: number | null; to: number | null }): Sql {
  const begin = `unixepoch(${LOCAL_SECONDS}, 'unixepoch', 'start of ' || ${f.date_precision}) * 1000`
  const isPart = `${f.date_precision} IN ('month', 'year')`
  return and([
    ...(to === null ? [] : [{ sql: `${LOCAL_END} < ?`, params: [to] }]),
    ...(from === null
      ? []
      : [{ sql: `CASE WHEN ${isPart} THEN ${begin} ELSE ${LOCAL_END} END >= ?`, params: [from] }]),
  ])
}

function onDay({ month, day }: { month: number; day: number | null }): Sql {
  const two = (part: number) => String(part).padStart(2, '0')
  const unknown = day === null ? `('year')` : `('month', 'year')`
  const format = day === null ? '%m' : '%m-%d'
  return {
    sql: `(strftime('${format}', ${LOCAL_SECONDS}, 'unixepoch') = ?
      AND ifnull(${f.date_precision}, '') NOT IN ${unknown})`,
    params: [day === null ? two(month) : `${two(month)}-${two(day)}`],
  }
}

/** Returns the parts of the index in which a day or a month of any year lies, as pairs of their ends in JSON. */
function spansOf({ month, day }: { month: number; day: number | null }): string {
  const first = Date.UTC(YEARS[0]!, 0, 1)
  const end = Date.UTC(YEARS.at(-1)! + 1, 0, 1)
  const spans = YEARS.map((year) => {
    const from = Date.UTC(year, month - 1, day ?? 1)
    const to = day === null ? Date.UTC(year, month, 1) : from + DAY
    return [from - DAY, to + DAY]
  })
  const [before, after] = [spans[0]![0]!, spans.at(-1)![1]!]
  return JSON.stringify([
    [-Number.MAX_SAFE_INTEGER, Math.min(first, before)],
    ...spans,
    [Math.max(end, after), Number.MAX_SAFE_INTEGER],
  ])
}
