import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { parseConfig } from '../../src/config.ts'
import { acquireLock } from '../../src/db/lock.ts'
import { openForServer } from '../../src/library.ts'
import { dataFolder } from '../../src/media/data-folder.ts'

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

async function startAndStop(): Promise<void> {
  const config = parseConfig({ DATA_DIR: folder, FFMPEG_PATH: '', LOG_LEVEL: 'silent' })
  await (await openForServer(config)).close()
}

describe('the copy of an older library that is read', () => {
  it('is removed by the next start when its command was killed', async () => {
    await startAndStop()
    assert.equal(existsSync(join(folder, 'tmp-dates')), false)
  })

  it('stays while its command is at work', async () => {
    const lock = acquireLock(join(folder, 'dates.lock'), 'taken')
    await startAndStop()
    assert.equal(existsSync(copy), true)
    lock.release()
    await startAndStop()
    assert.equal(existsSync(copy), false)
  })
})
