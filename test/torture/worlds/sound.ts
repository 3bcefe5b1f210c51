import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { storedContents } from '../../support/contents.ts'
import { sha256 } from '../../support/imports.ts'

/** What must be 0 in every library. */
const COUNTS = {
  'tag_count of files': `files WHERE tag_count <>
    (SELECT count(*) FROM file_tags WHERE file_rid = files.rid)`,
  'file_count of tags': `tags WHERE file_count <>
    (SELECT count(*) FROM file_tags WHERE tag_rid = tags.rid)`,
  'files without a place in a pool': 'pool_files WHERE order_key >= 1 << 60',
  'files without details': 'files WHERE rid NOT IN (SELECT file_rid FROM file_details)',
}

/** Opens the database of a library, which a server may have open, too, for as long as `work` takes. */
export async function withDatabase<T>(
  dataDir: string,
  work: (db: Db) => T | Promise<T>,
): Promise<T> {
  const db = openDatabase(dataFolder(dataDir).database)
  try {
    return await work(db)
  } finally {
    db.close()
  }
}

/**
 * Throws unless SQLite finds the database sound, counters are right, and each row has its content with its size and
 * SHA-256. Returns the contents that no row names and that don't wait to be removed.
 */
export function checkSound(dataDir: string, db: Db): string[] {
  assert.deepEqual(db.get('PRAGMA integrity_check'), { integrity_check: 'ok' })
  assert.deepEqual(db.all('PRAGMA foreign_key_check'), [])
  for (const [what, from] of Object.entries(COUNTS)) {
    assert.deepEqual(db.all(`SELECT * FROM ${from}`), [], what)
  }
  const rows = db.all<{ blob: string; size: number; sha256: Uint8Array }>(
    'SELECT blob, size, sha256 FROM file_details',
  )
  const { content } = dataFolder(dataDir)
  for (const { blob, size, sha256: digest } of rows) {
    const bytes = readFileSync(content(blob))
    assert.equal(bytes.length, size, `the size of ${blob}`)
    assert.equal(sha256(bytes), Buffer.from(digest).toString('hex'), `the content ${blob}`)
  }
  const known = new Set(rows.map(({ blob }) => blob))
  for (const { blob } of db.all<{ blob: string }>('SELECT blob FROM removals')) known.add(blob)
  return storedContents(dataDir)
    .map((path) => basename(path))
    .filter((blob) => !known.has(blob))
}

/** Throws unless the server has left no temporary file of an earlier one. */
export function checkTemporary(dataDir: string): void {
  assert.deepEqual(readdirSync(join(dataDir, 'tmp')), [], 'temporary files')
}
