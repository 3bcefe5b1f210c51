import { join } from 'node:path'
import { createPasswords } from '../../../src/auth/password.ts'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { blobToUuid } from '../../../src/db/columns.ts'
import { write } from '../../../src/db/write.ts'
import { adoptStore } from '../../../src/files/content/store-marker.ts'
import { addManyFiles } from '../../support/many-files.ts'

const FILES = 100_000
const BULK_TAGS = 20
const WIDE_FILES = 60
const WIDE_TAGS = 300
/** Characters: the most that notes and metadata of a tag once were allowed to have. */
const WIDE_TEXT = 65_000
const USERS = { root: 1, ann: 2, ben: 3, cat: 4, dan: 5 }

/** Everybody's password. */
export const PASSWORD = 'a password for tests'

/** What the attacks need of a library. */
export interface Target {
  /** Ann's files. */
  files: string[]
  /** Two tags on all of Ann's files. */
  onAll: [string, string]
  /** Tags on no file. */
  free: string[]
  ben: number
}

/**
 * Fills a new library in the folder with 100,000 files of Ann's, as many of Ben's, and a few of
 * Cat's, who is the one that looks on.
 */
export async function fillTarget(dataDir: string): Promise<Target> {
  return fill(dataDir, (db) => {
    const tags = addTags(db, BULK_TAGS + 3, null)
    const rids = [1, 2]
    const files = addManyFiles(db, FILES, { owner: USERS.ann, tags: rids })
    addManyFiles(db, FILES, { owner: USERS.ben })
    db.run('UPDATE files SET phash = random() WHERE creator_id = ?', USERS.ann)
    addManyFiles(db, 100, { owner: USERS.cat })
    return { files, onAll: [tags[0]!, tags[1]!], free: tags.slice(2), ben: USERS.ben }
  })
}

/**
 * Fills a new library in the folder with 60 files that all but Cat may see, with 300 tags each, all
 * with notes and metadata of full length.
 */
export async function fillWide(dataDir: string): Promise<void> {
  await fill(dataDir, (db) => {
    // The files with the tags come after them, so that they are the newest.
    addManyFiles(db, 100, { owner: USERS.cat })
    addTags(db, WIDE_TAGS, 'all there is to say '.repeat(WIDE_TEXT / 20))
    const tags = Array.from({ length: WIDE_TAGS }, (_, index) => index + 1)
    addManyFiles(db, WIDE_FILES, { owner: USERS.root, tags })
    db.run(
      `INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit)
       SELECT users.id, 'file', rid, 1, 0 FROM users, files
       WHERE name IN ('ann', 'ben', 'dan') AND creator_id = 1`,
    )
  })
}

async function fill<Result>(dataDir: string, add: (db: Db) => Result): Promise<Result> {
  const hash = await createPasswords().hash(PASSWORD)
  const db = openDatabase(join(dataDir, 'tagstead.sqlite'), { migrations: 'drizzle' })
  try {
    await adoptStore(db, { dataDir, store: null })
    const result = write(db, { now: 0 }, () => {
      for (const [name, id] of Object.entries(USERS)) {
        db.run(
          `INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked)
           VALUES (?, ?, ?, ?, 1, 0)`,
          id,
          name,
          hash,
          Number(name === 'root'),
        )
      }
      return { made: add(db) }
    })
    db.run('ANALYZE')
    return result.made
  } finally {
    db.close()
  }
}

/** Adds public tags of the admin, with that text as notes and in the metadata; returns their ids. */
function addTags(db: Db, count: number, text: string | null): string[] {
  db.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO tags (rid, id, name, name_key, notes, metadata, creator_id, is_public)
     SELECT i, unhex('018bcfe568007000800000000000' || printf('%04x', i)), 'tag ' || i,
     'tag ' || i, ?, ?, 1, 1 FROM n`,
    count,
    text,
    text && JSON.stringify({ text: text.slice(20) }),
  )
  return db
    .all<{ id: Uint8Array }>('SELECT id FROM tags ORDER BY rid')
    .map((row) => blobToUuid(row.id))
}
