import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Db } from '../../../src/db/client.ts'
import { newId } from '../../../src/db/ids.ts'
import { write } from '../../../src/db/write.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { sha256 } from '../../support/imports.ts'

/**
 * Gives the library of a server that is not running so many files of the first user, with small contents that nobody
 * decodes, named by `prefix`.
 */
export function addOldFiles(dataDir: string, db: Db, count: number, prefix: string): void {
  const { content } = dataFolder(dataDir)
  write(db, { now: Date.now() }, (tx) => {
    for (let n = 0; n < count; n++) {
      const name = `${prefix}-old-${n}`
      const blob = randomBytes(16).toString('hex')
      const bytes = Buffer.from(`the content of ${name}`)
      mkdirSync(dirname(content(blob)), { recursive: true })
      writeFileSync(content(blob), bytes)
      const id = Buffer.from(newId(tx, 'files').replaceAll('-', ''), 'hex')
      tx.run(
        `INSERT INTO files (id, original_name, name_key, mime_type, mime_extension, content_datetime,
         creator_id, is_public, is_deleted, needs_review, date_source)
         VALUES (?, ?, ?, 'video/mp4', 'mp4', ?, 1, 0, 0, 1, 'upload')`,
        id,
        name,
        name,
        n,
      )
      const { rid } = tx.get<{ rid: number }>('SELECT last_insert_rowid() AS rid')!
      tx.run(
        `INSERT INTO file_details (file_rid, blob, size, sha256, stored_at, derivative_state, exif)
         VALUES (?, ?, ?, unhex(?), 0, 'made', '{}')`,
        rid,
        blob,
        bytes.length,
        sha256(bytes),
      )
      tx.run("INSERT INTO file_looks (file_rid, thumbhash, decoder) VALUES (?, x'00', 'none')", rid)
    }
  })
}
