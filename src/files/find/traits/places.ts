import { columnNames } from '../../../db/columns.ts'
import { cameras, fileCameras, filePositions } from '../../../db/schema/files.ts'
import { and, type Sql } from '../../../db/sql.ts'
import type { Fact } from '../facts.ts'
import { f, plain, type Ways } from './ways.ts'

const q = columnNames(filePositions, 'q')
const m = columnNames(cameras, 'm')
const c = columnNames(fileCameras, 'c')

type Kind = 'place' | 'cell' | 'town' | 'camera'

/** How it is found where and by which camera files were taken. */
export const PLACES: { [Of in Kind]: Ways<Fact & { of: Of }> } = {
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
