import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { form, picture } from '../../support/harness.ts'
import { openSmallDisk, type SmallDisk, withoutSmallDisk } from '../../support/small-disk.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { signIn } from '../../torture/upload.ts'

describe('a server whose disk is full', { skip: withoutSmallDisk }, () => {
  let disk: SmallDisk
  let dataDir: string
  let server: SpawnedServer
  let token: string
  let id: string
  before(async () => {
    if (withoutSmallDisk) return
    disk = openSmallDisk(48)
    dataDir = join(disk.path, 'data')
    server = await spawnServer({ dataDir })
    token = await signIn(server)
    const sent = await send('/files', { method: 'POST', body: form(await picture(1), 'a.jpg') })
    assert.equal(sent.status, 201)
    id = ((await sent.json()) as { id: string }).id
    disk.fill()
  })
  after(async () => {
    await server?.stop()
    disk?.remove()
  })

  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api/v1${path}`, { ...init, headers: { Authorization: `Bearer ${token}` } })
  const codeOf = async (response: Response) => {
    const { code } = (await response.json()) as { code: string }
    return [response.status, code]
  }
  const signInStatus = async () => {
    const body = JSON.stringify({ name: 'admin', password: server.adminPassword })
    const headers = { 'Content-Type': 'application/json' }
    return (await fetch(`${server.url}/api/v1/auth/login`, { method: 'POST', headers, body }))
      .status
  }

  it('refuses what finds no room', async () => {
    const bodies = { '/files': form(await picture(2), 'b.jpg') }
    for (const path of ['/files', '/files/import', '/files/duplicates/rescan'] as const) {
      const body = path in bodies ? bodies['/files'] : null
      const refused = await send(path, { method: 'POST', body })
      assert.deepEqual(await codeOf(refused), [507, 'insufficient_storage'], path)
    }
  })

  // What the database keeps inside is there after a kill. What a clean end has freed is somebody else's by now.
  for (const [signal, signingIn] of [
    ['SIGKILL', 200],
    ['SIGTERM', 507],
  ] as const) {
    it(`starts again after ${signal}, and shows what there is`, async () => {
      const code = await server.stop(signal)
      assert.equal(code, signal === 'SIGTERM' ? 0 : null)
      disk.fill()
      server = await spawnServer({ dataDir })
      assert.equal((await send(`/files/${id}`)).status, 200)
      assert.equal((await send(`/files/${id}/content`)).status, 200)
      // By a reader, or where that can't open the database beside the server, by the server.
      for (const overview of ['/files/timeline', '/files/ids?limit=1', '/tags/counts']) {
        assert.equal((await send(overview)).status, 200, overview)
      }
      assert.equal(await signInStatus(), signingIn)
    })
  }

  it('goes on as before once there is room', async () => {
    disk.empty()
    assert.equal(await signInStatus(), 200)
    const sent = await send('/files', { method: 'POST', body: form(await picture(2), 'b.jpg') })
    assert.equal(sent.status, 201)
    assert.equal((await send(`/files/${id}`, { method: 'DELETE' })).status, 204)
    assert.ok(!existsSync(join(dataDir, 'lock-journal')))
  })
})
