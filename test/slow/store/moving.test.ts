import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import pLimit from 'p-limit'
import sharp from 'sharp'
import { command, signIn } from '../../support/backups.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { ENGINES, withoutEngine } from '../../support/s3/engines.ts'
import { type HurtingProxy, openHurtingProxy } from '../../support/s3/hurting-proxy.ts'
import { settingsOf } from '../../support/s3/signed.ts'
import { contentsIn, openStore, type Store } from '../../support/s3/stores.ts'
import { commandLine, type SpawnedServer, spawnServer } from '../../support/spawn.ts'

const ALL = process.env.MATRIX === 'all'
const COUNT = ALL ? 10_000 : 300
/** Those of others only with MATRIX=all. */
const STORES = ALL ? (['small', ...ENGINES] as const) : (['small'] as const)
const LOST = /content_(missing|size|damaged|unreadable)|store_/

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

for (const name of STORES) {
  describe(`a library whose contents are moved to ${name} and back while people work and processes are killed`, {
    skip: name !== 'small' && withoutEngine(name),
  }, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let store: Store
    let proxy: HurtingProxy
    /** Is called before each request to the store. */
    let onAsked = () => {}
    let server: SpawnedServer
    let admin: Awaited<ReturnType<typeof signIn>>
    /** The digests of what was acknowledged, by ids of files. */
    const known = new Map<string, string>()
    before(async () => {
      folder = await temporaryFolder()
      store = await openStore(name)
      proxy = await openHurtingProxy(store.endpoint, () => onAsked())
    })
    after(async () => {
      await server?.stop()
      await proxy?.close()
      await store?.close()
      await folder.remove()
    })

    const dataDir = () => join(folder.path, 'data')
    const envFor = (to: string) => ({
      ...settingsOf({ ...store, endpoint: proxy.endpoint }),
      ...{ CONTENTS: to, CONTENTS_CACHE: '0', FFMPEG_PATH: '', DECODER_WALLS: 'environment' },
      ...{ ACCESS_TOKEN_TTL: '1d', CLIENT_REQUESTS: '0' },
    })
    const start = async (to: string) => {
      server = await spawnServer({ dataDir: dataDir(), env: envFor(to) })
      admin = await signIn(server)
    }

    async function upload(): Promise<void> {
      // Noise, so that no two of them look alike.
      const raw = { width: 16, height: 16, channels: 3 as const }
      const bytes = await sharp(randomBytes(16 * 16 * 3), { raw })
        .png()
        .toBuffer()
      const form = new FormData()
      form.set('file', new File([new Uint8Array(bytes)], 'noise.png'))
      const { id } = (await (await admin.call('POST', '/files', form)).json()) as { id: string }
      known.set(id, digestOf(bytes))
    }
    const isWhole = async (id: string, sha256: string) => {
      assert.equal(digestOf(await admin.bytes(`/files/${id}/content`)), sha256)
    }
    const anyId = () => [...known.keys()][Math.floor(Math.random() * known.size)]!

    /** Uploads, deletes and reads until `stop` is called. What fails while the server is gone is no fault. */
    function work() {
      let isOver = false
      let gone: Promise<void> | null = null
      const done = { uploads: 0, deletions: 0, reads: 0 }
      const acts = [
        async () => {
          await upload()
          done.uploads++
        },
        async () => {
          const id = anyId()
          known.delete(id)
          await admin.call('DELETE', `/files/${id}`)
          await admin.call('DELETE', `/files/${id}/permanent`)
          done.deletions++
        },
        async () => {
          const id = anyId()
          const sha256 = known.get(id)!
          await isWhole(id, sha256).catch((error) => {
            // Another one may just have deleted it.
            if (known.has(id)) throw error
          })
          done.reads++
        },
      ]
      const people = Promise.all(
        [0, 1, 2].map(async (n) => {
          for (let turn = n; !isOver; turn++) {
            const before = admin
            try {
              await acts[turn % acts.length]!()
            } catch (error) {
              if (!gone && before === admin) throw error
              await gone
            }
          }
        }),
      )
      people.catch(() => {})
      return {
        done,
        async restart(to: string) {
          gone = server.stop('SIGKILL').then(() => start(to))
          await gone
          gone = null
        },
        async stop() {
          isOver = true
          await people
        },
      }
    }

    /** Runs the command; kills it when the store is asked for the `killAt`th time from now on. */
    async function move(to: string, killAt = Number.POSITIVE_INFINITY) {
      const [program, ...args] = commandLine()
      const child = spawn(program, [...args, 'move-contents', '--to', to, '--json'], {
        env: { PATH: process.env.PATH, DATA_DIR: dataDir(), ...envFor(to) },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let asked = 0
      onAsked = () => {
        if (++asked === killAt) child.kill('SIGKILL')
      }
      const said = Promise.all([text(child.stdout), text(child.stderr)])
      const [code, signal] = await once(child, 'close')
      onAsked = () => {}
      const [stdout, stderr] = await said
      return { code, signal, stdout, stderr }
    }

    const files = () =>
      readdirSync(join(dataDir(), 'files'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        /[0-9a-f]{32}$/.test(name),
      )

    async function moveThrough(to: string) {
      await server.stop()
      await start(to)
      const working = work()
      try {
        for (const at of [COUNT * 0.6, COUNT * 0.6]) {
          const { signal, stdout, stderr } = await move(to, at)
          assert.equal(signal, 'SIGKILL', stdout + stderr)
        }
        const third = move(to)
        await working.restart(to)
        const { code, stderr } = await third
        assert.ok(code === 0 || code === 1, stderr)
      } finally {
        await working.stop()
      }
      const { uploads, deletions, reads } = working.done
      assert.ok(uploads > 0 && deletions > 0 && reads > 0)
      // What the killed server had still to remove is removed at a start.
      await server.stop()
      await start(to)
      const last = await move(to)
      assert.equal(last.code, 0, last.stdout + last.stderr)
      assert.match(last.stdout, /"finished":true|already/)
      await pLimit(4).map([...known], ([id, sha256]) => isWhole(id, sha256))
      const { stdout, stderr } = await command(dataDir(), ['check', '--json'], envFor(to))
      assert.doesNotMatch(stdout + stderr, LOST)
    }

    it('has all that it acknowledged, first in a store and then in its data folder again', {
      timeout: 7_200_000,
    }, async () => {
      await start('local')
      await pLimit(4).map(Array.from({ length: COUNT }), upload)
      const to = `s3://${store.bucket}/family`
      await moveThrough(to)
      assert.ok((await contentsIn(store)).length >= known.size)
      const isHere = new Set(files())
      await moveThrough('local')
      assert.ok(files().length >= known.size)
      // Only what a killed server was about to store, which no file has, may be left behind.
      assert.ok(isHere.size <= 3 && (await contentsIn(store)).length <= 3)
    })
  })
}
