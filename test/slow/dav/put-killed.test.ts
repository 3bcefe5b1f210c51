import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { basic } from '../../support/dav.ts'
import { eventually } from '../../support/eventually.ts'
import { picture } from '../../support/harness.ts'
import { keyOf, sendTo } from '../../support/served-dav.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'

const KILLS = process.env.MATRIX === 'all' ? 20 : 5
const CLIENTS = 3
// Bytes that follow a picture, at most.
const TAIL = 2 ** 20
// Milliseconds; enough for several files, so that a kill may hit any moment of one.
const LONGEST_LIFE = 300

describe('kill -9 during PUT', () => {
  it('loses nothing that was answered', { timeout: 600_000 }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tagstead-dav-'))
    const answered = new Map<string, Buffer>()
    let number = 0
    async function put(server: SpawnedServer, key: string) {
      const tail = randomBytes(Math.floor(Math.random() * TAIL))
      const body = Buffer.concat([await picture(), tail])
      const name = `${number++}.jpg`
      // Every second one under the name of a part at first.
      const isPart = number % 2 === 0
      const first = isPart ? `${name}.part` : name
      assert.equal((await sendTo(server, key, 'PUT', first, { body })).status, 201)
      if (isPart) {
        const headers = { Destination: `/dav/${name}` }
        assert.equal((await sendTo(server, key, 'MOVE', first, { headers })).status, 201)
      }
      answered.set(name, body)
    }
    async function putAll(server: SpawnedServer, key: string) {
      for (;;) {
        try {
          await put(server, key)
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error
          return
        }
      }
    }
    let server = await spawnServer({ dataDir })
    try {
      const key = await keyOf(server)
      let checked = 0
      for (let n = 0; n < KILLS; n++) {
        // The first file starts the decoder, which takes longer than all that follows.
        await put(server, key)
        const clients = Array.from({ length: CLIENTS }, () => putAll(server, key))
        await setTimeout(Math.random() * LONGEST_LIFE)
        await server.stop('SIGKILL')
        await Promise.all(clients)
        server = await spawnServer({ dataDir })
        assert.deepEqual(readdirSync(join(dataDir, 'tmp')), [])
        for (const [name, bytes] of [...answered].slice(checked)) {
          const got = await sendTo(server, key, 'GET', name)
          assert.ok(got.body.equals(bytes), name)
        }
        checked = answered.size
      }
      assert.ok(checked >= KILLS)
    } finally {
      await server.stop()
      await rm(dataDir, { recursive: true })
    }
  })
})

describe('a PUT whose client hangs up', () => {
  it('leaves neither a file nor an entry, with a length or without', async () => {
    const server = await spawnServer()
    try {
      const key = await keyOf(server)
      const bytes = await picture()
      const { port } = new URL(server.url)
      const kept = () => [
        ...readdirSync(join(server.dataDir, 'tmp')),
        ...readdirSync(join(server.dataDir, 'uploads')),
      ]
      // Begun and removed once, so that the folder is there.
      await sendTo(server, key, 'PUT', 'a.part', { body: bytes })
      await sendTo(server, key, 'DELETE', 'a.part')
      for (const name of ['cut.jpg', 'cut.part']) {
        for (const [head, body] of [
          [`Content-Length: ${bytes.length + 1}`, bytes],
          [
            'Transfer-Encoding: chunked',
            Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes]),
          ],
        ] as const) {
          const client = connect(Number(port), '127.0.0.1')
          client.on('error', () => {})
          client.write(
            `PUT /dav/${name} HTTP/1.1\r\nHost: localhost\r\n${head}\r\n` +
              `Authorization: ${basic(key).Authorization}\r\n\r\n`,
          )
          client.write(body)
          await eventually(() => kept().length === 1)
          client.destroy()
          await eventually(() => kept().length === 0)
          assert.equal((await sendTo(server, key, 'HEAD', name)).status, 404, `${name} ${head}`)
        }
      }
    } finally {
      await server.stop()
    }
  })
})
