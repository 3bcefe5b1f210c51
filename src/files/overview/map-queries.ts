import type { Db } from '../../db/client.ts'
import { columnNames, hexToUuid } from '../../db/columns.ts'
import { fileDetails, filePositions, files } from '../../db/schema/files.ts'
import { type FileSet, hasFile } from '../file-set.ts'
import { fileVersion } from '../version.ts'

const f = columnNames(files, 'f')
const d = columnNames(fileDetails, 'd')
const p = columnNames(filePositions, 'p')

/** A cell with files: how many, and the row number of the one that was added last. */
interface MapCell {
  cell: string
  count: number
  last: number
}

/** An area in cells of `length` characters; with `within`, only what is in one of these, in order and disjoint. */
export interface Area {
  length: number
  within: string[] | null
}

/**
 * Returns the cells in which files of a set were taken, in the order of their names, and the length of these names,
 * which is as long as possible for at most `most` cells.
 */
export function cellsOf(
  db: Db,
  members: FileSet,
  { length, within, most }: Area & { most: number },
): { cells: MapCell[]; length: number } {
  // The index alone, in its order, from which whole columns are read as one text each. Letters end before `{`.
  const from = within
    ? `json_each(?) j CROSS JOIN file_positions p INDEXED BY file_positions_geohash
       ON ${p.geohash} >= j.value AND ${p.geohash} < j.value || '{'`
    : `file_positions p INDEXED BY file_positions_geohash ORDER BY ${p.geohash}`
  const row = db.get<{ rids: string; names: string }>(
    `SELECT json_group_array(rid) AS rids, json_group_array(name) AS names
     FROM (SELECT ${p.file_rid} AS rid, substr(${p.geohash}, 1, ${length}) AS name FROM ${from} LIMIT -1)`,
    ...(within ? [JSON.stringify(within)] : []),
  )!
  const rids = JSON.parse(row.rids) as number[]
  const names = JSON.parse(row.names) as string[]
  let found: { cells: MapCell[]; length: number } = { cells: [], length }
  for (let n = 0; n < rids.length; n++) {
    if (!hasFile(members, rids[n]!)) continue
    const name = names[n]!
    const cell = found.length < length ? name.slice(0, found.length) : name
    add(found.cells, cell, 1, rids[n]!)
    while (found.cells.length > most) found = larger(found)
  }
  return found
}

function larger({ cells, length }: { cells: MapCell[]; length: number }) {
  const found: MapCell[] = []
  for (const { cell, count, last } of cells) add(found, cell.slice(0, length - 1), count, last)
  return { cells: found, length: length - 1 }
}

/** Adds the files of a cell that is the last one or comes after it. */
function add(cells: MapCell[], cell: string, count: number, last: number): void {
  const current = cells.at(-1)
  if (current?.cell === cell) {
    current.count += count
    current.last = Math.max(current.last, last)
  } else cells.push({ cell, count, last })
}

type Detail = typeof fileDetails.$inferSelect
type Columns = [
  id: string,
  blob: Detail['blob'],
  derivative_state: Detail['derivative_state'],
  decoder_version: Detail['decoder_version'],
  rotation: Detail['rotation'],
  town: string | null,
]

/** Returns id, version and town of files that have a position, in the order given. */
export function shownOnMap(
  db: Db,
  rids: number[],
): { id: string; version: string; town: string | null }[] {
  const { rows } = db.get<{ rows: string }>(
    `SELECT json_group_array(json_array(hex(${f.id}), ${d.blob}, ${d.derivative_state}, ${d.decoder_version},
       ${d.rotation}, ${p.town})) AS rows
     FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
     CROSS JOIN file_details d ON ${d.file_rid} = ${f.rid}
     CROSS JOIN file_positions p ON ${p.file_rid} = ${f.rid}`,
    JSON.stringify(rids),
  )!
  return (JSON.parse(rows) as Columns[]).map((columns) => {
    const [id, blob, derivative_state, decoder_version, rotation, town] = columns
    const version = fileVersion({ blob, derivative_state, decoder_version, rotation })
    return { id: hexToUuid(id), version, town }
  })
}
