import { setImmediate } from 'node:timers/promises'
import { accessCondition } from '../acl/access.ts'
import type { Db, SqlValue } from '../db/client.ts'
import { blobToUuid } from '../db/columns.ts'
import { type Direction, keysetCondition, keysetOrder, type Place } from '../db/keyset.ts'
import { and, type Sql } from '../db/sql.ts'
import type { SortOrder } from '../enums.ts'
import type { User } from '../user.ts'
import { combine, countFiles, type FileSet, filesOf, hasFile } from './filter/bitset.ts'
import { choosePlan, type Fallback, LEAVES_TO_PROBE, type Plan } from './filter/plan.ts'
import { probe, probesRow } from './filter/probe.ts'
import { filesNamed, matchingFiles } from './filter/sets.ts'
import { countLeaves, type Tree, tagsOf } from './filter/tree.ts'
import type { FileSort } from './schema.ts'

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

/** Passing a file on the way along an index costs a fraction of looking one up and sorting it. */
const PASSED_FOR_ONE_SORTED = 4
const FIRST_STRIDE = 500
const LONGEST_STRIDE = 8000

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
  // No name holds a NUL, and the full-text index takes one for the end of what it is asked.
  if (list.search.includes('\0')) return []
  const plan = planOf(db, list, limit)
  if (plan.way === 'empty') return []
  if (plan.way === 'drive') return drive(db, describe(request), tagSource(plan.tag), limit)
  if (plan.way === 'plain') return walk(db, request)
  if (plan.way !== 'walk') return fall(db, request, plan)
  return (await stride(db, request, { rows: plan.rows })) ?? fall(db, request, plan.fallback)
}

function planOf(db: Db, list: FileList, limit: number): Plan {
  const counts = list.tree ? countsOf(db, list.tree) : new Map<number, number>()
  return choosePlan({
    tree: list.tree,
    count: (tag) => counts.get(tag) ?? 0,
    total:
      db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'files'")?.seq ?? 0,
    searches: list.search !== '',
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
    if (!hasFile(await matchingFiles(db, sets, list.viewer), rid)) return undefined
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
  /** Trash and place: where in the sort's index to go. */
  listed: Sql
  /** The viewer's right to the file in a row: what the sort's index covers, too. */
  visible: (alias: string) => Sql
  /** Filter and search. */
  asked: Sql
  /** Whether `asked` reads the row itself. */
  asksRow: boolean
  orderBy: string
}

function describe({ list, place, direction }: Walk): Query {
  const { column, index } = SORTS[list.sort]
  const columns = { column: column && `f.${column}`, id: 'f.id' }
  const listed: Sql[] = [{ sql: 'f.is_deleted = ?', params: [Number(list.trash)] }]
  if (place) listed.push(keysetCondition(columns, list.order, place, direction))
  const asked: Sql[] = []
  if (list.tree) asked.push(probe(list.tree, list.viewer))
  if (list.search !== '') asked.push({ sql: 'instr(f.name_key, ?) > 0', params: [list.search] })
  return {
    index,
    columns: `f.rid, f.id, ${columns.column ?? 'NULL'} AS key`,
    listed: and(listed),
    visible: (alias) => accessCondition(list.viewer, 'file', 'view', alias),
    asked: and(asked),
    asksRow: list.search !== '' || (list.tree !== null && probesRow(list.tree)),
    orderBy: keysetOrder(columns, list.order, direction),
  }
}

/** Along the index of the sort, to the end if need be. */
async function walk(db: Db, request: Walk): Promise<Entry[]> {
  return (await stride(db, request, { rows: Number.POSITIVE_INFINITY })) ?? []
}

/**
 * Along the index of the sort in ever longer strides, letting other requests run in between. Keeps
 * what the viewer sees and matches, and is among `files` when they are given. Null when `rows` files
 * were passed and there may be more.
 */
async function stride(
  db: Db,
  request: Walk,
  { rows, files }: { rows: number; files?: FileSet },
): Promise<Entry[] | null> {
  let found: Entry[] = []
  let rest = request
  // What was found before a pause may have been trashed, hidden or changed in it.
  const settled = () =>
    rest === request
      ? found
      : drive(db, describe(request), listSource(found.map((entry) => entry.rid)), found.length)
  for (
    let passed = 0, next = FIRST_STRIDE;
    passed < rows;
    next = Math.min(next * 4, LONGEST_STRIDE)
  ) {
    const length = Math.min(next, rows - passed)
    const query = describe(rest)
    const missing = request.limit - found.length
    const seen = files
      ? seeAmong(db, query, { length, files, limit: missing })
      : see(db, query, { length, limit: missing })
    found.push(...seen)
    const isFull = found.length === request.limit
    found = isFull ? settled() : found
    if (found.length === request.limit) return found
    // Where the page was full, the rest of the stride has not been looked at.
    const last = isFull ? seen.at(-1) : entryAt(db, query, length - 1)
    if (!last) return settled()
    const side = request.direction === 'forward' ? 'after' : 'before'
    rest = { ...request, place: { key: last.key, id: last.id, side } }
    passed += length
    await setImmediate()
  }
  return null
}

/** What is wanted of the next `length` files. */
function see(db: Db, query: Query, { length, limit }: { length: number; limit: number }): Entry[] {
  // CROSS JOIN keeps the order of the inner walk, so the outer one stops as soon as it is full.
  const row = query.asksRow ? 'CROSS JOIN files f ON f.rid = w.rid' : ''
  const walked = query.asksRow ? 'w' : 'f'
  const visible = query.visible(walked)
  return entries(
    db,
    `SELECT ${walked}.rid, ${walked}.id, ${walked}.key FROM (SELECT ${query.columns}, f.creator_id, f.is_public FROM files f INDEXED BY ${query.index} WHERE ${query.listed.sql} ORDER BY ${query.orderBy} LIMIT ?) ${walked} ${row} WHERE ${visible.sql} AND ${query.asked.sql} LIMIT ?`,
    [...query.listed.params, length, ...visible.params, ...query.asked.params, limit],
  )
}

function seeAmong(
  db: Db,
  query: Query,
  { length, files, limit }: { length: number; files: FileSet; limit: number },
): Entry[] {
  const { rids } = db.get<{ rids: string }>(
    `SELECT json_group_array(rid) AS rids FROM (SELECT f.rid FROM files f INDEXED BY ${query.index} WHERE ${query.listed.sql} ORDER BY ${query.orderBy} LIMIT ?)`,
    ...query.listed.params,
    length,
  )!
  const among = (JSON.parse(rids) as number[]).filter((rid) => hasFile(files, rid))
  return among.length === 0 ? [] : drive(db, query, listSource(among), limit)
}

/** The entry so many files further, seen or not. */
function entryAt(db: Db, query: Query, offset: number): Entry | undefined {
  return entries(
    db,
    `SELECT ${query.columns} FROM files f INDEXED BY ${query.index} WHERE ${query.listed.sql} ORDER BY ${query.orderBy} LIMIT 1 OFFSET ?`,
    [...query.listed.params, offset],
  )[0]
}

/** From a source of row numbers, the rows `s`, sorting what matches. */
function drive(db: Db, query: Query, source: Sql, limit: number): Entry[] {
  const visible = query.visible('f')
  return entries(
    db,
    `SELECT ${query.columns} FROM ${source.sql} CROSS JOIN files f ON f.rid = s.rid WHERE ${query.listed.sql} AND ${visible.sql} AND ${query.asked.sql} ORDER BY ${query.orderBy} LIMIT ?`,
    [...source.params, ...query.listed.params, ...visible.params, ...query.asked.params, limit],
  )
}

function tagSource(tag: number): Sql {
  return { sql: '(SELECT file_rid AS rid FROM file_tags WHERE tag_rid = ?) s', params: [tag] }
}

function listSource(rids: number[]): Sql {
  return { sql: '(SELECT value AS rid FROM json_each(?)) s', params: [JSON.stringify(rids)] }
}

/** By the set of what the search finds, or the filter, or both. */
async function fall(db: Db, request: Walk, plan: Fallback): Promise<Entry[]> {
  const { list, limit } = request
  const sets: FileSet[] = []
  const tree = plan.way === 'sets' ? list.tree : null
  if (tree) sets.push(await matchingFiles(db, tree, list.viewer))
  if (list.search !== '') sets.push(filesNamed(db, list.search))
  const files = combine('and', sets, Math.max(...sets.map((set) => set.length)))
  // The sets have answered the search, and perhaps the filter.
  const rest = { ...request, list: { ...list, search: '', tree: tree ? null : list.tree } }
  const rows = countFiles(files) * PASSED_FOR_ONE_SORTED
  return (
    (await stride(db, rest, { rows, files })) ??
    drive(db, describe(rest), listSource(filesOf(files)), limit)
  )
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
