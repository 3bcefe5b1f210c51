import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../src/db/client.ts'
import { blobToUuid } from '../../../src/db/columns.ts'

/** A file as far as a client of the torture changes it. */
interface FileState {
  sha256: string
  isTrashed: boolean
  /** Names of its tags, in order. */
  tags: string[]
}

/** What a client has made in the library, by names that only it gives. */
export interface World {
  files: Record<string, FileState>
  /** The names of the files of each pool, in their order. */
  pools: Record<string, string[]>
  /** In order. */
  tags: string[]
}

/** The ids of what is in a world, by its kind and name. */
export type Ids = Map<string, string>

export const EMPTY: World = { files: {}, pools: {}, tags: [] }

interface FileRow {
  id: Uint8Array
  name: string
  is_deleted: number
  sha256: Uint8Array
}

/**
 * Returns the world that a library has of a client, whose names begin with `prefix`, and adds the ids to `ids`. Throws
 * when two files, pools or tags have one name.
 */
export function observe(db: Db, prefix: string, ids: Ids): World {
  const world: World = { files: {}, pools: {}, tags: [] }
  const like = `${prefix}-%`
  const add = (kind: string, name: string, id: Uint8Array) =>
    ids.set(`${kind} ${name}`, blobToUuid(id))
  const rows = db.all<FileRow>(
    `SELECT id, original_name AS name, is_deleted, sha256 FROM files
     JOIN file_details ON file_rid = rid WHERE original_name LIKE ?`,
    like,
  )
  for (const { id, name, is_deleted, sha256 } of rows) {
    assert.ok(!(name in world.files), `${name} is there twice`)
    const digest = Buffer.from(sha256).toString('hex')
    world.files[name] = { sha256: digest, isTrashed: is_deleted === 1, tags: [] }
    add('file', name, id)
  }
  const tagged = db.all<{ file: string; tag: string }>(
    `SELECT original_name AS file, name AS tag FROM files JOIN file_tags ON file_rid = files.rid
     JOIN tags ON tags.rid = tag_rid WHERE original_name LIKE ? ORDER BY name`,
    like,
  )
  for (const { file, tag } of tagged) world.files[file]!.tags.push(tag)
  const tags = db.all<{ id: Uint8Array; name: string }>(
    'SELECT id, name FROM tags WHERE name LIKE ? AND is_deleted = 0 ORDER BY name',
    like,
  )
  for (const { id, name } of tags) {
    world.tags.push(name)
    add('tag', name, id)
  }
  const pools = db.all<{ id: Uint8Array; name: string }>(
    'SELECT id, name FROM pools WHERE name LIKE ?',
    like,
  )
  for (const { id, name } of pools) {
    assert.ok(!(name in world.pools), `${name} is there twice`)
    world.pools[name] = []
    add('pool', name, id)
  }
  const placed = db.all<{ pool: string; file: string }>(
    `SELECT pools.name AS pool, original_name AS file FROM pool_files JOIN pools ON pools.rid = pool_rid
     JOIN files ON files.rid = file_rid WHERE pools.name LIKE ? ORDER BY order_key`,
    like,
  )
  for (const { pool, file } of placed) world.pools[pool]!.push(file)
  return world
}

/**
 * Returns the world that was found: the one that was acknowledged, or the one that the step under way would have made.
 * Throws when it is neither.
 */
export function oneOf(
  found: World,
  client: { prefix: string; world: World; underWay: { kind: string; next: World } | null },
): World {
  const { prefix, world, underWay } = client
  if (underWay && isDeepStrictEqual(found, underWay.next)) return underWay.next
  const what = underWay ? `, while ${underWay.kind} was under way` : ''
  assert.deepEqual(found, world, `${prefix} has not what was acknowledged${what}`)
  return world
}
