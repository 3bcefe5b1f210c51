import assert from 'node:assert/strict'
import { appendFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { signIn } from '../../support/backups.ts'
import { eventually } from '../../support/eventually.ts'
import { openSharingDisk, withoutSharingDisk } from '../../support/small-disk.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'

describe('a full disk that copies on write', { skip: withoutSharingDisk }, () => {
  let disk: ReturnType<typeof openSharingDisk>
  let server: SpawnedServer
  let dataDir = ''
  const ballast = () => join(dataDir, 'tagstead.sqlite-ballast')
  const filler = () => join(disk.path, 'fill')

  before(async () => {
    disk = openSharingDisk(256)
    dataDir = join(disk.path, 'data')
    server = await spawnServer({ dataDir })
  })
  after(async () => {
    await server?.stop()
    disk?.remove()
  })

  it('lets people sign in and delete, once the ballast is given up', async () => {
    const { id } = await (await signIn(server)).upload('a.jpg', 'red')
    assert.ok(existsSync(ballast()))
    // A write of the server meanwhile would give up the ballast to what fills the disk.
    server.process.kill('SIGSTOP')
    for (const bytes of [2 ** 20, 2 ** 12]) {
      assert.throws(
        () => {
          for (;;) appendFileSync(filler(), Buffer.alloc(bytes))
        },
        { code: 'ENOSPC' },
      )
    }
    server.process.kill('SIGCONT')
    const body = { name: 'admin', password: server.adminPassword }
    const login = () =>
      fetch(`${server.url}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    // A few writes may still find a place.
    await eventually(async () => {
      await login()
      return !existsSync(ballast())
    })
    await eventually(async () => (await login()).status === 200)
    const signed = await signIn(server)
    await signed.call('DELETE', `/files/${id}`)
    await signed.call('DELETE', `/files/${id}/permanent`)
  })

  it('has another one from the next start on', async () => {
    assert.equal(await server.stop(), 0)
    rmSync(filler())
    server = await spawnServer({ dataDir })
    assert.ok(existsSync(ballast()))
  })
})
