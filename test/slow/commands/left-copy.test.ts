import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { parseConfig } from '../../../src/config.ts'
import { acquireLock } from '../../../src/db/lock.ts'
import { openForCommand, openForServer } from '../../../src/library.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { openLibraryOf3 } from '../../support/dates/old-files.ts'

let folder: string
let copy: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tagstead-copy-'))
  const { datesCopy } = dataFolder(folder)
  mkdirSync(datesCopy)
  copy = join(datesCopy, 'copy.sqlite')
  writeFileSync(copy, 'all that is in the library')
})
afterEach(() => rmSync(folder, { recursive: true }))

const config = () => parseConfig({ DATA_DIR: folder, FFMPEG_PATH: '', LOG_LEVEL: 'silent' })
const startAndStop = async () => (await openForServer(config())).close()

describe('the copy of an older library that is read', () => {
  it('is removed by the next start when its command was killed', async () => {
    await startAndStop()
    assert.equal(existsSync(join(folder, 'tmp-dates')), false)
  })

  const migrating = {
    server: () => openForServer(config()),
    command: () => openForCommand(config(), 'tmp-import'),
  }
  for (const [who, open] of Object.entries(migrating)) {
    it(`gives its room to the migration of a ${who}`, async () => {
      const db = openLibraryOf3(folder)
      // The migration that would make it fails.
      db.run('CREATE TABLE background_work (name TEXT)')
      db.close()
      await assert.rejects(open(), /background_work/)
      assert.equal(existsSync(copy), false)
    })
  }

  it('stays while its command is at work', async () => {
    const lock = acquireLock(join(folder, 'dates.lock'), 'taken')
    await startAndStop()
    assert.equal(existsSync(copy), true)
    lock.release()
    await startAndStop()
    assert.equal(existsSync(copy), false)
  })
})
