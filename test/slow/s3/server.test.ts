import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256, signIn } from '../../support/backups.ts'
import { ENGINES, type Engine, openEngine, withoutEngine } from '../../support/s3/engines.ts'
import { type HurtingProxy, openHurtingProxy } from '../../support/s3/hurting-proxy.ts'
import { settingsOf } from '../../support/s3/signed.ts'
import { spawnServer } from '../../support/spawn.ts'
import { after, afterEach, before, describe, it } from '../../support/test.ts'

for (const name of ENGINES) {
  describe(`a server whose contents ${name} has`, { skip: withoutEngine(name) }, () => {
    let engine: Engine
    let proxy: HurtingProxy
    let folder: string
    /** What was acknowledged so far: the digests of files by their ids. */
    const acknowledged = new Map<string, string>()
    let uploads = 0

    before(async () => {
      engine = await openEngine(name)
      proxy = await openHurtingProxy(engine.endpoint)
      folder = await mkdtemp(join(tmpdir(), 'tagstead-store-'))
    })

    afterEach(() => proxy.heal())

    after(async () => {
      await proxy.close()
      await engine.close()
      await rm(folder, { recursive: true })
    })

    async function open() {
      const env = {
        ...settingsOf({ ...engine, endpoint: proxy.endpoint }, '/family'),
        FFMPEG_PATH: '',
      }
      const server = await spawnServer({ dataDir: join(folder, 'data'), env })
      return { server, admin: await signIn(server) }
    }

    type Admin = Awaited<ReturnType<typeof open>>['admin']

    async function upload(admin: Admin) {
      const n = uploads++
      const color = `rgb(${n % 256}, ${(n * 37) % 256}, ${255 - (n % 256)})`
      const { id, bytes } = await admin.upload(`${n}.jpg`, color)
      acknowledged.set(id, sha256(bytes))
    }

    async function requireAll(admin: Admin) {
      for (const [id, digest] of acknowledged) {
        assert.equal(sha256(await admin.bytes(`/files/${id}/content`)), digest)
      }
    }

    it('uploads on a bad line', async () => {
      const { server, admin } = await open()
      for (const harm of [
        { answer: 500 },
        { cut: 'connection' },
        { cut: 'request', after: 100 },
        { cut: 'answer', after: 0 },
      ] as const) {
        proxy.hurt(harm, { method: 'PUT', times: 2 })
        await upload(admin)
      }
      await requireAll(admin)
      await server.stop()
    })

    it('says that contents are not there now, and shows lists', async () => {
      const { server, admin } = await open()
      const [id] = acknowledged.keys()
      proxy.hurt({ cut: 'connection' })
      const headers = { Authorization: `Bearer ${admin.access_token}` }
      const answer = await fetch(`${server.url}/api/v1/files/${id}/content`, { headers })
      assert.equal(answer.status, 503)
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
      const { items } = (await admin.get('/files')) as { items: unknown[] }
      assert.ok(items.length > 0)
      proxy.heal()
      await requireAll(admin)
      await server.stop()
    })
  })
}
