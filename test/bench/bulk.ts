import type { Db } from '../../src/db/client.ts'
import { blobToUuid } from '../../src/db/columns.ts'
import { write } from '../../src/db/write.ts'
import { bulkTags } from '../../src/files/bulk/bulk.ts'
import { makeLibrary } from './library.ts'
import { printTable } from './measure.ts'
import { compare } from './tagging.ts'

const TAGS = 20

/**
 * Prints how long one call with 20 tags on 1,000 and 10,000 files takes, compared with the bare
 * statements.
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
  } finally {
    db.close()
    library.remove()
  }
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
