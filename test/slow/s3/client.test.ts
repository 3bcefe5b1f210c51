import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createS3 } from '../../../src/media/s3/client.ts'
import {
  ENGINES,
  type Engine,
  factsOf,
  openEngine,
  withoutEngine,
} from '../../support/s3/engines.ts'
import { type HurtingProxy, openHurtingProxy } from '../../support/s3/hurting-proxy.ts'
import { elements, send, sha256 } from '../../support/s3/signed.ts'
import { after, afterEach, before, describe, it } from '../../support/test.ts'

const MiB = 2 ** 20
const PREFIX = 'family/ä b/'

// The client of the library, with what others wrote and a line that is not good.
for (const engineName of ENGINES) {
  describe(`the client with ${engineName}`, { skip: withoutEngine(engineName) }, () => {
    let engine: Engine
    let proxy: HurtingProxy
    let folder: string
    let client: ReturnType<typeof createS3>

    before(async () => {
      engine = await openEngine(engineName)
      proxy = await openHurtingProxy(engine.endpoint)
      folder = await mkdtemp(join(tmpdir(), 'tagstead-client-'))
      const style = { isPathStyle: true, isReadBack: false }
      const settings = { ...engine, endpoint: proxy.endpoint, prefix: PREFIX, ...style }
      // It need not wait before it tries again.
      const options = { single: 6 * MiB, part: 5 * MiB, piece: MiB, wait: async () => {} }
      client = createS3(settings, options)
    })

    afterEach(() => proxy.heal())

    after(async () => {
      await proxy.close()
      await engine.close()
      await rm(folder, { recursive: true })
    })

    /** Writes bytes to a file and returns what is put. */
    async function fileOf(body: Buffer) {
      const path = join(folder, randomBytes(8).toString('hex'))
      await writeFile(path, body)
      return { path, size: body.length, sha256: sha256(body) }
    }

    async function read(name: string, range?: { start: number; end: number }) {
      const chunks: Uint8Array[] = []
      for await (const chunk of await client.stream(name, range)) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks)
    }

    async function listed(start?: string) {
      const found = []
      for await (const one of client.list(start)) found.push(one)
      return found
    }

    it('stores, finds, reads, lists and removes objects of both sizes', async () => {
      for (const size of [0, 1_234_567, 11 * MiB + 7]) {
        const body = randomBytes(size)
        const name = `both/${size}`
        await client.put(name, await fileOf(body))
        assert.deepEqual(await client.head(name), { size, sha256: sha256(body) })
        if (size > 0) {
          assert.equal(sha256(await read(name)), sha256(body))
          const [start, end] = [Math.floor(size / 3), size - 5]
          const part = body.subarray(start, end)
          assert.equal(sha256(await read(name, { start, end })), sha256(part))
        }
        assert.deepEqual(await listed(`both/${size}`), [{ name, size }])
        const other = await send(engine, 'GET', PREFIX + name)
        assert.equal(sha256(other.body), sha256(body))
        for (const _ of [1, 2]) await client.remove(name)
        assert.equal(await client.head(name), null)
      }
      assert.deepEqual(await listed('both/'), [])
    })

    it('creates what is not there yet, as far as the engine knows how', async () => {
      const isFirst = factsOf(engineName).isConditional
      assert.equal(await client.create('marker', 'mine'), true)
      assert.equal(await client.create('marker', 'theirs'), !isFirst)
      assert.equal(String(await read('marker')), isFirst ? 'mine' : 'theirs')
    })

    it('lists more than a page', async () => {
      const names = Array.from({ length: 1_100 }, (_, n) => `many/${String(n).padStart(4, '0')}`)
      for (let n = 0; n < names.length; n += 50) {
        const asked = names.slice(n, n + 50).map((name) => {
          return send(engine, 'PUT', PREFIX + name, { body: name })
        })
        for (const { status } of await Promise.all(asked)) assert.equal(status, 200)
      }
      assert.deepEqual(
        await listed('many/'),
        names.map((name) => ({ name, size: name.length })),
      )
    })

    it('sweeps the uploads in parts that a stop has left', async () => {
      const query = { uploads: '' }
      const { text } = await send(engine, 'POST', `${PREFIX}left`, { query })
      const uploadId = elements(text, 'UploadId')[0]!
      for (const partNumber of ['1', '2']) {
        const asked = { query: { uploadId, partNumber }, body: 'x'.repeat(1000) }
        assert.equal((await send(engine, 'PUT', `${PREFIX}left`, asked)).status, 200)
      }
      const open = async () => {
        const found = []
        for await (const one of client.listUploads()) found.push(one)
        return found
      }
      const left = { name: 'left', id: uploadId }
      assert.deepEqual(await open(), factsOf(engineName).listsUploads ? [left] : [])
      assert.equal(await client.abort(left), 2000)
      assert.deepEqual(await open(), [])
    })

    it('stores whole objects on a line that is cut and on errors', async () => {
      for (const size of [3 * MiB, 11 * MiB]) {
        for (const harm of [
          { answer: 503 },
          { cut: 'connection' },
          { cut: 'request', after: MiB },
          { cut: 'answer', after: 0 },
        ] as const) {
          const body = randomBytes(size)
          proxy.hurt(harm, { method: 'PUT', times: 2 })
          await client.put('line', await fileOf(body))
          assert.equal(sha256((await send(engine, 'GET', `${PREFIX}line`)).body), sha256(body))
        }
      }
    })

    it('stores an object whose last answer is lost', async () => {
      const body = randomBytes(11 * MiB)
      proxy.hurt({ cut: 'answer', after: 0 }, { method: 'POST', path: /uploadId=/, times: 1 })
      await client.put('lost answer', await fileOf(body))
      assert.equal(sha256(await read('lost answer')), sha256(body))
    })

    it('reads on where it was cut', async () => {
      const body = randomBytes(3 * MiB)
      await client.put('cut', await fileOf(body))
      proxy.hurt({ cut: 'answer', after: 300_000 }, { method: 'GET', times: 4 })
      assert.equal(sha256(await read('cut')), sha256(body))
    })

    it('has all that it was told is stored after a SIGKILL of the engine', async () => {
      const bodies = Array.from({ length: 20 }, (_, n) => randomBytes(n * 500_000 + 1))
      const states = new Map<number, string>()
      const files = await Promise.all(bodies.map(fileOf))
      const stored = files.map((file, n) =>
        client.put(`killed/${n}`, file).then(
          () => states.set(n, 'stored'),
          () => states.set(n, 'refused'),
        ),
      )
      await Promise.race(stored)
      await engine.kill()
      await Promise.all(stored)
      await engine.restart()
      for (const [n, body] of bodies.entries()) {
        const head = await client.head(`killed/${n}`)
        if (head === null) assert.equal(states.get(n), 'refused')
        else assert.equal(sha256(await read(`killed/${n}`)), sha256(body))
      }
    })
  })
}
