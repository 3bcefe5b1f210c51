import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { parseConfig } from '../../../src/base/config.ts'
import { lockImports } from '../../../src/imports/import.ts'
import { picture } from '../../support/harness.ts'
import { type ImportCommand, openImportCommand } from '../../support/import-command.ts'
import { namesIn, putFile } from '../../support/imports.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { signIn } from '../../torture/upload.ts'

/** More than are imported until a busy machine has sent the signal. */
const COUNT = 400

let on: ImportCommand
before(async () => {
  on = await openImportCommand()
})
after(() => on.close())
beforeEach(() => on.clear())

describe('tagstead import', () => {
  it('stops after the current file at a signal', async () => {
    const bytes = await picture(1)
    for (let n = 0; n < COUNT; n++) {
      putFile(on.folder, `${n}.jpg`, Buffer.concat([bytes, Buffer.from(`${n}`)]), n)
    }
    const child = on.start(['--user', 'admin'])
    const end = on.ended(child)
    await once(child.stdout!, 'data')
    child.kill('SIGINT')
    const { code, stderr } = await end
    const left = namesIn(on.folder).length
    assert.deepEqual(
      [code, stderr],
      [1, `Tagstead can't import: stopped after ${COUNT - left} of ${COUNT} entries\n`],
    )
    assert.ok(left > 0)
    assert.deepEqual(namesIn(join(on.dataDir, 'tmp-import')), [])
    assert.deepEqual(on.db.all('SELECT * FROM import_journal'), [])
  })
})

describe('tagstead import beside a server', () => {
  let server: SpawnedServer
  let token: string
  before(async () => {
    server = await spawnServer({ dataDir: on.dataDir })
    token = await signIn({ ...server, adminPassword: 'a password for tests' })
  })
  after(() => server.stop())

  const post = () =>
    fetch(`${server.url}/api/v1/files/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    })

  it('runs when no other import does, and the server sees its files at once', async () => {
    for (let n = 0; n < 3; n++) putFile(on.folder, `${n}.jpg`, await picture(n), n)
    const lock = lockImports(parseConfig({ DATA_DIR: on.dataDir }))
    const refused = await post()
    assert.deepEqual(
      [refused.status, await refused.json()],
      [409, { code: 'conflict', message: 'Another import is running' }],
    )
    assert.deepEqual(await on.command(['--user', 'admin']), {
      code: 1,
      stdout: '',
      stderr: "Tagstead can't import: Another import is running\n",
    })
    lock.release()
    assert.equal((await on.command(['--user', 'admin'])).code, 0)
    assert.deepEqual(namesIn(on.folder), [])
    const files = await fetch(`${server.url}/api/v1/files?limit=1`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const { items } = (await files.json()) as { items: { original_name: string }[] }
    assert.equal(items[0]?.original_name, '2.jpg')
  })
})
