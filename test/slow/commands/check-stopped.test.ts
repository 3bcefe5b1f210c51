import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readlinkSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openDatabase } from '../../../src/db/client.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { unlessAbsentNow } from '../../../src/media/unless-absent.ts'
import { startCheck, withCheckedLibrary } from '../../support/checked-library.ts'
import { eventually } from '../../support/eventually.ts'

describe('tagstead check, when it is stopped,', () => {
  const library = withCheckedLibrary()

  it('leaves off between two looks at the database', async () => {
    const folder = library.copied()
    const path = join(folder, 'tagstead.sqlite')
    const db = openDatabase(path)
    // Nobody else reads it as long as this stands.
    db.run('PRAGMA locking_mode = exclusive')
    db.run('BEGIN IMMEDIATE')
    const child = startCheck(folder, '--quick')
    const [said, complaints] = [child.stdout.toArray(), child.stderr.toArray()]
    const files = `/proc/${child.pid}/fd`
    const hasOpened = () =>
      readdirSync(files).some((name) =>
        unlessAbsentNow(() => readlinkSync(join(files, name)))?.includes(path),
      )
    await eventually(async () => hasOpened())
    child.kill('SIGINT')
    db.close()
    const [code] = await once(child, 'close')
    assert.deepEqual([code, String(await said)], [1, ''])
    assert.match(String(await complaints), /has not checked everything: it was stopped/)
    rmSync(folder, { recursive: true })
  })

  it('leaves off while it reads a content', async () => {
    const folder = library.copied()
    const db = openDatabase(join(folder, 'tagstead.sqlite'))
    const [row] = db.all<{ rid: number; blob: string }>(
      'SELECT file_rid AS rid, blob FROM file_details',
    )
    const path = dataFolder(folder).content(row!.blob)
    // It takes long to read what has no bytes on the disk.
    truncateSync(path, 2 ** 36)
    db.run('UPDATE file_details SET size = ? WHERE file_rid = ?', 2 ** 36, row!.rid)
    db.run('UPDATE usage SET file_count = 99')
    db.close()
    const child = startCheck(folder)
    const complaints = child.stderr.toArray()
    // The first finding comes before contents are read.
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    const [code] = await once(child, 'close')
    assert.equal(code, 1)
    assert.match(String(await complaints), /has not checked everything: it was stopped/)
    rmSync(folder, { recursive: true })
  })
})
