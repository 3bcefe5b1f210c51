import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../../../src/db/client.ts'
import { acquireLock } from '../../../src/db/lock.ts'
import { eventually } from '../../support/eventually.ts'
import { descriptorsOf } from '../../support/processes.ts'
import { commandLine } from '../../support/spawn.ts'

describe('a lock', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tagstead-lock-'))
  })
  after(() => rmSync(folder, { recursive: true }))
  const isTaken = { code: 'conflict', message: 'it is taken' }

  it('is one holder’s at a time, and writes nothing', () => {
    const path = join(folder, 'lock')
    const lock = acquireLock(path, 'it is taken')
    assert.throws(() => acquireLock(path, 'it is taken'), isTaken)
    assert.deepEqual([readdirSync(folder), statSync(path).size], [['lock'], 0])
    lock.release()
    lock.release()
    acquireLock(path, 'it is taken').release()
    rmSync(path)
  })

  it('is waited for while another process has it for a moment only', async () => {
    const path = join(folder, 'moment')
    const file = fileURLToPath(new URL('../../support/wait-for-lock.ts', import.meta.url))
    const [program, ...args] = commandLine(undefined, file)
    const lock = acquireLock(path, 'it is taken')
    const child = spawn(program, [...args, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'close')
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
    })
    await eventually(() => [...descriptorsOf(child.pid!).values()].includes(realpathSync(path)))
    assert.equal(said, '')
    lock.release()
    assert.deepEqual(await ended, [0, null])
    assert.equal(said, 'taken\n')
    rmSync(path)
  })

  it('is taken over from an older version, unless that one is at work', () => {
    const path = join(folder, 'older')
    // Its locks had a write-ahead log.
    const older = openDatabase(path)
    older.run('BEGIN EXCLUSIVE')
    assert.throws(() => acquireLock(path, 'it is taken'), isTaken)
    older.run('ROLLBACK')
    older.close()
    const lock = acquireLock(path, 'it is taken')
    assert.throws(() => acquireLock(path, 'it is taken'), isTaken)
    assert.deepEqual(readdirSync(folder), ['older'])
    lock.release()
  })
})
