import { createHash } from 'node:crypto'
import { createPasswords } from '../../../src/auth/password.ts'
import type { Db } from '../../../src/db/client.ts'
import { emptyLog } from '../../../src/db/upkeep.ts'
import { write } from '../../../src/db/write.ts'
import { addStoredFiles, type StoredFile } from '../../support/stored-files.ts'

/** Those who change their own part of the library, one who may look at some of it, and one who is locked out. */
export const CLIENTS = ['ann', 'ben', 'cat']
export const VIEWER = 'dan'
export const BLOCKED = 'eve'

/** Files that each client finds there, at most. */
const OWN = 600
const [OWN_TAGS, OWN_POOLS, OWN_POOL_FILES] = [3, 2, 60]
const [CATEGORIES, TAGS, RULES, POOLS] = [12, 60, 20, 8]
const MOST_POOL_FILES = 1000
/** By the first user, the admin, and the clients, who follow. */
const CREATORS = 1 + CLIENTS.length
const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)'

/** Returns the bytes of the content of a made file. */
export function contentOf(name: string, size: number): Uint8Array {
  return Buffer.alloc(size, createHash('sha256').update(name).digest())
}

/**
 * Gives the new library of a server that is not running so many files with contents of `size` bytes, a twentieth of
 * them in the trash, with tags, categories, rules, pools, people with that password, their rights and an audit log.
 */
export async function fillLibrary(
  dataDir: string,
  db: Db,
  { files, size, password }: { files: number; size: number; password: string },
): Promise<void> {
  const hash = await createPasswords().hash(password)
  write(db, { now: 0 }, () => addPeople(db, hash))
  addStoredFiles(db, { folder: dataDir, store: null }, madeFiles(files, size))
  write(db, { now: 0 }, () => {
    addCategoriesAndTags(db)
    tagFiles(db)
    addPools(db, files)
    addRights(db)
    addAudit(db)
  })
  db.run('ANALYZE')
  emptyLog(db)
}

function addPeople(db: Db, hash: string): void {
  for (const name of [...CLIENTS, VIEWER, BLOCKED]) {
    db.run(
      `INSERT INTO users (name, password_hash, is_admin, can_create, is_blocked)
       VALUES (?, ?, 0, ?, ?)`,
      name,
      hash,
      Number(CLIENTS.includes(name)),
      Number(name === BLOCKED),
    )
  }
}

function* madeFiles(count: number, size: number): Generator<StoredFile> {
  const own = Math.min(OWN, Math.floor(count / (2 * CLIENTS.length)))
  for (let n = 0; n < count; n++) {
    const owner = Math.floor(n / own)
    const client = CLIENTS[owner]
    const name = client ? `${client}-old-${n % own}` : `IMG_${n}.jpg`
    yield {
      name,
      bytes: contentOf(name, size),
      owner: client ? owner + 2 : 1 + (n % CREATORS),
      time: Date.UTC(2010, 0, 1) + n * 60_000,
      isPublic: n % 4 === 0,
      isTrashed: n % 20 === 7,
    }
  }
}

/** Returns SQL for the id of the row `i` that somebody has. */
const idOf = (whose: number) => `unhex('018bcfe5680070008${whose}0000000000' || printf('%04x', i))`

function addCategoriesAndTags(db: Db): void {
  db.run(
    `${NUMBERS} INSERT INTO categories (id, name, name_key, color, creator_id, is_public)
     SELECT ${idOf(0)}, 'category ' || i, 'category ' || i, 'c0ffee', 1 + i % ${CREATORS}, i % 2 FROM n`,
    CATEGORIES,
  )
  db.run(
    `${NUMBERS} INSERT INTO tags (id, name, name_key, notes, category_rid, creator_id, is_public)
     SELECT ${idOf(0)}, 'tag ' || i, 'tag ' || i, 'noted of ' || i, 1 + i % ${CATEGORIES},
     1 + i % ${CREATORS}, i % 2 FROM n`,
    TAGS,
  )
  for (const [index, client] of CLIENTS.entries()) {
    db.run(
      `${NUMBERS} INSERT INTO tags (id, name, name_key, creator_id, is_public)
       SELECT ${idOf(index + 1)}, '${client}-tag-old-' || i, '${client}-tag-old-' || i, ${index + 2}, 0 FROM n`,
      OWN_TAGS,
    )
  }
  db.run(`${NUMBERS} INSERT INTO tag_rules SELECT i, i + ${TAGS / 2}, i % 3 > 0 FROM n`, RULES)
}

/** Puts three tags on each file; those of the clients get only tags of theirs, and few of them. */
function tagFiles(db: Db): void {
  // They are counted at the end, which takes less time.
  db.run('INSERT INTO set_counting VALUES (0)')
  for (const part of [`rid % ${TAGS}`, `rid / 7 % ${TAGS}`, `rid / 11 % ${TAGS}`]) {
    db.run(
      `INSERT OR IGNORE INTO file_tags (file_rid, tag_rid, by_hand)
       SELECT rid, 1 + ${part}, rid % 5 > 0 FROM files WHERE original_name LIKE 'IMG%'`,
    )
  }
  for (const client of CLIENTS) {
    db.run(
      `INSERT INTO file_tags (file_rid, tag_rid)
       SELECT f.rid, t.rid FROM files f JOIN tags t ON t.name = '${client}-tag-old-' || (f.rid % 9)
       WHERE f.original_name LIKE '${client}-old-%'`,
    )
  }
  db.run('UPDATE files SET tag_count = (SELECT count(*) FROM file_tags WHERE file_rid = rid)')
  db.run(`UPDATE tags SET file_count = (SELECT count(*) FROM file_tags WHERE tag_rid = tags.rid)`)
  db.run('DELETE FROM set_counting')
}

/** Adds pools, in which files stand in another order than in the library. */
function addPools(db: Db, files: number): void {
  const columns = 'id, name, name_key, creator_id, is_public, sort_key, sort_order'
  db.run(
    `${NUMBERS} INSERT INTO pools (${columns})
     SELECT ${idOf(0)}, 'pool ' || i, 'pool ' || i, 1 + i % ${CREATORS}, i % 2, 'manual', 'asc' FROM n`,
    POOLS,
  )
  const fill = (pool: string, from: string, most: number) =>
    db.run(
      `INSERT INTO pool_files (pool_rid, file_rid, order_key)
       SELECT p.rid, f.rid, (f.rid * 7919 % 1000003) << 20 FROM pools p JOIN
       (SELECT rid FROM files WHERE original_name LIKE ? ORDER BY rid * 7919 % 1000003 LIMIT ?) f
       WHERE p.name LIKE ?`,
      from,
      most,
      pool,
    )
  fill('pool %', 'IMG%', Math.min(MOST_POOL_FILES, Math.floor(files / 10)))
  for (const [index, client] of CLIENTS.entries()) {
    db.run(
      `${NUMBERS} INSERT INTO pools (${columns})
       SELECT ${idOf(index + 1)}, '${client}-pool-old-' || i, '${client}-pool-old-' || i, ${index + 2}, 0, 'manual', 'asc' FROM n`,
      OWN_POOLS,
    )
    fill(`${client}-pool-%`, `${client}-old-%`, OWN_POOL_FILES)
  }
}

function addRights(db: Db): void {
  const add = (type: string, table: string, every: number) =>
    db.run(
      `INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) SELECT users.id, ?, rid, 1, rid % ${every * 5} = 0
       FROM users, ${table} WHERE users.name = ? AND rid % ${every} = 0`,
      type,
      VIEWER,
    )
  add('file', 'files', 10)
  add('tag', 'tags', 3)
  add('category', 'categories', 3)
  add('pool', 'pools', 2)
}

function addAudit(db: Db): void {
  db.run(
    `INSERT INTO audit_log (user_id, user_name, action, object_type, object_id, details, performed_at)
     SELECT creator_id, users.name, 'file_create', 'file', files.id,
     json_object('original_name', original_name), ? FROM files JOIN users ON users.id = creator_id`,
    Date.now(),
  )
  db.run("UPDATE audit_log SET operation = id WHERE action = 'file_create'")
}
