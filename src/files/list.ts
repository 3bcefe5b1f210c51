import { setImmediate } from 'node:timers/promises'
import { accessCondition } from '../acl/access.ts'
import type { User } from '../context.ts'
import type { Db, SqlValue } from '../db/client.ts'
import { blobToUuid } from '../db/columns.ts'
import {
  type Direction,
  keysetCondition,
  keysetOrder,
  type Place,
  type SortOrder,
} from '../db/keyset.ts'
import { and, type Sql } from '../db/sql.ts'
import { choosePlan, type Fallback, LEAVES_TO_PROBE, type Plan } from './filter/plan.ts'
import { probe, probesRow } from './filter/probe.ts'
import {
  countFiles,
  evaluateSets,
  type FileSet,
  filesOf,
  hasFile,
  loadSets,
} from './filter/sets.ts'
import { countLeaves, type Tree, tagsOf } from './filter/tree.ts'

export type FileSort = 'content_datetime' | 'created' | 'original_name' | 'mime'

/** A list of files: what is in it, and how it is sorted. */
export interface FileList {
  viewer: User
  sort: FileSort
  order: SortOrder
  trash: boolean
  tree: Tree | null
  /** Folded; empty for no search. */
  search: string
}

export interface Entry {
  rid: number
  id: string
  /** Value of the sort column; null where the id alone is the key. */
  key: string | number | null
}

const SORTS = {
  created: { column: null, index: 'files_created' },
  content_datetime: { column: 'content_datetime', index: 'files_content_datetime' },
  original_name: { column: 'name_key', index: 'files_original_name' },
  mime: { column: 'mime_type', index: 'files_mime' },
} as const

/** Up to this many files of a set are looked up and sorted; of more, the sort's index is walked. */
const SORTABLE = 2000
const FIRST_STRIDE = 500
const LONGEST_STRIDE = 20_000

/** A way through a list: up to `limit` files from `place` on, or from the end it starts at. */
export interface Walk {
  list: FileList
  place: Place | null
  direction: Direction
  limit: number
}

/** Returns the files of a walk, nearest first. */
export async function walkFiles(db: Db, request: Walk): Promise<Entry[]> {
  const { list, limit } = request
  const plan = planOf(db, list, limit)
  if (plan.way === 'empty') return []
  const query = describe(request)
  if (plan.way === 'drive') return drive(db, query, tagSource(plan.tag), limit)
  if (plan.way !== 'walk') return fall(db, request, query, plan)
  if (plan.rows === null || !plan.fallback) return walk(db, query, limit)
  const found = walkSome(db, query, plan.rows, limit)
  return found.length === limit ? found : fall(db, request, query, plan.fallback)
}

function planOf(db: Db, list: FileList, limit: number): Plan {
  const counts = list.tree ? countsOf(db, list.tree) : new Map<number, number>()
  return choosePlan({
    tree: list.tree,
    count: (tag) => counts.get(tag) ?? 0,
    total:
      db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'files'")?.seq ?? 0,
    // The full-text index knows names by runs of three code points.
    searches: list.search === '' ? 'no' : [...list.search].length >= 3 ? 'indexed' : 'unindexed',
    limit,
  })
}

function countsOf(db: Db, tree: Tree): Map<number, number> {
  const rows = db.all<{ rid: number; file_count: number }>(
    'SELECT rid, file_count FROM tags WHERE rid IN (SELECT value FROM json_each(?))',
    JSON.stringify(tagsOf(tree)),
  )
  return new Map(rows.map((row) => [row.rid, row.file_count]))
}

/** Returns the entry of a file, if it is in the list. */
export async function findEntry(db: Db, list: FileList, rid: number): Promise<Entry | undefined> {
  const sets = list.tree && countLeaves(list.tree) > LEAVES_TO_PROBE ? list.tree : null
  if (sets) {
    // So many leaves would make a statement too deep to run.
    await loadSets(db, sets)
    if (!hasFile(evaluateSets(db, sets, list.viewer), rid)) return undefined
  }
  const query = describe({
    list: sets ? { ...list, tree: null } : list,
    place: null,
    direction: 'forward',
    limit: 1,
  })
  return drive(db, query, listSource([rid]), 1)[0]
}

/** The parts of a statement that finds entries; `f` is the row of files. */
interface Query {
  index: string
  /** The entry's columns, from the row `f`. */
  columns: string
  /** Trash, visibility and place: what the sort's index covers. */
  covered: Sql
  /** Filter and search. */
  asked: Sql
  /** Whether `asked` reads the row itself. */
  asksRow: boolean
  orderBy: string
}

function describe({ list, place, direction }: Walk): Query {
  const { column, index } = SORTS[list.sort]
  const columns = { column: column && `f.${column}`, id: 'f.id' }
  const covered: Sql[] = [
    { sql: 'f.is_deleted = ?', params: [Number(list.trash)] },
    accessCondition(list.viewer, 'file', 'view', 'f'),
  ]
  if (place) covered.push(keysetCondition(columns, list.order, place, direction))
  const asked: Sql[] = []
  if (list.tree) asked.push(probe(list.tree, list.viewer))
  if (list.search !== '') asked.push({ sql: 'instr(f.name_key, ?) > 0', params: [list.search] })
  return {
    index,
    columns: `f.rid, f.id, ${columns.column ?? 'NULL'} AS key`,
    covered: and(covered),
    asked: and(asked),
    asksRow: list.search !== '' || (list.tree !== null && probesRow(list.tree)),
    orderBy: keysetOrder(columns, list.order, direction),
  }
}

/** Along the index of the sort, to the end if need be. */
function walk(db: Db, query: Query, limit: number): Entry[] {
  return entries(
    db,
    `SELECT ${query.columns} FROM files f INDEXED BY ${query.index} WHERE ${query.covered.sql} AND ${query.asked.sql} ORDER BY ${query.orderBy} LIMIT ?`,
    [...query.covered.params, ...query.asked.params, limit],
  )
}

/** Along the index of the sort, asking no more than `rows` files. */
function walkSome(db: Db, query: Query, rows: number, limit: number): Entry[] {
  // CROSS JOIN keeps the order of the inner walk, so the outer one stops as soon as it is full.
  const row = query.asksRow ? 'CROSS JOIN files f ON f.rid = w.rid' : ''
  const outer = query.asksRow ? 'w' : 'f'
  return entries(
    db,
    `SELECT ${outer}.rid, ${outer}.id, ${outer}.key FROM (SELECT ${query.columns} FROM files f INDEXED BY ${query.index} WHERE ${query.covered.sql} ORDER BY ${query.orderBy} LIMIT ?) ${outer} ${row} WHERE ${query.asked.sql} LIMIT ?`,
    [...query.covered.params, rows, ...query.asked.params, limit],
  )
}

/** From a source of row numbers, the rows `s`, sorting what matches. */
function drive(db: Db, query: Query, source: Sql, limit: number): Entry[] {
  return entries(
    db,
    `SELECT ${query.columns} FROM ${source.sql} CROSS JOIN files f ON f.rid = s.rid WHERE ${query.covered.sql} AND ${query.asked.sql} ORDER BY ${query.orderBy} LIMIT ?`,
    [...source.params, ...query.covered.params, ...query.asked.params, limit],
  )
}

function tagSource(tag: number): Sql {
  return { sql: '(SELECT file_rid AS rid FROM file_tags WHERE tag_rid = ?) s', params: [tag] }
}

function listSource(rids: number[]): Sql {
  return { sql: '(SELECT value AS rid FROM json_each(?)) s', params: [JSON.stringify(rids)] }
}

function searchSource(search: string): Sql {
  return {
    sql: '(SELECT rowid AS rid FROM files_fts WHERE files_fts MATCH ?) s',
    params: [`"${search.replaceAll('"', '""')}"`],
  }
}

async function fall(db: Db, request: Walk, query: Query, plan: Fallback): Promise<Entry[]> {
  const { list, limit } = request
  if (plan.way === 'search') return drive(db, query, searchSource(list.search), limit)
  const tree = list.tree as Tree
  await loadSets(db, tree)
  const files = evaluateSets(db, tree, list.viewer)
  // The set has answered the filter; what remains to ask is the search.
  const remaining = { ...request, list: { ...list, tree: null } }
  return countFiles(files) <= SORTABLE
    ? drive(db, describe(remaining), listSource(filesOf(files)), limit)
    : stride(db, remaining, files)
}

/** Along the index of the sort in ever longer strides, keeping the files of the set. */
async function stride(db: Db, request: Walk, files: FileSet): Promise<Entry[]> {
  const found: Entry[] = []
  const side = request.direction === 'forward' ? 'after' : 'before'
  for (let rest = request, length = FIRST_STRIDE; ; length = Math.min(length * 4, LONGEST_STRIDE)) {
    const passed = walk(db, describe(rest), length)
    for (const entry of passed) {
      if (!hasFile(files, entry.rid)) continue
      found.push(entry)
      if (found.length === request.limit) return found
    }
    const last = passed.at(-1)
    if (!last || passed.length < length) return found
    rest = { ...request, place: { key: last.key, id: last.id, side } }
    await setImmediate()
  }
}

interface RawEntry {
  rid: number
  id: Uint8Array
  key: string | number | null
}

function entry(row: RawEntry): Entry {
  return { rid: row.rid, id: blobToUuid(row.id), key: row.key }
}

function entries(db: Db, sql: string, params: SqlValue[]): Entry[] {
  return db.all<RawEntry>(sql, ...params).map(entry)
}
