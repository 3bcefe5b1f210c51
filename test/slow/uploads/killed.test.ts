import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { picture } from '../../support/harness.ts'
import { keyOf, sendTo } from '../../support/served-dav.ts'
import { spawnServer } from '../../support/spawn.ts'
import { describe, it } from '../../support/test.ts'
import { signIn } from '../../torture/upload.ts'

const KILLS = process.env.MATRIX === 'all' ? 20 : 5
const TAIL = 2 ** 20
// Milliseconds, so that a kill may hit any moment of a file.
const LONGEST_LIFE = 400
// As many as one page of a list has.
const MOST = 150
const TUS = { 'Tus-Resumable': '1.0.0' }

async function fresh(): Promise<Buffer> {
  const tail = randomBytes(Math.floor(Math.random() * TAIL))
  return Buffer.concat([await picture(), tail])
}

describe('kill -9 under uploads in parts', () => {
  it('makes one file of each, with all of its bytes', { timeout: 600_000 }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tagstead-killed-'))
    const whole = new Map<string, Buffer>()
    let server = await spawnServer({ dataDir })
    let key = ''
    let token = ''
    let number = 0

    const ask = (method: string, path: string, headers: object, body?: Buffer) =>
      fetch(`${server.url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, ...TUS, ...headers } as never,
        ...(body && { body: Uint8Array.from(body) }),
      })

    /** Goes on with an upload by tus until it is a file. */
    async function goOn(path: string, bytes: Buffer): Promise<void> {
      for (;;) {
        const { status, headers } = await ask('HEAD', path, {})
        assert.equal(status, 200)
        if (headers.get('Upload-File-Id') !== null) return
        const at = Number(headers.get('Upload-Offset'))
        const part = bytes.subarray(at, at + 400_000)
        const type = { 'Content-Type': 'application/offset+octet-stream' }
        const sent = await ask('PATCH', path, { ...type, 'Upload-Offset': String(at) }, part)
        assert.equal(sent.status, 204, await sent.text())
      }
    }

    const tusOpen = new Map<string, Buffer>()
    async function tus(): Promise<void> {
      const bytes = await fresh()
      const name = `tus-${number++}.jpg`
      const metadata = `filename ${Buffer.from(name).toString('base64')}`
      const length = { 'Upload-Length': String(bytes.length), 'Upload-Metadata': metadata }
      const path = (await ask('POST', '/api/v1/uploads', length)).headers.get('Location')!
      tusOpen.set(path, bytes)
      whole.set(name, bytes)
      await goOn(path, bytes)
      tusOpen.delete(path)
    }

    const davOpen = new Map<string, Buffer>()
    async function dav(): Promise<void> {
      const bytes = await fresh()
      const name = `dav-${number++}.jpg`
      const put = await sendTo(server, key, 'PUT', `${name}.part`, { body: bytes })
      assert.equal(put.status, 201)
      davOpen.set(name, bytes)
      whole.set(name, bytes)
      await finish(name)
      davOpen.delete(name)
    }
    async function finish(name: string): Promise<void> {
      const headers = { Destination: `/dav/${name}` }
      const { status } = await sendTo(server, key, 'MOVE', `${name}.part`, { headers })
      // A part that is not there has become what it was moved to.
      assert.ok(status === 201 || status === 404, `${name} ${status}`)
    }

    async function repeat(work: () => Promise<void>): Promise<void> {
      while (whole.size < MOST) {
        try {
          await work()
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error
          return
        }
      }
    }

    try {
      key = await keyOf(server)
      for (let n = 0; n < KILLS; n++) {
        token = await signIn(server)
        await dav()
        const clients = [repeat(tus), repeat(tus), repeat(dav), repeat(dav)]
        await setTimeout(Math.random() * LONGEST_LIFE)
        await server.stop('SIGKILL')
        await Promise.all(clients)
        server = await spawnServer({ dataDir })
        token = await signIn(server)
        for (const [path, bytes] of tusOpen) await goOn(path, bytes)
        tusOpen.clear()
        for (const name of davOpen.keys()) await finish(name)
        davOpen.clear()
      }
      const path = '/api/v1/files?limit=200'
      const { items } = (await (await ask('GET', path, {})).json()) as {
        items: { id: string; original_name: string }[]
      }
      assert.deepEqual(items.map((file) => file.original_name).sort(), [...whole.keys()].sort())
      for (const { id, original_name } of items) {
        const content = await ask('GET', `/api/v1/files/${id}/content`, {})
        const bytes = Buffer.from(await content.arrayBuffer())
        assert.ok(bytes.equals(whole.get(original_name)!), original_name)
      }
      // A kill may have come between a part's commit and its answer.
      for (let n = 0; n < number; n++) await sendTo(server, key, 'DELETE', `dav-${n}.jpg.part`)
      assert.deepEqual(readdirSync(join(dataDir, 'uploads')), [])
    } finally {
      await server.stop()
      await rm(dataDir, { recursive: true })
    }
  })
})
