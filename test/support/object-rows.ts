import type { Db } from '../../src/db/client.ts'
import { blobToUuid, uuidToBlob } from '../../src/db/columns.ts'
import { fold } from '../../src/db/text.ts'
import { write } from '../../src/db/write.ts'

export type ObjectType = 'file' | 'tag' | 'category' | 'pool'

export const TABLES = { file: 'files', tag: 'tags', category: 'categories', pool: 'pools' } as const

/** A tag, category or pool, which is private unless it says otherwise. */
export interface ObjectSeed {
  id: string
  name: string
  owner: number
  isPublic?: boolean
}

/** Writes a category. */
export function insertCategory(db: Db, { id, name, owner, isPublic }: ObjectSeed): void {
  db.run(
    `INSERT INTO categories (id, name, name_key, color, creator_id, is_public)
     VALUES (?, ?, ?, 'c0ffee', ?, ?)`,
    uuidToBlob(id),
    name,
    fold(name),
    owner,
    Number(isPublic ?? false),
  )
}

/** Writes a tag, in the category with that id if one is given. */
export function insertTag(db: Db, tag: ObjectSeed & { category?: string }): void {
  db.run(
    `INSERT INTO tags (id, name, name_key, color, category_rid, creator_id, is_public)
     VALUES (?, ?, ?, 'a1b2c3', ?, ?, ?)`,
    uuidToBlob(tag.id),
    tag.name,
    fold(tag.name),
    tag.category === undefined ? null : ridOf(db, 'category', tag.category),
    tag.owner,
    Number(tag.isPublic ?? false),
  )
}

/** Writes an active rule. */
export function insertRule(db: Db, when: string, then: string): void {
  db.run('INSERT INTO tag_rules VALUES (?, ?, 1)', ridOf(db, 'tag', when), ridOf(db, 'tag', then))
}

/** Puts tags on a file. */
export function putTags(db: Db, file: string, tags: string[]): void {
  for (const tag of tags) {
    db.run(
      'INSERT INTO file_tags (file_rid, tag_rid) VALUES (?, ?)',
      ridOf(db, 'file', file),
      ridOf(db, 'tag', tag),
    )
  }
}

/** Says which camera took a file. */
export function photographed(db: Db, file: string, camera: string): void {
  db.run('INSERT OR IGNORE INTO cameras (name) VALUES (?)', camera)
  const sql = 'INSERT INTO file_cameras SELECT ?, rid FROM cameras WHERE name = ?'
  db.run(sql, ridOf(db, 'file', file), camera)
}

/** Says that a file was taken somewhere near a town. */
export function placeFile(db: Db, file: string, town: string | null): void {
  db.run(`INSERT INTO file_positions VALUES (?, 'u0000000', ?)`, ridOf(db, 'file', file), town)
}

/** How far the keys of files are apart that are put into a pool one behind the other. */
const GAP = 2 ** 20

/** Writes a manual pool of files. */
export function insertPool(db: Db, pool: ObjectSeed & { files: string[] }): void {
  db.run(
    `INSERT INTO pools (id, name, name_key, creator_id, is_public, sort_key, sort_order)
     VALUES (?, ?, ?, ?, ?, 'manual', 'asc')`,
    uuidToBlob(pool.id),
    pool.name,
    fold(pool.name),
    pool.owner,
    Number(pool.isPublic ?? false),
  )
  const rid = ridOf(db, 'pool', pool.id)
  pool.files.forEach((file, position) => {
    db.run('INSERT INTO pool_files VALUES (?, ?, ?)', rid, ridOf(db, 'file', file), position * GAP)
  })
}

/** Gives a user a right to an object; `none` is an entry without a right. */
export function allow(
  db: Db,
  user: number,
  type: ObjectType,
  id: string,
  right: 'none' | 'view' | 'edit' = 'view',
): void {
  db.run(
    'INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) VALUES (?, ?, ?, ?, ?)',
    user,
    type,
    ridOf(db, type, id),
    Number(right !== 'none'),
    Number(right === 'edit'),
  )
}

/** Returns an object's row number. */
export function ridOf(db: Db, type: ObjectType, id: string): number {
  const sql = `SELECT rid FROM ${TABLES[type]} WHERE id = ?`
  return db.get<{ rid: number }>(sql, uuidToBlob(id))!.rid
}

/** Makes all objects public, or none. */
export function setPublic(db: Db, isPublic: boolean): void {
  write(db, { now: 0 }, () => {
    for (const table of Object.values(TABLES)) {
      db.run(`UPDATE ${table} SET is_public = ?`, Number(isPublic))
    }
  })
}

/** The files of pools with their positions, as they follow from the stored order. */
export const PLACES = `SELECT pool_rid, file_rid,
  row_number() OVER (PARTITION BY pool_rid ORDER BY order_key) - 1 AS position FROM pool_files`

/** Returns the ids of the files of a pool with their positions, as they are stored. */
export function storedPool(db: Db, pool: string): [id: string, position: number][] {
  return db
    .all<{ id: Uint8Array; position: number }>(
      `SELECT f.id, p.position FROM (${PLACES}) p JOIN files f ON f.rid = p.file_rid
       WHERE p.pool_rid = ? ORDER BY p.position`,
      ridOf(db, 'pool', pool),
    )
    .map((row) => [blobToUuid(row.id), row.position])
}

/**
 * Returns all rows but those that only serve searches, to see that nothing in the library changed; files of
 * pools with their positions.
 */
export function allRows(db: Db): Record<string, unknown[]> {
  const tables = db.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
     AND name NOT LIKE 'files_fts%' AND name NOT LIKE '__drizzle%'
     AND name <> 'phash_changes'`,
  )
  return Object.fromEntries(
    tables.map(({ name }) => {
      const rows = name === 'pool_files' ? PLACES : `SELECT * FROM "${name}"`
      return [name, db.all(rows)]
    }),
  )
}

const REVIEW_NEEDED = '{"needs_review":{"from":false,"to":true}}'

/** Writes the entry of an operation that marked a file as needing review. */
export function insertOperation(
  db: Db,
  { owner, file, now }: { owner: number; file: string; now: number },
): void {
  db.run(
    `INSERT INTO audit_log (user_id, user_name, action, object_type, object_id, details, performed_at, details_version)
     VALUES (?, 'owner', 'file_review', 'file', ?, ?, ?, 2)`,
    owner,
    uuidToBlob(file),
    REVIEW_NEEDED,
    now,
  )
  db.run('UPDATE audit_log SET operation = id WHERE id = (SELECT max(id) FROM audit_log)')
}

/** Returns the number of the last operation of `insertOperation`. */
export function lastOperation(db: Db): number {
  return db.get<{ last: number }>(
    'SELECT max(operation) AS last FROM audit_log WHERE details = ?',
    REVIEW_NEEDED,
  )!.last
}
