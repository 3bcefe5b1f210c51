import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, statfsSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../../src/db/client.ts'
import { openLibraryOf3 } from '../../support/dates/old-files.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { openSmallDisk, withoutSmallDisk } from '../../support/small-disk.ts'
import { spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'

const COPY = 'tagstead.sqlite.before-3.0.0'
const DAY = 86_400_000

describe('the database of an older version', () => {
  let dataDir: string
  let remove: () => Promise<void>
  before(async () => {
    const folder = await temporaryFolder()
    dataDir = join(folder.path, 'data')
    remove = folder.remove
    mkdirSync(dataDir)
    const db = openLibraryOf3(dataDir)
    db.run(
      "INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (1, 'Ann', '', 1, 1, 0)",
    )
    db.close()
  })
  after(() => remove())
  const copies = () => readdirSync(dataDir).filter((name) => name.includes('.before-'))

  it('is copied before it is migrated, as it was', async () => {
    await (await spawnServer({ dataDir })).stop()
    assert.deepEqual(copies(), [COPY])
    assert.equal(statSync(join(dataDir, COPY)).mode & 0o777, 0o600)
    const copy = openDatabase(join(dataDir, COPY), { journal: 'delete' })
    const { count } = copy.get<{ count: number }>(
      'SELECT count(*) AS count FROM __drizzle_migrations',
    )!
    assert.equal(count, 7)
    assert.deepEqual(copy.all('SELECT name FROM users'), [{ name: 'Ann' }])
    assert.deepEqual(copy.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
    copy.close()
  })

  it('is not copied again when there is nothing to migrate, and goes after 30 days', async () => {
    const path = join(dataDir, COPY)
    const aged = (days: number) => {
      const time = new Date(Date.now() - days * DAY)
      utimesSync(path, time, time)
    }
    aged(29)
    const { mtimeMs } = statSync(path)
    await (await spawnServer({ dataDir })).stop()
    assert.equal(statSync(path).mtimeMs, mtimeMs)
    aged(31)
    await (await spawnServer({ dataDir })).stop()
    assert.deepEqual(copies(), [])
  })

  it('is left as it is while there is no room to migrate it', {
    skip: withoutSmallDisk,
  }, async () => {
    const disk = openSmallDisk(8)
    try {
      openLibraryOf3(disk.path).close()
      const path = join(disk.path, 'tagstead.sqlite')
      const { size } = statSync(path)
      const { bsize, bavail } = statfsSync(disk.path)
      writeFileSync(join(disk.path, 'ballast'), Buffer.alloc(bsize * bavail - 1.9 * size))
      await assert.rejects(
        spawnServer({ dataDir: disk.path }),
        /can't be opened: its migration has no room: \d+\.\d \wiB are needed in .*, where \d.* are free/,
      )
      assert.equal(statSync(path).size, size)
      assert.deepEqual(
        readdirSync(disk.path).filter((name) => name.includes('before')),
        [],
      )
    } finally {
      disk.remove()
    }
  })
})
