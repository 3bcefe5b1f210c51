import { allowedParts, type Rows } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { files, fileTags } from '../../db/schema/files.ts'
import { poolFiles } from '../../db/schema/pools.ts'
import { tags } from '../../db/schema/tags.ts'
import { and, numbersOf, type Sql } from '../../db/sql.ts'
import { type Costs, GUESS } from './costs.ts'
import { FEW_TAGS, hiddenTags } from './hidden-tags.ts'
import { type FileList, type Query, rangeIsIndexed } from './query.ts'
import { betweenTimes, isBounded, type Range } from './range.ts'
import { waysOf } from './traits.ts'
import type { Tree } from './tree.ts'

const f = columnNames(files)
const ft = columnNames(fileTags)
const p = columnNames(poolFiles)
const t = columnNames(tags)

/** Rows of an index that name every file of a list, and perhaps others: a list can be found from them. */
export interface Source extends Rows {
  /** The number of files; guessed where nothing counts them and they are too many to sort. */
  count: number
  /** The files themselves, if counting has read them all. */
  rids?: number[]
}

/** Returns the sources of a list; a source with more files than are sorted gets a guessed count. */
export function sourcesOf(
  db: Db,
  { tree, pool, search, range, sort, trash, viewer }: FileList,
  { mostSorted }: Pick<Costs, 'mostSorted'>,
): Source[] {
  const leaves = tree === null ? [] : tree.kind === 'and' ? tree.items : [tree]
  return [
    ...leaves.flatMap((leaf) => sourcesOfLeaf(db, leaf, viewer, mostSorted)),
    ...(pool === null ? [] : [counted(db, filesOfPool(pool), GUESS.pooled, mostSorted)]),
    ...(isIndexedSearch(search) ? [counted(db, filesNamed(search), GUESS.named, mostSorted)] : []),
    ...(isBounded(range) && !rangeIsIndexed({ sort })
      ? [counted(db, filesInRange(range, trash), GUESS.inRange, mostSorted)]
      : []),
    ...(viewer.is_admin ? [] : [seenBy(db, viewer, mostSorted)]),
  ]
}

function sourcesOfLeaf(db: Db, leaf: Tree, viewer: User, mostSorted: number): Source[] {
  if (leaf.kind === 'untagged' && !leaf.negated) {
    // If tags are hidden from this viewer, files with only such tags count as untagged as well.
    return hiddenTags(db, viewer).length === 0
      ? [counted(db, filesWithoutTags(), GUESS.untagged, mostSorted)]
      : []
  }
  if (leaf.kind === 'mime') return [counted(db, filesOfTypes(leaf.types), GUESS.mime, mostSorted)]
  if (leaf.kind === 'trait') {
    const { rows, share, isScanned } = waysOf(leaf.trait)
    return rows && !isScanned && !leaf.negated ? [counted(db, rows(viewer), share, mostSorted)] : []
  }
  if (leaf.kind !== 'tags' || leaf.negated) return []
  const counts = tagCounts(db, leaf.tags)
  if (leaf.match === 'all' || leaf.tags.length === 1) {
    return leaf.tags.map((tag) => ({ ...filesOfTag(tag), count: counts.get(tag) ?? 0 }))
  }
  let count = 0
  for (const files of counts.values()) count += files
  return [{ ...filesOfTags(leaf.tags), count }]
}

/** Returns the number of files of each tag; a tag that is gone has no count. */
export function tagCounts(db: Db, tags: number[]): Map<number, number> {
  const rows = db.all<{ rid: number; file_count: number }>(
    `SELECT ${t.rid}, ${t.file_count} FROM tags WHERE ${t.rid} IN (SELECT value FROM json_each(?))`,
    JSON.stringify(tags),
  )
  return new Map(rows.map((row) => [row.rid, row.file_count]))
}

const plain = (sql: string): Sql => ({ sql, params: [] })

export function filesOfTag(tag: number): Rows {
  const where = { sql: `${ft.tag_rid} = ?`, params: [tag] }
  return { from: plain('file_tags'), where, column: ft.file_rid, isOrdered: true }
}

function filesOfTags(tags: number[]): Rows {
  const from = { sql: 'json_each(?) j CROSS JOIN file_tags', params: [JSON.stringify(tags)] }
  const where = plain(`${ft.tag_rid} = j.value`)
  return { from, where, column: ft.file_rid, isOrdered: false, repeats: true }
}

export function filesOfTypes(types: string[]): Rows {
  const from = plain('files INDEXED BY files_mime_type')
  const isOrdered = types.length === 1
  const where = isOrdered
    ? { sql: `${f.mime_type} = ?`, params: types }
    : {
        sql: `${f.mime_type} IN (SELECT value FROM json_each(?))`,
        params: [JSON.stringify(types)],
      }
  return { from, where, column: f.rid, isOrdered }
}

function filesWithoutTags(): Rows {
  const from = plain('files INDEXED BY files_few_tags')
  const where = plain(`${f.tag_count} <= ${FEW_TAGS} AND ${f.tag_count} = 0`)
  return { from, where, column: f.rid, isOrdered: true }
}

export function filesOfPool(pool: number): Rows {
  const where = { sql: `${p.pool_rid} = ?`, params: [pool] }
  return { from: plain('pool_files'), where, column: p.file_rid, isOrdered: true }
}

/** The full-text index holds names as trigrams, runs of this many code points. */
const RUN = 3

export function isIndexedSearch(search: string): boolean {
  // No name contains a NUL, and the index would take one for the end of the query.
  return [...search].length >= RUN && !search.includes('\0')
}

export function filesNamed(search: string): Rows {
  const where = { sql: 'files_fts MATCH ?', params: [`"${search.replaceAll('"', '""')}"`] }
  return { from: plain('files_fts'), where, column: 'rowid', isOrdered: true }
}

export function filesInRange(range: Range, trash: boolean): Rows {
  const isThere = { sql: `${f.is_deleted} = ?`, params: [Number(trash)] }
  const where = and([isThere, ...betweenTimes(f.content_datetime, range)])
  const from = plain('files INDEXED BY files_content_datetime')
  return { from, where, column: f.rid, isOrdered: false }
}

function seenBy(db: Db, user: User, mostSorted: number): Source {
  const parts = allowedParts(user, 'view')
  let count = 0
  for (const part of parts)
    if (count <= mostSorted) count += counted(db, part, GUESS.seen, mostSorted).count
  const rows = parts.map((part) => ridsOf(part))
  const from = {
    sql: `(${rows.map(({ sql }) => sql).join(' UNION ')})`,
    params: rows.flatMap(({ params }) => params),
  }
  return { from, where: plain('1'), column: 'rid', isOrdered: false, count }
}

function counted(db: Db, source: Rows, guess: number, mostSorted: number): Source {
  const { sql, params } = ridsOf(source)
  const rids = numbersOf(db, { sql: `${sql} LIMIT ?`, params: [...params, mostSorted + 1] })
  if (rids.length <= mostSorted) return { ...source, count: rids.length, rids }
  return { ...source, count: Math.max(rids.length, guess * highestFile(db)) }
}

/** Returns the files of a source as rows `s` of a statement. */
export function rowsOf(source: Source): Sql {
  if (source.rids) return filesOfList(source.rids)
  const { sql, params } = ridsOf(source)
  return { sql: `(${sql}) s`, params }
}

/** Returns the statement that selects the files of a source as `rid`, each once. */
export function ridsOf({ from, where, column, repeats }: Rows): Sql {
  return {
    sql: `SELECT ${repeats ? 'DISTINCT ' : ''}${column} AS rid FROM ${from.sql} WHERE ${where.sql}`,
    params: [...from.params, ...where.params],
  }
}

/** Returns the files with these row numbers as rows `s` of a statement. */
export function filesOfList(rids: number[]): Sql {
  return { sql: '(SELECT value AS rid FROM json_each(?)) s', params: [JSON.stringify(rids)] }
}

/** Returns the next `length` files of a pool in manual order as rows `s` of a statement, with their keys. */
export function filesArranged(query: Query, pool: number, length: number): Sql {
  const within = query.within(p.order_key)
  return {
    sql: `(SELECT ${p.file_rid} AS rid, ${p.order_key} FROM pool_files WHERE ${p.pool_rid} = ? AND ${within.sql}
           ORDER BY ${p.order_key} ${query.isAscending ? 'ASC' : 'DESC'} LIMIT ?) s`,
    params: [pool, ...within.params, length],
  }
}

/** Returns those of the files that are in a pool as rows `s` of a statement, with their keys. */
export function arrangedAmong(pool: number, rids: number[]): Sql {
  return {
    sql: `(SELECT ${p.file_rid} AS rid, ${p.order_key} FROM json_each(?) j
           CROSS JOIN pool_files ON ${p.pool_rid} = ? AND ${p.file_rid} = j.value) s`,
    params: [JSON.stringify(rids), pool],
  }
}

/** Returns the highest row number that any file has had. */
export function highestFile(db: Db): number {
  return db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'files'")?.seq ?? 0
}
