import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { form } from '../../support/harness.ts'
import { type Runtime, type SpawnedServer, spawnServer, THIS_RUNTIME } from '../../support/spawn.ts'
import { addOldFiles } from '../kill/old-files.ts'
import { callAs } from '../worlds/api.ts'
import { createClient } from '../worlds/client.ts'
import { withDatabase } from '../worlds/sound.ts'
import type { Call, StepKind } from '../worlds/steps.ts'
import { type Ids, observe, type World } from '../worlds/world.ts'
import type { Errand } from './load.ts'
import type { StillFile } from './reading.ts'

/** Those who change things, and the prefix of what nobody changes. */
const PEOPLE = ['ann', 'ben', 'cem', 'dan', 'eva', 'fay']
const STILL = 'still'
/** Numbers of the loads. */
export const LOADS = [1, 2, 3, 4] as const
/** How many large pictures there are, and bytes that follow each: more than a connection holds. */
const [LARGE, TAIL] = [3, 2 ** 23]
/** Memory is bounded early, so that it doesn't grow for long. */
const BOUNDS = { CACHE_SIZE: '16MiB' }

/** A server with a library for clients, and what these are told. */
export interface SoakScene {
  server: SpawnedServer
  errand: Omit<Errand, 'load' | 'seconds' | 'isStopped'>
  /** What nobody changes. */
  still: { prefix: string; world: World }
}

/** Opens a server with `long` small files for each load, and `count` pictures that nobody changes. */
export async function openSoak(
  folder: string,
  { seed, runtime, long, count }: { seed: number; runtime?: Runtime; long: number; count: number },
): Promise<SoakScene> {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const env = {
    ...{ FFMPEG_PATH: '', AUTH_RATE_LIMIT: '0', LOG_LEVEL: 'error', ACCESS_TOKEN_TTL: '1d' },
    ...{ DUPLICATE_RESCAN_INTERVAL: '0', ...BOUNDS },
  }
  const start = () => spawnServer({ dataDir, env, ...(runtime && { runtime }) })
  const empty = await start()
  await empty.stop()
  await withDatabase(dataDir, (db) => {
    for (const load of LOADS) addOldFiles(dataDir, db, long, `${load}long`)
  })
  const server = await start()
  const call = await callAs(server)
  for (const name of PEOPLE) {
    const body = { name, password: server.adminPassword, can_create: true }
    assert.equal((await call('POST', '/users', body)).status, 201)
  }
  await addStill(call, count, seed)
  const ids: Ids = new Map()
  const world = await withDatabase(dataDir, (db) => observe(db, STILL, ids))
  const idsOf = (kind: string) =>
    [...ids].flatMap(([name, id]) => (name.startsWith(`${kind} `) ? [id] : []))
  const errand = {
    ...{ url: server.url, adminPassword: server.adminPassword, dataDir, seed, long },
    ...{ backups: join(folder, 'backups'), runtime: runtime ?? THIS_RUNTIME, people: PEOPLE },
    ...{ files: await sizesOf(call, world, ids), tags: idsOf('tag'), pools: idsOf('pool') },
  }
  return { server, errand, still: { prefix: STILL, world } }
}

async function addStill(call: Call, count: number, seed: number): Promise<void> {
  const still = createClient({ prefix: STILL, seed })
  const times = (n: number, kind: StepKind) => Array.from({ length: n }, () => kind)
  const files = [...times(count, 'upload'), ...times(count / 4, 'fillPool')]
  for (const kind of [...times(3, 'newTag'), ...times(2, 'newPool'), ...files]) {
    assert.equal(await still.step(call, kind), 201)
  }
  for (let n = 0; n < LARGE; n++) {
    const body = form(await largePicture(n), `${STILL}-large-${n}.jpg`)
    assert.equal((await call('POST', '/files', body)).status, 201)
  }
}

/** Returns a picture as a camera takes one, which isn't easy to decode. */
async function largePicture(n: number): Promise<Uint8Array> {
  const noise = { type: 'gaussian' as const, mean: 100 + 20 * n, sigma: 30 }
  const size = { width: 2400, height: 1600, channels: 3 as const }
  const picture = sharp({ create: { ...size, background: 'red', noise } })
  return Buffer.concat([await picture.jpeg().toBuffer(), randomBytes(TAIL)])
}

async function sizesOf(call: Call, { files }: World, ids: Ids): Promise<StillFile[]> {
  return Promise.all(
    Object.entries(files).map(async ([name, { sha256 }]) => {
      const id = ids.get(`file ${name}`)!
      const content = await call('GET', `/files/${id}/content`)
      return { id, name, sha256, size: (await content.arrayBuffer()).byteLength }
    }),
  )
}
