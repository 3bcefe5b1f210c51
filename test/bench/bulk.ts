import type { User } from '../../src/base/user.ts'
import type { Db } from '../../src/db/client.ts'
import { blobToUuid } from '../../src/db/columns.ts'
import { type Tx, write } from '../../src/db/write.ts'
import { bulkDelete, bulkReview, bulkTags } from '../../src/files/bulk/bulk.ts'
import { makeLibrary } from './library.ts'
import { measureOnce, printTable } from './measure.ts'
import { compare } from './tagging.ts'

const TAGS = 20
const ROUNDS = 5

/**
 * Prints how long one call with 20 tags on 1,000 and 10,000 files takes, and one that reviews or trashes
 * 10,000, compared with the bare statements.
 */
export async function bench(): Promise<void> {
  const library = makeLibrary({ files: 30_000 })
  const db = library.reopen()
  try {
    const tags = addTags(db)
    const rows = []
    for (const user of [library.users.root, library.users.ann]) {
      for (const count of [1000, 10_000]) {
        const files = db.all<{ rid: number; id: Uint8Array }>(
          'SELECT rid, id FROM files WHERE creator_id = ? LIMIT ?',
          library.users.ann.id,
          count,
        )
        const request = {
          action: 'add' as const,
          file_ids: files.map((file) => blobToUuid(file.id)),
          tag_ids: tags.map((tag) => blobToUuid(tag.id)),
        }
        const times = compare(db, {
          files: files.map((file) => file.rid),
          tags: tags.map((tag) => tag.rid),
          work: () => write(db, { now: Date.now() }, (tx) => bulkTags(tx, user, request)),
        })
        rows.push({ bulk: `${TAGS} tags on ${count} files`, who: user.name, ...times })
      }
    }
    printTable('tags put on many files in one call', rows)
    printTable('other changes of many files in one call', await others(db, library.users.ann))
  } finally {
    db.close()
    library.remove()
  }
}

/** Measures reviews and what goes to the trash, compared with the statement that writes the files alone. */
async function others(db: Db, user: User) {
  const files = db.all<{ rid: number; id: Uint8Array }>(
    'SELECT rid, id FROM files WHERE creator_id = ? AND is_deleted = 0 LIMIT 10000',
    user.id,
  )
  const file_ids = files.map((file) => blobToUuid(file.id))
  const rids = JSON.stringify(files.map((file) => file.rid))
  const set = (columns: string) =>
    write(db, { now: 0 }, () =>
      db.run(`UPDATE files SET ${columns} WHERE rid IN (SELECT value FROM json_each(?))`, rids),
    )
  const cases: [what: string, former: string, after: string, work: (tx: Tx) => unknown][] = [
    [
      'reviewed',
      'needs_review = 1',
      'needs_review = 0',
      (tx) => bulkReview(tx, user, { file_ids, needs_review: false }),
    ],
    ['trashed', 'is_deleted = 0', 'is_deleted = 1', (tx) => bulkDelete(tx, user, file_ids)],
  ]
  const rows = []
  for (const [what, former, after, work] of cases) {
    const [took, bare] = [Infinity, Infinity].map((time) => ({ time }))
    for (let round = 0; round < ROUNDS; round++) {
      for (const [best, run] of [
        [took, () => write(db, { now: Date.now() }, work)],
        [bare, () => set(after)],
      ] as const) {
        set(former)
        const { ms } = await measureOnce(run)
        best!.time = Math.min(best!.time, ms)
      }
    }
    const ratio = took!.time / bare!.time
    rows.push({ files: `${file_ids.length} ${what}`, took: took!.time, bare: bare!.time, ratio })
  }
  return rows
}

function addTags(db: Db): { rid: number; id: Uint8Array }[] {
  return Array.from({ length: TAGS }, (_, index) => {
    const name = `bulk ${index}`
    return db.get<{ rid: number; id: Uint8Array }>(
      `INSERT INTO tags (id, name, name_key, creator_id, is_public) VALUES (randomblob(16), ?, ?, 2, 1)
       RETURNING rid, id`,
      name,
      name,
    )!
  })
}
