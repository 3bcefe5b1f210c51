import { setImmediate } from 'node:timers/promises'
import type { Db, SqlValue } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { keptMap } from '../../db/kept.ts'
import { files, fileTags } from '../../db/schema/files.ts'
import { tags } from '../../db/schema/tags.ts'
import { and } from '../../db/sql.ts'
import type { User } from '../../user.ts'
import { type FileSet, setOf } from '../file-set.ts'
import type { FileList } from '../find/query.ts'
import { betweenTimes, isBounded } from '../find/range.ts'
import { holds, type Tree, tagsOf, traitsOf } from '../find/tree.ts'
import { evaluate } from './evaluate.ts'
import { namedFiles } from './named.ts'
import { poolSet } from './pool-queries.ts'
import { withTraits } from './traits.ts'
import { untaggedFiles } from './untagged.ts'

const f = columnNames(files)
const ft = columnNames(fileTags)
const tagColumns = columnNames(tags)

interface TagSet {
  /** The tag's `files_version` when the set was read. */
  version: number
  files: FileSet
}

/** How long sets are read before other requests get a turn, in milliseconds. */
const TURN = 10
const PATIENCE = 3

/** The sets of tags read so far; a set is valid while its version is. */
const cacheOf = keptMap<number, TagSet>(({ files }) => files.byteLength)

/**
 * Returns the set of files that match the tree, including trashed and hidden ones, and lets other
 * requests run in between. A file whose tags all change in the meantime may or may not count as
 * untagged.
 */
export async function matchingFiles(db: Db, tree: Tree, viewer: User): Promise<FileSet> {
  const untagged = holds(tree, 'untagged') ? await untaggedFiles(db, viewer) : null
  const tags = tagsOf(tree)
  const sets = new Map<number, TagSet>()
  for (let round = 0; round < PATIENCE; round++) {
    const stale = staleTags(db, tags, sets)
    if (stale.length === 0) break
    let turnEnds = performance.now() + TURN
    for (const tag of stale) {
      sets.set(tag.rid, tagSet(db, tag))
      if (performance.now() < turnEnds) continue
      await setImmediate()
      turnEnds = performance.now() + TURN
    }
  }
  return withTraits(db, traitsOf(tree), (trait) => {
    // Nothing else runs here: sets that changed while the rest was read are read again.
    for (const tag of staleTags(db, tags, sets)) sets.set(tag.rid, tagSet(db, tag))
    return evaluate(tree, {
      words: (highestFile(db) >>> 5) + 1,
      // A tag that was deleted after the filter was read has no files.
      tag: (rid) => sets.get(rid)?.files ?? new Uint32Array(0),
      trait,
      untagged: () => untagged ?? new Uint32Array(0),
    })
  })
}

/**
 * Returns the sets of files, hidden ones too, to which a list is confined by its search, by its pool
 * and by a range of `content_datetime`; some hold files that are, or are not, in the trash as well, and
 * some change with the library.
 */
export async function confiningSets(
  db: Db,
  { search, pool, range, trash }: Pick<FileList, 'search' | 'pool' | 'range' | 'trash'>,
): Promise<FileSet[]> {
  const sets: FileSet[] = []
  if (search !== '') sets.push(await namedFiles(db, search))
  if (pool !== null) sets.push(poolSet(db, pool))
  if (isBounded(range)) {
    const { sql, params } = and(betweenTimes(f.content_datetime, range))
    const taken = `SELECT ${f.rid} FROM files INDEXED BY files_content_datetime WHERE ${f.is_deleted} = ? AND ${sql}`
    sets.push(readSet(db, taken, Number(trash), ...params))
  }
  return sets
}

/** Returns the highest row number that a file has had. */
export function highestFile(db: Db): number {
  return db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'files'")?.seq ?? 0
}

/**
 * Returns the row numbers that a statement selects as `rid`; one JSON text is quicker than many
 * rows.
 */
function readRids(db: Db, sql: string, ...params: SqlValue[]): number[] {
  const row = db.get<{ rids: string }>(
    `SELECT json_group_array(rid) AS rids FROM (${sql})`,
    ...params,
  )
  return JSON.parse(row!.rids)
}

function readSet(db: Db, sql: string, ...params: SqlValue[]): FileSet {
  return setOf(readRids(db, sql, ...params))
}

type TagVersion = Pick<typeof tags.$inferSelect, 'rid' | 'files_version'>

/** Returns the tags whose sets in `sets` are missing or out of date. */
function staleTags(db: Db, tags: number[], sets: Pick<Map<number, TagSet>, 'get'>): TagVersion[] {
  return db
    .all<TagVersion>(
      `SELECT ${tagColumns.rid}, ${tagColumns.files_version} FROM tags WHERE ${tagColumns.rid} IN (SELECT value FROM json_each(?))`,
      JSON.stringify(tags),
    )
    .filter(({ rid, files_version }) => sets.get(rid)?.version !== files_version)
}

/** Returns the set of a tag from the cache, or else from the database. */
function tagSet(db: Db, { rid, files_version: version }: TagVersion): TagSet {
  const cache = cacheOf(db)
  const known = cache.get(rid)
  if (known?.version === version) return known
  const files = readSet(
    db,
    `SELECT ${ft.file_rid} AS rid FROM file_tags WHERE ${ft.tag_rid} = ?`,
    rid,
  )
  const read = { version, files }
  cache.set(rid, read)
  return read
}
