import { setImmediate } from 'node:timers/promises'
import { accessCondition } from '../../acl/access.ts'
import type { User } from '../../context.ts'
import type { Db } from '../../db/client.ts'
import { type Tree, tagsOf } from './tree.ts'

/** A set of files: bit `rid & 31` of word `rid >>> 5`. */
export type FileSet = Uint32Array

interface CachedSet {
  /** The tag's `files_version` when the set was read. */
  version: number
  files: FileSet
}

const CACHE_BYTES = 64 * 1024 * 1024
/** How long sets are read before others get a turn, in milliseconds. */
const TURN = 10
const PATIENCE = 3

/** The sets of tags read so far, least recently used first; a set is good while its version is. */
const caches = new WeakMap<Db, Map<number, CachedSet>>()

/**
 * Reads the file sets of the tree's tags that are not at hand, letting other requests run in
 * between. `evaluateSets` then finds them, unless a change made them stale meanwhile.
 */
export async function loadSets(db: Db, tree: Tree): Promise<void> {
  const tags = tagsOf(tree)
  for (let round = 0; round < PATIENCE; round++) {
    const stale = staleTags(db, tags)
    if (stale.size === 0) return
    let turnEnds = performance.now() + TURN
    for (const [tag, version] of stale) {
      loadSet(db, tag, version)
      if (performance.now() < turnEnds) continue
      await setImmediate()
      turnEnds = performance.now() + TURN
    }
  }
}

/** Returns the set of files that match the tree, trashed and hidden ones included. */
export function evaluateSets(db: Db, tree: Tree, viewer: User): FileSet {
  const tags = tagsOf(tree)
  const stale = staleTags(db, tags)
  const sets = new Map<number, FileSet>()
  // First what is at hand: reading the others may push it out of the cache.
  for (const tag of tags) if (!stale.has(tag)) sets.set(tag, useCached(db, tag))
  for (const [tag, version] of stale) sets.set(tag, loadSet(db, tag, version))
  const words = (highestFile(db) >>> 5) + 1
  return evaluate(tree, { db, viewer, words, setOf: (tag) => sets.get(tag) ?? new Uint32Array(0) })
}

/** Returns how many files a set holds. */
export function countFiles(files: FileSet): number {
  let count = 0
  for (const word of files) count += bitCount(word)
  return count
}

/** Returns the row numbers of the files of a set, ascending. */
export function filesOf(files: FileSet): number[] {
  const rids: number[] = []
  for (let index = 0; index < files.length; index++) {
    for (let word = files[index]!; word !== 0; word &= word - 1) {
      rids.push(index * 32 + 31 - Math.clz32(word & -word))
    }
  }
  return rids
}

/** Whether a file is in a set. */
export function hasFile(files: FileSet, rid: number): boolean {
  return (((files[rid >>> 5] ?? 0) >>> (rid & 31)) & 1) === 1
}

interface Evaluation {
  db: Db
  viewer: User
  words: number
  setOf: (tag: number) => FileSet
}

function evaluate(tree: Tree, context: Evaluation): FileSet {
  switch (tree.kind) {
    case 'never':
      return new Uint32Array(context.words)
    case 'always':
      return invert(new Uint32Array(context.words))
    case 'tags': {
      const result = combine(tree.match === 'any' ? 'or' : 'and', context, function* () {
        for (const tag of tree.tags) yield context.setOf(tag)
      })
      return tree.negated ? invert(result) : result
    }
    case 'untagged': {
      const result = setOfRows(context, untaggedFiles(context.db, context.viewer))
      return tree.negated ? invert(result) : result
    }
    case 'mime':
      return setOfRows(
        context,
        context.db.all(
          'SELECT rid FROM files WHERE mime_type IN (SELECT value FROM json_each(?))',
          JSON.stringify(tree.types),
        ),
      )
    case 'review':
      return setOfRows(
        context,
        context.db.all('SELECT rid FROM files WHERE needs_review = ?', Number(tree.needed)),
      )
    case 'and':
    case 'or':
      return combine(tree.kind, context, function* () {
        for (const item of tree.items) yield evaluate(item, context)
      })
  }
}

function combine(
  kind: 'and' | 'or',
  context: Evaluation,
  operands: () => Generator<FileSet>,
): FileSet {
  const result = new Uint32Array(context.words)
  let first = true
  for (const operand of operands()) {
    // A set ends with its last file: what lies beyond is absent from it.
    const shared = Math.min(operand.length, result.length)
    if (kind === 'or' || first) for (let i = 0; i < shared; i++) result[i]! |= operand[i]!
    else {
      for (let i = 0; i < shared; i++) result[i]! &= operand[i]!
      result.fill(0, shared)
    }
    first = false
  }
  return result
}

function invert(files: FileSet): FileSet {
  for (let i = 0; i < files.length; i++) files[i] = ~files[i]!
  return files
}

function setOfRows(context: Evaluation, rows: { rid: number }[]): FileSet {
  const files = new Uint32Array(context.words)
  for (const { rid } of rows) files[rid >>> 5]! |= 1 << (rid & 31)
  return files
}

/** Files without any tag that the viewer sees: no tags at all, or only hidden ones. */
function untaggedFiles(db: Db, viewer: User): { rid: number }[] {
  const bare = db.all<{ rid: number }>(
    'SELECT rid FROM files INDEXED BY files_untagged WHERE tag_count = 0',
  )
  if (viewer.is_admin) return bare
  const visible = accessCondition(viewer, 'tag', 'view', 't')
  const hidden = db.get<{ files: number; tags: string }>(
    `SELECT coalesce(sum(t.file_count), 0) AS files, json_group_array(t.rid) AS tags FROM tags t WHERE NOT ${visible.sql}`,
    ...visible.params,
  )!
  if (hidden.files === 0) return bare
  const unseen = `NOT EXISTS (SELECT 1 FROM file_tags v CROSS JOIN tags t ON t.rid = v.tag_rid WHERE v.file_rid = c.rid AND ${visible.sql})`
  // From the files of the hidden tags, or from all files, whichever are fewer.
  const concealed =
    hidden.files < highestFile(db)
      ? db.all<{ rid: number }>(
          `SELECT c.rid FROM (SELECT DISTINCT h.file_rid AS rid FROM json_each(?) j CROSS JOIN file_tags h ON h.tag_rid = j.value) c WHERE ${unseen}`,
          hidden.tags,
          ...visible.params,
        )
      : db.all<{ rid: number }>(
          `SELECT c.rid FROM files c WHERE c.tag_count > 0 AND ${unseen}`,
          ...visible.params,
        )
  return bare.concat(concealed)
}

function highestFile(db: Db): number {
  return db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'files'")?.seq ?? 0
}

function cached(db: Db): Map<number, CachedSet> {
  let cache = caches.get(db)
  if (!cache) {
    cache = new Map()
    caches.set(db, cache)
  }
  return cache
}

/** The tags whose set is not at hand, with their present version. */
function staleTags(db: Db, tags: number[]): Map<number, number> {
  const rows = db.all<{ rid: number; files_version: number }>(
    'SELECT rid, files_version FROM tags WHERE rid IN (SELECT value FROM json_each(?))',
    JSON.stringify(tags),
  )
  const cache = cached(db)
  const stale = new Map<number, number>()
  const present = new Set<number>()
  for (const { rid, files_version } of rows) {
    present.add(rid)
    if (cache.get(rid)?.version !== files_version) stale.set(rid, files_version)
  }
  // A tag that was deleted after the filter was read has no files.
  for (const tag of tags) if (!present.has(tag)) stale.set(tag, -1)
  return stale
}

function useCached(db: Db, tag: number): FileSet {
  const cache = cached(db)
  const entry = cache.get(tag)!
  cache.delete(tag)
  cache.set(tag, entry)
  return entry.files
}

function loadSet(db: Db, tag: number, version: number): FileSet {
  const row = db.get<{ rids: string; highest: number | null }>(
    'SELECT json_group_array(file_rid) AS rids, max(file_rid) AS highest FROM file_tags WHERE tag_rid = ?',
    tag,
  )!
  const files = new Uint32Array(row.highest === null ? 0 : (row.highest >>> 5) + 1)
  for (const rid of JSON.parse(row.rids) as number[]) files[rid >>> 5]! |= 1 << (rid & 31)
  const cache = cached(db)
  cache.delete(tag)
  cache.set(tag, { version, files })
  evict(cache)
  return files
}

function evict(cache: Map<number, CachedSet>): void {
  let bytes = 0
  for (const entry of cache.values()) bytes += entry.files.byteLength
  for (const [tag, entry] of cache) {
    if (bytes <= CACHE_BYTES) return
    cache.delete(tag)
    bytes -= entry.files.byteLength
  }
}

function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return (((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
