import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { descendantsOf, isRunning } from '../support/processes.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { createImporter } from './kill/importer.ts'
import { until } from './points/scene.ts'
import { openLoopDisk, withoutLoopDisk } from './power/disk.ts'
import { callAs } from './worlds/api.ts'
import { createClient } from './worlds/client.ts'
import { parametersOf, type TortureOptions, tell } from './worlds/options.ts'
import { createRandom } from './worlds/random.ts'
import { checkSound, checkTemporary, withDatabase } from './worlds/sound.ts'
import type { Call } from './worlds/steps.ts'

const ROUNDS = 50
/** MiB. */
const DISK_SIZE = 512
const IMPORTED = 20
/** Milliseconds from the first request to the cut, at most. */
const LONGEST_LIFE = 2500

export interface PowerOutcome {
  acknowledged: number
  unacknowledged: number
  imported: number
  unreferenced: number
}

/**
 * Cuts the power of a disk under load, 50 times or `--rounds`, on each runtime: what ext4 hasn't written by then is
 * lost. The disk is one without a cache of its own. It says so where loop devices are refused.
 */
export async function torture(options: TortureOptions): Promise<void> {
  const { rounds, runtimes, seed } = parametersOf(options, ROUNDS)
  const refused = withoutLoopDisk()
  if (refused) return tell(`power: skipped, ${refused}`)
  for (const runtime of runtimes) {
    const found = await cutPower({ rounds, seed, runtime })
    tell(
      `power, ${runtime}: ${rounds} cuts (seed ${seed}); ${found.acknowledged} acknowledged changes all there, ` +
        `${found.unacknowledged} more that nobody was told of; ${found.imported} files imported once; ` +
        `${found.unreferenced} contents without a row`,
    )
  }
}

/**
 * Throws when after a cut an acknowledged change is not there, another one is there in part, the library isn't sound,
 * or a thumbnail is no picture.
 */
export async function cutPower({
  rounds,
  seed,
  runtime,
}: {
  rounds: number
  seed: number
  runtime?: Runtime
}): Promise<PowerOutcome> {
  const disk = openLoopDisk(DISK_SIZE)
  const dataDir = join(disk.path, 'data')
  const random = createRandom(seed)
  const clients = ['ann', 'ben', 'cem'].map((prefix, n) =>
    createClient({ prefix, seed: seed + n, tail: 2 ** 15 }),
  )
  const outcome: PowerOutcome = { acknowledged: 0, unacknowledged: 0, imported: 0, unreferenced: 0 }
  const env = {
    ...{ FFMPEG_PATH: '', AUTH_RATE_LIMIT: '0', LOG_LEVEL: 'error' },
    DISK_RESERVE: '16MiB',
  }
  const start = () => spawnServer({ dataDir, env, ...(runtime && { runtime }) })
  let server: SpawnedServer | null = null
  try {
    mkdirSync(dataDir)
    const importer = createImporter(dataDir)
    server = await start()
    for (let round = 0; round < rounds; round++) {
      if (importer.left().length < IMPORTED / 2) await importer.add(IMPORTED)
      disk.sync()
      const call = await callAs(server)
      // The first upload starts the decoder, which takes longer than all that follows.
      assert.equal(await clients[0]!.step(call, 'upload'), 201)
      const load = Promise.all([...clients.map((client) => client.work(call)), importer.run(call)])
      await Promise.race([setTimeout(random.below(LONGEST_LIFE)), load])
      signal(server.process.pid!, 'SIGSTOP')
      const pids = [server.process.pid!, ...descendantsOf(server.process.pid!)]
      for (const pid of pids) signal(pid, 'SIGSTOP')
      const cut = await disk.cut()
      for (const pid of pids) signal(pid, 'SIGKILL')
      await server.stop('SIGKILL')
      await load
      await until('the end of all', () => !pids.some(isRunning))
      await cut.insert()
      server = await start()
      checkTemporary(dataDir)
      await withDatabase(dataDir, async (db) => {
        await until('no long change', () => db.get('SELECT 1 FROM long_changes') === undefined)
        for (const client of clients) if (client.compare(db)) outcome.unacknowledged++
        importer.check(db)
        outcome.unreferenced = checkSound(dataDir, db).length
      })
      await checkThumbnails(await callAs(server))
    }
    for (const { counts } of clients) for (const n of counts.values()) outcome.acknowledged += n
    return { ...outcome, imported: importer.acknowledged.size }
  } finally {
    await server?.stop('SIGKILL')
    disk.remove()
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // It may have ended by itself.
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
  }
}

/** Throws unless the newest files have thumbnails that are whole JPEGs. */
async function checkThumbnails(call: Call): Promise<void> {
  const list = await (await call('GET', '/files?sort=created&order=desc&limit=20')).json()
  for (const { id } of (list as { items: { id: string }[] }).items) {
    const response = await call('GET', `/files/${id}/thumbnail`)
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.deepEqual(
      [response.status, bytes.subarray(0, 2).toString('hex'), bytes.subarray(-2).toString('hex')],
      [200, 'ffd8', 'ffd9'],
      `the thumbnail of ${id}`,
    )
  }
}
