import type { SortOrder } from '../../base/enums.ts'
import { DAY } from '../../base/time.ts'
import type { Db } from '../../db/client.ts'
import { columnNames, uuidGroup } from '../../db/columns.ts'
import { fileLooks, files, timelineTime } from '../../db/schema/files.ts'
import { countFiles, type FileSet, filesOf, hasFile } from '../file-set.ts'
import { highestFile } from '../find/sources.ts'
import { type Entry, readEntries } from '../find/statement.ts'

/** The sorts by a time. */
export type TimeSort = 'created' | 'timeline'

const f = columnNames(files, 'f')
const l = columnNames(fileLooks, 'l')

/** The days from the beginning of the year 0 to 1970. */
export const YEAR_0_DAYS = 719_528

/** The time of the row `f` of files by its local clock, in milliseconds. */
export const LOCAL_TIME = `${f.content_datetime} + ifnull(${f.content_offset}, 0) * 60000`

const TIME = timelineTime(f)

/** The time at which the row `f` of files stands in the timeline by its local clock, in milliseconds. */
export const TIMELINE_TIME = `${TIME} + ifnull(${f.content_offset}, 0) * 60000`

const SORTS: Record<TimeSort, { index: string; sorted: string[]; day: string }> = {
  created: {
    index: 'files_created',
    sorted: [f.rid],
    // Creation has no zone. SQLite reads no number from bytes, so the 48 bits of milliseconds go out as hex digits.
    day: `hex(substr(${f.id}, 1, 6))`,
  },
  timeline: {
    index: 'files_timeline',
    sorted: [TIME, f.id],
    // Counted from the year 0, so that the division never rounds up. What is known is in the two bits below.
    day:
      `(${TIMELINE_TIME} + ${YEAR_0_DAYS * DAY}) / ${DAY} * 4 + ` +
      `CASE ${f.date_precision} WHEN 'month' THEN 1 WHEN 'year' THEN 2 ELSE 0 END`,
  },
}

/** How many files can be passed along the index in the time of looking one up. */
const PASSED_FOR_ONE = 4

/** The aspect ratio × 100 of the row `l` of looks, from 1 to 65,535; 0 when it is unknown. */
export const RATIO = `ifnull(min(65535, max(1, CAST(round(100.0 * ${l.width} / ${l.height}) AS INTEGER))), 0)`

/** Files in their order, as columns: the nth value of each is of the same file. */
export interface Timed {
  rids: Numbers
  /** Their local days, counted from the beginning of the year 0, × 4; and 1 of a month known alone, 2 of a year. */
  days: Numbers
  /** Their aspect ratios × 100; 0 when unknown. */
  ratios: Numbers
}

type Numbers = number[] | Uint32Array

interface Asked {
  sort: TimeSort
  order: SortOrder
  trash: boolean
}

/** Returns the files of a set, all of them in the trash or none, in their order by a time. */
export function timesOf(db: Db, members: FileSet, asked: Asked): Timed {
  return countFiles(members) * PASSED_FOR_ONE < highestFile(db)
    ? timesOfFew(db, members, asked)
    : timesOfMany(db, members, asked)
}

function timesOfFew(db: Db, members: FileSet, { sort, order }: Asked): Timed {
  const { day, sorted } = SORTS[sort]
  return parse(
    db.get<Texts>(
      `SELECT json_group_array(rid) AS rids, json_group_array(day) AS days, json_group_array(ratio) AS ratios
       FROM (SELECT ${f.rid}, ${day} AS day, ${RATIO} AS ratio
             FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
             LEFT JOIN file_looks l ON ${l.file_rid} = ${f.rid} ORDER BY ${by(sorted, order)} LIMIT -1)`,
      JSON.stringify(filesOf(members)),
    )!,
  )
}

function timesOfMany(db: Db, members: FileSet, { sort, order, trash }: Asked): Timed {
  const { index, day, sorted } = SORTS[sort]
  const all = parse(
    db.get<Texts>(
      `SELECT json_group_array(rid) AS rids, json_group_array(day) AS days, '[]' AS ratios
       FROM (SELECT ${f.rid}, ${day} AS day FROM files f INDEXED BY ${index}
             WHERE ${f.is_deleted} = ? ORDER BY ${by(sorted, order)} LIMIT -1)`,
      Number(trash),
    )!,
  )
  const ratioOf = allRatios(db)
  const count = countFiles(members)
  const [rids, days, ratios] = [0, 1, 2].map(() => new Uint32Array(count)) as Triple
  let found = 0
  for (let n = 0; n < all.rids.length; n++) {
    const rid = all.rids[n]!
    if (!hasFile(members, rid)) continue
    rids[found] = rid
    days[found] = all.days[n]!
    ratios[found++] = ratioOf[rid] ?? 0
  }
  return { rids, days, ratios }
}

type Triple = [Uint32Array, Uint32Array, Uint32Array]

function by(columns: string[], order: SortOrder): string {
  return columns.map((column) => `${column} ${order}`).join(', ')
}

type Texts = Record<keyof Timed, string>

function parse({ rids, days, ratios }: Texts) {
  const counts = JSON.parse(days) as (number | string)[]
  return {
    rids: JSON.parse(rids) as number[],
    days:
      typeof counts[0] === 'string'
        ? counts.map(
            (time) => (Math.floor(Number.parseInt(time as string, 16) / DAY) + YEAR_0_DAYS) * 4,
          )
        : (counts as number[]),
    ratios: JSON.parse(ratios) as number[],
  }
}

function allRatios(db: Db): Uint16Array {
  const row = db.get<{ rids: string; ratios: string }>(
    `SELECT json_group_array(${l.file_rid}) AS rids, json_group_array(${RATIO}) AS ratios FROM file_looks l`,
  )!
  const rids = JSON.parse(row.rids) as number[]
  const ratios = JSON.parse(row.ratios) as number[]
  const byRid = new Uint16Array((rids.at(-1) ?? 0) + 1)
  for (const [n, rid] of rids.entries()) byRid[rid] = ratios[n]!
  return byRid
}

/** Returns those of the files that exist as entries of a list. */
export function entriesOf(db: Db, sort: TimeSort, rids: number[]): Entry[] {
  const row = db.get<{ rids: string; ids: string; keys: string }>(
    `SELECT json_group_array(${f.rid}) AS rids, ${uuidGroup(f.id)} AS ids,
     json_group_array(${SORTS[sort].sorted[0]}) AS keys
     FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value`,
    JSON.stringify(rids),
  )!
  return readEntries(row)
}
