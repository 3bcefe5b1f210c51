import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { uuidGroup } from '../../db/columns.ts'
import { fileLooks, files } from '../../db/schema/files.ts'
import type { SortOrder } from '../../enums.ts'
import { countFiles, type FileSet, filesOf, hasFile } from '../file-set.ts'
import { highestFile } from '../find/sources.ts'
import { type Entry, readEntries } from '../find/statement.ts'

/** The sorts by a time. */
export type TimeSort = 'created' | 'content_datetime'

const f = columnNames(files, 'f')
const l = columnNames(fileLooks, 'l')

/** The time of the row `f` of files by its local clock, in milliseconds. */
export const LOCAL_TIME = `${f.content_datetime} + ifnull(${f.content_offset}, 0) * 60000`

const SORTS: Record<TimeSort, { index: string; sorted: string[]; time: string }> = {
  created: {
    index: 'files_created',
    sorted: [f.rid],
    // What is created has no zone. SQLite reads no number from bytes, so its 48 bits of milliseconds
    // go out as hex digits.
    time: `hex(substr(${f.id}, 1, 6))`,
  },
  content_datetime: {
    index: 'files_content_datetime',
    sorted: [f.content_datetime, f.id],
    time: LOCAL_TIME,
  },
}

/** To look a file up takes as long as to pass so many along the index. */
const PASSED_FOR_ONE = 4

/** The aspect ratio × 100 of the row `l` of looks, as `ratioOf`; 0 when it is unknown. */
const RATIO = `ifnull(min(65535, max(1, CAST(round(100.0 * ${l.width} / ${l.height}) AS INTEGER))), 0)`

/** Files in their order: the nth of each is of one file. */
export interface Timed {
  rids: number[]
  /** Their local times in milliseconds. */
  times: number[]
  /** Their aspect ratios × 100; 0 when unknown. */
  ratios: number[]
}

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
  const { time, sorted } = SORTS[sort]
  return parse(
    db.get<Texts>(
      `SELECT json_group_array(rid) AS rids, json_group_array(time) AS times, json_group_array(ratio) AS ratios
       FROM (SELECT ${f.rid}, ${time} AS time, ${RATIO} AS ratio
             FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
             LEFT JOIN file_looks l ON ${l.file_rid} = ${f.rid} ORDER BY ${by(sorted, order)} LIMIT -1)`,
      JSON.stringify(filesOf(members)),
    )!,
  )
}

function timesOfMany(db: Db, members: FileSet, { sort, order, trash }: Asked): Timed {
  const { index, time, sorted } = SORTS[sort]
  const all = parse(
    db.get<Texts>(
      `SELECT json_group_array(rid) AS rids, json_group_array(time) AS times, '[]' AS ratios
       FROM (SELECT ${f.rid}, ${time} AS time FROM files f INDEXED BY ${index}
             WHERE ${f.is_deleted} = ? ORDER BY ${by(sorted, order)} LIMIT -1)`,
      Number(trash),
    )!,
  )
  const ratioOf = allRatios(db)
  const timed: Timed = { rids: [], times: [], ratios: [] }
  for (const [n, rid] of all.rids.entries()) {
    if (!hasFile(members, rid)) continue
    timed.rids.push(rid)
    timed.times.push(all.times[n]!)
    timed.ratios.push(ratioOf[rid] ?? 0)
  }
  return timed
}

function by(columns: string[], order: SortOrder): string {
  return columns.map((column) => `${column} ${order}`).join(', ')
}

type Texts = Record<keyof Timed, string>

function parse({ rids, times, ratios }: Texts): Timed {
  const told = JSON.parse(times) as (number | string)[]
  return {
    rids: JSON.parse(rids),
    times: told.map((time) => (typeof time === 'string' ? Number.parseInt(time, 16) : time)),
    ratios: JSON.parse(ratios),
  }
}

/** Returns the aspect ratios of all files by their row numbers. */
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

/** Returns the entries of files in a list, as far as they are there. */
export function entriesOf(db: Db, sort: TimeSort, rids: number[]): Entry[] {
  const row = db.get<{ rids: string; ids: string; keys: string }>(
    `SELECT json_group_array(${f.rid}) AS rids, ${uuidGroup(f.id)} AS ids,
     json_group_array(${SORTS[sort].sorted[0]}) AS keys
     FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value`,
    JSON.stringify(rids),
  )!
  return readEntries(row)
}
