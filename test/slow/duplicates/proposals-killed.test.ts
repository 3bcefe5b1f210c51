import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { addPictures } from '../../support/duplicates/pictures.ts'
import { spawnServer } from '../../support/spawn.ts'
import { signIn } from '../../torture/upload.ts'

const PAIRS = 500
const TABLES = ['files', 'file_details', 'file_tags', 'acl', 'audit_log']

const stored = (db: Db) => TABLES.map((table) => db.all(`SELECT * FROM ${table} ORDER BY 1, 2`))
const trashed = (db: Db) =>
  db.get<{ count: number }>('SELECT count(*) AS count FROM files WHERE is_deleted = 1')!.count

/** Resolves once another process is in a write. */
async function untilWriting(db: Db): Promise<void> {
  for (;;) {
    try {
      db.run('BEGIN IMMEDIATE')
    } catch {
      return
    }
    db.run('ROLLBACK')
    await setImmediate()
  }
}

describe('a server that is killed while it settles', () => {
  it('has done nothing, and does all of it when it is asked again', {
    timeout: 120_000,
  }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tagstead-settle-'))
    const start = () => spawnServer({ dataDir, env: { DUPLICATE_RESCAN_INTERVAL: '0' } })
    let server = await start()
    const db = openDatabase(join(dataDir, 'tagstead.sqlite'), { migrations: 'drizzle' })
    try {
      const made = Array.from({ length: 2 * PAIRS }, (_, n) => ({ content: `c ${n % PAIRS}.` }))
      const ids = addPictures(db, 1, made)
      const items = ids.slice(0, PAIRS).map((keep, n) => ({ keep, discard: [ids[PAIRS + n]] }))
      const send = async (token: string) =>
        fetch(`${server.url}/api/v1/files/duplicates/proposals/settle`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ items }),
        })
      const token = await signIn(server)
      const before = stored(db)
      db.run('PRAGMA busy_timeout = 0')
      const answer = send(token).catch(() => null)
      await untilWriting(db)
      await server.stop('SIGKILL')
      assert.equal(await answer, null)
      assert.deepEqual(stored(db), before)
      server = await start()
      const again = await send(await signIn(server))
      assert.deepEqual(((await again.json()) as { settled: number }).settled, PAIRS)
      assert.equal(trashed(db), PAIRS)
    } finally {
      db.close()
      await server.stop()
      await rm(dataDir, { recursive: true })
    }
  })
})
