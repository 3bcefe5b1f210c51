import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../support/eventually.ts'
import { form, picture } from '../../support/harness.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { killDuringUploads, signIn } from '../../torture/upload.ts'

describe('kill -9 during uploads', () => {
  it('loses nothing that was acknowledged, and leaves nothing half', {
    timeout: 120_000,
  }, async () => {
    const { acknowledged, unreferenced } = await killDuringUploads(3)
    assert.ok(acknowledged > 0)
    // One for each upload that a kill can cut between its content and its row.
    assert.ok(unreferenced <= 3 * 3)
  })
})

describe('uploads to a server', () => {
  let server: SpawnedServer
  let token: string
  before(async () => {
    server = await spawnServer({ env: { MAX_UPLOAD_SIZE: '1MiB' } })
    token = await signIn(server)
  })
  after(() => server.stop())

  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api/v1${path}`, { ...init, headers: { Authorization: `Bearer ${token}` } })
  const upload = (bytes: Uint8Array, name = 'picture.jpg') =>
    send('/files', { method: 'POST', body: form(bytes, name) })
  const temporaryFiles = () => readdirSync(join(server.dataDir, 'tmp'))

  it('take the same bytes twice at once as two files', async () => {
    const bytes = Buffer.concat([await picture(3), Buffer.alloc(900_000, 'x')])
    const answers = await Promise.all([upload(bytes), upload(bytes), upload(bytes)])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201],
    )
    const ids = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { id: string }).id),
    )
    assert.equal(new Set(ids).size, 3)
    for (const id of ids) {
      const content = await send(`/files/${id}/content`)
      assert.ok(bytes.equals(new Uint8Array(await content.arrayBuffer())))
    }
    assert.deepEqual(temporaryFiles(), [])
  })

  it('are refused in the Error shape when they are too large', async () => {
    const answer = await upload(new Uint8Array(2 ** 20 + 1))
    const body = (await answer.json()) as { code: string; message: string }
    assert.deepEqual([answer.status, body.code], [413, 'payload_too_large'])
    assert.deepEqual(temporaryFiles(), [])
    assert.equal((await upload(await picture())).status, 201)
  })

  it('leave nothing when the client hangs up half-way', async () => {
    const { port } = new URL(server.url)
    const client = connect(Number(port), '127.0.0.1')
    client.write(
      'POST /api/v1/files HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n' +
        `Authorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=edge\r\n\r\n` +
        '--edge\r\nContent-Disposition: form-data; name="file"; filename="x.jpg"\r\n\r\nbytes',
    )
    // The folder belongs to another process, and events of the file system are not all told on Bun.
    await eventually(() => temporaryFiles().length === 1)
    client.destroy()
    await eventually(() => temporaryFiles().length === 0)
    const list = (await (await send('/files?limit=200')).json()) as {
      items: { original_name: string }[]
    }
    assert.ok(list.items.every((file) => file.original_name !== 'x.jpg'))
  })
})
