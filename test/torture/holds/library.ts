import type { Db } from '../../../src/db/client.ts'
import { blobToUuid } from '../../../src/db/columns.ts'
import { write } from '../../../src/db/write.ts'
import { fillLibrary, type Made } from '../../bench/library.ts'
import type { Library } from '../../support/harness.ts'

const FILES = 100_000
const POOLS = 20
const POOL_FILES = 5000
const CATEGORIES = 200
/** Entries of the one file that somebody changed again and again. */
const ENTRIES_OF_ONE = 20_000
/** Characters: the most that the notes of a file, and of a tag, may have. */
const FILE_NOTES = 65_000
const TAG_NOTES = 4000
/** The user who has created a third of the files. */
const DAN = 5
const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)'

/** The name of everybody is their password, too. */
export type Person = 'root' | 'ann' | 'ben' | 'cat' | 'dan'

/** A large library, and ids of what costs most in it. */
export interface Large {
  made: Made
  /** Files that everybody sees. */
  shared: string[]
  /** Files that Ben created. */
  bens: string[]
  /** Three tags on half of the files each. */
  halves: [string, string, string]
  /** A tag on 200 files that have the longest notes and metadata. */
  wide: string
  /** A tag from which 150 others follow, one after the other. */
  chain: string
  /** Pools of 5,000 files. */
  pools: string[]
  categories: string[]
  /** The file with a history of 20,000 entries. */
  busy: string
  /** Files that look like others. */
  alike: [string, string][]
  dan: number
}

/**
 * Fills an empty library with 100,000 files, 2,000 tags with rules and categories, five users of
 * different rights, pools, pairs that look alike and an audit log.
 */
export async function fillLarge({ deps }: Library): Promise<Large> {
  const { db, passwords } = deps
  const made = fillLibrary(db, { files: FILES })
  const hash = await passwords.hash('a password for tests')
  write(db, { now: 0 }, () => {
    addPeople(db, hash)
    for (const [index, name] of ['first half', 'second half', 'third half'].entries()) {
      addTag(db, `a00${index}`, name, `rid % 2 = ${index % 2}`)
    }
    addTag(db, 'a00a', 'wide', 'rid BETWEEN 50001 AND 50200')
    widen(db)
    addRulesAndCategories(db)
    addPools(db)
    addLog(db)
    // The hashes of `fillLibrary` differ in half of their bits only, which makes millions of pairs.
    db.run('UPDATE files SET phash = random()')
    // Every tenth file looks like the one before it, and a thousand look like each other.
    db.run('UPDATE files SET phash = 42 WHERE rid BETWEEN 1001 AND 2000')
    db.run(
      `UPDATE files SET phash = (SELECT f.phash FROM files f WHERE f.rid = files.rid - 1)
       WHERE rid % 10 = 0 AND rid > 2000`,
    )
  })
  db.run('ANALYZE')
  const ids = (sql: string) => db.all<{ id: Uint8Array }>(sql).map((row) => blobToUuid(row.id))
  const halves = ids("SELECT id FROM tags WHERE name LIKE '% half' ORDER BY rid")
  const before = ids('SELECT id FROM files WHERE rid % 10 = 9 AND rid BETWEEN 3000 AND 4000')
  const after = ids('SELECT id FROM files WHERE rid % 10 = 0 AND rid BETWEEN 3001 AND 4001')
  return {
    made,
    shared: ids('SELECT id FROM files WHERE is_public = 1 AND is_deleted = 0 LIMIT 20000'),
    bens: ids(`SELECT id FROM files WHERE creator_id = ${made.users.ben.id} LIMIT 10000`),
    halves: [halves[0]!, halves[1]!, halves[2]!],
    wide: ids("SELECT id FROM tags WHERE name = 'wide'")[0]!,
    chain: ids('SELECT id FROM tags WHERE rid = 1001')[0]!,
    pools: ids('SELECT id FROM pools ORDER BY rid'),
    categories: ids('SELECT id FROM categories ORDER BY rid'),
    busy: ids('SELECT id FROM files WHERE rid = 1')[0]!,
    alike: before.map((id, index) => [id, after[index]!]),
    dan: DAN,
  }
}

/** Adds Dan, who has a third of the files, and lets Cat, who may not create, edit a tenth. */
function addPeople(db: Db, hash: string): void {
  db.run(
    "INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (?, 'dan', '', 0, 1, 0)",
    DAN,
  )
  db.run('UPDATE users SET password_hash = ?', hash)
  db.run("UPDATE users SET can_create = 0 WHERE name = 'cat'")
  db.run('UPDATE files SET creator_id = ? WHERE rid % 3 = 0', DAN)
  db.run(
    "INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) SELECT 4, 'file', rid, 1, 1 FROM files WHERE rid % 10 = 3",
  )
  db.run(
    "INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) SELECT 4, 'tag', rid, 1, 1 FROM tags WHERE rid % 10 = 3",
  )
}

function addTag(db: Db, tail: string, name: string, files: string): void {
  const { rid } = db.get<{ rid: number }>(
    `INSERT INTO tags (id, name, name_key, creator_id, is_public)
     VALUES (unhex('018bcfe568007000800000000000' || ?), ?, ?, 1, 1) RETURNING rid`,
    tail,
    name,
    name,
  )!
  db.run(`INSERT INTO file_tags (file_rid, tag_rid) SELECT rid, ? FROM files WHERE ${files}`, rid)
}

/** Gives the files of the tag `wide`, and every seventh tag, notes and metadata of full length. */
function widen(db: Db): void {
  const text = 'all that there is to be said about it, ä, ж, 😀; '
  const notes = (length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
  const metadata = JSON.stringify({ text: notes(FILE_NOTES / 2) })
  db.run(
    'UPDATE file_details SET notes = ?, metadata = ? WHERE file_rid BETWEEN 50001 AND 50200',
    notes(FILE_NOTES / 2),
    metadata,
  )
  db.run('UPDATE tags SET notes = ? WHERE rid % 7 = 0', notes(TAG_NOTES / 2))
}

function addRulesAndCategories(db: Db): void {
  db.run('INSERT INTO tag_rules SELECT rid, rid + 1, 1 FROM tags WHERE rid BETWEEN 1001 AND 1150')
  db.run('INSERT INTO tag_rules SELECT rid, rid + 3, 1 FROM tags WHERE rid BETWEEN 1 AND 600')
  db.run(
    `${NUMBERS} INSERT INTO categories (rid, id, name, name_key, color, creator_id, is_public)
     SELECT i, unhex('018bcfe568007000800000000000' || printf('%04x', i)), 'category ' || i,
     'category ' || i, 'c0ffee', 1 + i % 3, i % 2 FROM n`,
    CATEGORIES,
  )
  db.run('UPDATE tags SET category_rid = CASE WHEN rid % 2 THEN 1 ELSE 1 + rid % ? END', CATEGORIES)
}

function addPools(db: Db): void {
  db.run(
    `${NUMBERS} INSERT INTO pools (rid, id, name, name_key, creator_id, is_public, sort_key, sort_order)
     SELECT i, unhex('018bcfe568007000800000000000' || printf('%04x', i)), 'pool ' || i,
     'pool ' || i, 1 + i % 3, i % 2, 'manual', 'asc' FROM n`,
    POOLS,
  )
  db.run(
    `INSERT INTO pool_files SELECT p.rid, f.rid, (f.rid - 1) << 20 FROM pools p, files f WHERE f.rid <= ?`,
    POOL_FILES,
  )
}

/** Writes an entry for each file, and thousands for the first. */
function addLog(db: Db): void {
  const columns = 'user_id, user_name, action, object_type, object_id, details, performed_at'
  const details = '{"tag_ids":["018bcfe5-6805-7000-8000-000000000040"]}'
  db.run(
    `INSERT INTO audit_log (${columns})
     SELECT 2, 'ann', 'file_tag_add', 'file', id, ?, content_datetime FROM files`,
    details,
  )
  db.run(
    `${NUMBERS} INSERT INTO audit_log (${columns})
     SELECT 3, 'ben', 'file_tag_add', 'file', id, ?, i FROM n, files WHERE rid = 1`,
    ENTRIES_OF_ONE,
    details,
  )
}
