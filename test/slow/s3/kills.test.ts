import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { command } from '../../support/backups.ts'
import { eventually } from '../../support/eventually.ts'
import { ENGINES, withoutEngine } from '../../support/s3/engines.ts'
import { type Harm, type HurtingProxy, openHurtingProxy } from '../../support/s3/hurting-proxy.ts'
import { createMixedLoad } from '../../support/s3/mixed-load.ts'
import { elements, send, settingsOf, type Target } from '../../support/s3/signed.ts'
import { contentsIn, openStore } from '../../support/s3/stores.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { describe, it } from '../../support/test.ts'
import { withDatabase } from '../../torture/worlds/sound.ts'

/** Each kills the server, and each third one the store as well. */
const ROUNDS = process.env.MATRIX === 'all' ? 60 : 3
// Milliseconds; enough for several requests of each kind, so that a kill may hit any moment of one.
const LONGEST_LIFE = 3000
/** Requests that may store a content at the same moment: of three clients. */
const AT_ONCE = 3

async function openUploads(store: Target): Promise<number> {
  const { text } = await send(store, 'GET', '', { query: { uploads: '', prefix: 'family/' } })
  return elements(text, 'UploadId').length
}

const some = <T>(list: readonly T[]): T => list[randomInt(list.length)]!

/** Hurts requests, one kind of harm after the other, until the load is over. */
async function hurt(proxy: HurtingProxy, life: number): Promise<void> {
  for (let left = life; left > 0; left -= 300) {
    const harm = some<Harm>([
      { answer: 500 },
      { answer: 503 },
      { cut: 'connection' },
      { cut: 'request', after: randomInt(100_000) },
      { cut: 'answer', after: randomInt(100_000) },
      { cut: 'answer', after: 0 },
      { slow: 2 ** 20 },
      { hold: true },
    ])
    const method = some(['PUT', 'GET', 'POST', 'DELETE', 'HEAD'])
    proxy.hurt(harm, { times: randomInt(1, 5), method })
    await setTimeout(300)
  }
}

for (const name of ['small', ...ENGINES] as const) {
  const skip = name !== 'small' && withoutEngine(name)
  describe(`kill -9 of a server and of ${name}, which has its contents, under all kinds of use`, {
    skip,
  }, () => {
    it('loses nothing that was acknowledged, and leaves nothing half', {
      timeout: 7_200_000,
    }, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'tagstead-store-'))
      const dataDir = join(folder, 'data')
      const store = await openStore(name)
      const proxy = await openHurtingProxy(store.endpoint)
      const env = {
        ...settingsOf({ ...store, endpoint: proxy.endpoint }, '/family'),
        CONTENTS_CACHE: '32MiB',
        ...{ FFMPEG_PATH: '', AUTH_RATE_LIMIT: '0', LOG_LEVEL: 'warn' },
      }
      const load = createMixedLoad()
      const orphans = new Set<string>()
      let server = null as SpawnedServer | null
      let running = null as ReturnType<typeof load.start> | null
      let kills = 0
      const restart = async () => {
        server = await spawnServer({ dataDir, env })
        await load.use(server)
      }
      try {
        await restart()
        for (let round = 0; round < ROUNDS; round++) {
          const life = randomInt(200, LONGEST_LIFE)
          running = load.start()
          if (round % 3 === 1) await hurt(proxy, life)
          else await setTimeout(life)
          if (round % 3 === 2) {
            await store.kill()
            await setTimeout(randomInt(1000))
            await store.restart()
            kills++
            await setTimeout(randomInt(life))
          }
          proxy.heal()
          running.end()
          await server!.stop('SIGKILL')
          await running.stop()
          await restart()
          await requireSound(round)
          // A life may be too short for a large file.
          if (round % 4 === 3) await load.finish()
        }
        await load.finish()
        await load.requireAll()
        await server!.stop()
        server = null
        await requireSound(ROUNDS)
        const counts = Object.entries(load.counts).map((pair) => pair.join(' '))
        process.stdout.write(
          `${name}: ${ROUNDS} kills of the server, ${kills} of the store, ${proxy.hurtSoFar()} requests hurt; ` +
            `${counts.join(', ')}; ${orphans.size} objects without a row\n`,
        )
      } finally {
        // It would go on for ever after a failure.
        running?.end()
        await server?.stop('SIGKILL')
        await proxy.close()
        await store.close()
        await rm(folder, { recursive: true })
      }

      async function requireSound(round: number): Promise<void> {
        // A picture that an upload didn't wait for may still be made.
        await eventually(() => readdirSync(join(dataDir, 'tmp')).length === 0)
        if (server) await load.requireAll()
        await withDatabase(dataDir, async (db) => {
          const blobs = (from: string) => db.all<{ blob: string }>(`SELECT blob FROM ${from}`)
          // What could not be removed before is removed by a start.
          await eventually(() => blobs('removals').length === 0)
          const rows = new Set(blobs('file_details').map(({ blob }) => blob))
          const stored = new Set(await contentsIn(store))
          const missing = [...rows].filter((blob) => !stored.has(blob))
          assert.deepEqual(missing, [], `after round ${round}`)
          const fresh = [...stored].filter((blob) => !rows.has(blob) && !orphans.has(blob))
          assert.ok(fresh.length <= AT_ONCE, `${fresh.length} objects without a row`)
          for (const blob of fresh) orphans.add(blob)
        })
        if (store.listsUploads) assert.equal(await openUploads(store), 0)
        // People may have read copies.
        const how = round === ROUNDS ? ['--read'] : []
        const { stdout } = await command(dataDir, ['check', '--json', ...how], env)
        const lines = stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
        const found = lines.filter(
          ({ type, kind }) => type === 'finding' && kind !== 'derivative_unknown',
        )
        // Beside a server, they may be of uploads under way.
        const expected = server ? [] : [...orphans].map((blob) => `content_unknown ${blob}`)
        assert.deepEqual(
          found.map(({ kind, subject }) => `${kind} ${subject}`).sort(),
          expected.sort(),
        )
      }
    })
  })
}
