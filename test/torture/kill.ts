import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { command, runCheck } from '../support/backups.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { type StartedCommand, startCommand } from './kill/command.ts'
import { createImporter, type Importer } from './kill/importer.ts'
import { addOldFiles } from './kill/old-files.ts'
import { restoreKilled } from './kill/restore.ts'
import { callAs } from './worlds/api.ts'
import { type Client, createClient } from './worlds/client.ts'
import { parametersOf, type TortureOptions, tell } from './worlds/options.ts'
import { createRandom, type Random } from './worlds/random.ts'
import { checkSound, checkTemporary, withDatabase } from './worlds/sound.ts'
import type { Call } from './worlds/steps.ts'

/** Milliseconds; from the first request to the kill, at most. */
const LONGEST_LIFE = 2500
/** Files of the one whose changes are long; more than 250, or they are done in one write. */
const OLD_FILES = 1500
/** Files that are put into the import folder when it is empty. */
const IMPORTED = 30
/** Contents that an import prepares at once. */
const PREPARED = 2
/** How many times as long as an idle start one after a kill may take, and after how many kills one is measured. */
const TIMES_IDLE = 3
const IDLE_EVERY = 4

export interface KillOptions {
  rounds: number
  runtime?: Runtime
  seed: number
  /** Those that the one has whose changes are long. */
  oldFiles?: number
}

export interface KillOutcome {
  /** How many changes of each kind were acknowledged. */
  acknowledged: Map<string, number>
  /** Changes that were there although nobody was told. */
  unacknowledged: number
  imported: number
  /** Contents without a row, and uploads that were under way at a kill. */
  unreferenced: number
  underWay: number
  /** Backups that came to their end, and those that were killed. */
  backups: { made: number; killed: number }
  /** Restores that came to their end, and those that were killed, after which another one went on. */
  restores: { made: number; killed: number }
  /** Milliseconds until the first answer, in order. */
  starts: number[]
  idleStarts: number[]
}

/**
 * Kills a server with SIGKILL at random moments under everything that people and commands do at once, on each runtime,
 * thirty times or `--rounds`; `--seed` chooses the same changes again, though not the same moments.
 */
export async function torture(options: TortureOptions): Promise<void> {
  const { rounds, runtimes, seed } = parametersOf(options, 30)
  for (const runtime of runtimes) {
    const found = await killUnderLoad({ rounds, runtime, seed })
    const changes = [...found.acknowledged].map(([kind, n]) => `${kind} ${n}`).join(', ')
    const sum = [...found.acknowledged.values()].reduce((a, b) => a + b, 0)
    const { starts, backups, restores } = found
    tell(
      `kill, ${runtime}: ${rounds} kills (seed ${seed}); ${sum} acknowledged changes all there (${changes}), ` +
        `${found.unacknowledged} more that nobody was told of; ${found.imported} files imported once; ` +
        `${found.unreferenced} contents without a row, of ${found.underWay} uploads and imports under way; ` +
        `${backups.made} backups made, ${backups.killed} killed; ${restores.made} restores made, ` +
        `${restores.killed} killed; first answer after ` +
        `${median(starts)} ms (longest ${starts.at(-1)}), after idle starts ${median(found.idleStarts)} ms ` +
        `(longest ${found.idleStarts.at(-1)})`,
    )
    assert.ok(median(starts) < TIMES_IDLE * median(found.idleStarts), 'starts take too long')
  }
}

/**
 * Throws when after a kill an acknowledged change is not there, another one is there in part, the library isn't sound,
 * there are more contents without a row than uploads were under way, a temporary file is left, or `check` finds
 * anything but these contents.
 */
export async function killUnderLoad(options: KillOptions): Promise<KillOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-kill-'))
  const scene = await openScene(folder, options)
  try {
    for (let round = 0; round < options.rounds; round++) {
      await killOnce(scene)
      // In between, since others use the machine, too, and not always as much.
      if (round % IDLE_EVERY === 0) await startIdle(scene)
    }
    return await settle(scene)
  } finally {
    await scene.server?.stop('SIGKILL')
    rmSync(folder, { recursive: true })
  }
}

interface Scene {
  dataDir: string
  backups: string
  random: Random
  runtime: { runtime?: Runtime }
  server: SpawnedServer | null
  clients: Client[]
  importer: Importer
  outcome: KillOutcome
  orphans: Set<string>
}

async function openScene(folder: string, options: KillOptions): Promise<Scene> {
  const { seed, runtime, oldFiles = OLD_FILES } = options
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const clients = ['ann', 'ben', 'cem'].map((prefix, n) => createClient({ prefix, seed: seed + n }))
  const long = createClient({
    prefix: 'long',
    seed: seed + clients.length,
    kinds: ['newTag', 'bulkTags', 'mergeTags', 'deleteTag', 'undo'],
    most: oldFiles,
  })
  const scene: Scene = {
    dataDir,
    backups: join(folder, 'backups'),
    random: createRandom(seed),
    runtime: runtime === undefined ? {} : { runtime },
    server: null,
    clients: [...clients, long],
    importer: createImporter(dataDir),
    orphans: new Set(),
    outcome: {
      acknowledged: new Map(),
      unacknowledged: 0,
      imported: 0,
      unreferenced: 0,
      underWay: 0,
      backups: { made: 0, killed: 0 },
      restores: { made: 0, killed: 0 },
      starts: [],
      idleStarts: [],
    },
  }
  await start(scene)
  await scene.server!.stop()
  await withDatabase(dataDir, (db) => {
    addOldFiles(dataDir, db, oldFiles, long.prefix)
    long.adopt(db)
  })
  await start(scene)
  return scene
}

/** Starts the server, and returns after how many milliseconds it has answered. */
async function start(scene: Scene): Promise<number> {
  const started = performance.now()
  const env = { FFMPEG_PATH: '', AUTH_RATE_LIMIT: '0', LOG_LEVEL: 'error' }
  scene.server = await spawnServer({ dataDir: scene.dataDir, env, ...scene.runtime })
  assert.equal((await fetch(`${scene.server.url}/health`)).status, 200)
  return Math.round(performance.now() - started)
}

async function killOnce(scene: Scene): Promise<void> {
  const { clients, importer, outcome, random } = scene
  const server = scene.server!
  const call = await callAs(server)
  if (importer.left().length < IMPORTED / 2) await importer.add(IMPORTED)
  // The first upload starts the decoder, which takes longer than all that follows.
  assert.equal(await clients[0]!.step(call, 'upload'), 201)
  const load = Promise.all([
    ...clients.map((client) => client.work(call)),
    importer.run(call),
    rescan(call),
  ])
  const backup = random.below(2) === 0 ? startBackup(scene) : null
  await Promise.race([setTimeout(100 + random.below(LONGEST_LIFE)), load])
  const isBackupKilled = backup !== null && random.below(2) === 0
  if (isBackupKilled) backup.process.kill('SIGKILL')
  await server.stop('SIGKILL')
  await load
  const underWay = clients.filter(({ underWay }) =>
    ['upload', 'replace'].includes(underWay?.kind ?? ''),
  ).length
  outcome.underWay += underWay + PREPARED
  outcome.starts.push(await start(scene))
  checkTemporary(scene.dataDir)
  await check(scene, underWay + PREPARED)
  if (backup) await endBackup(scene, backup, isBackupKilled)
}

/** Starts a library that was closed, and that nobody uses. */
async function startIdle(scene: Scene): Promise<void> {
  assert.equal(await scene.server!.stop(), 0)
  scene.outcome.idleStarts.push(await start(scene))
}

async function check(scene: Scene, mostOrphans: number): Promise<void> {
  const { dataDir, clients, importer, outcome, orphans } = scene
  await withDatabase(dataDir, async (db) => {
    // A change that a kill has cut off goes on by itself.
    const isLong = () => db.get('SELECT 1 FROM long_changes') !== undefined
    for (let tries = 0; isLong(); tries++) {
      assert.ok(tries < 1200, 'a long change never ends')
      await setTimeout(50)
    }
    for (const client of clients) if (client.compare(db)) outcome.unacknowledged++
    importer.check(db)
    const fresh = checkSound(dataDir, db).filter((blob) => !orphans.has(blob))
    assert.ok(fresh.length <= mostOrphans, `${fresh.length} contents without a row`)
    for (const blob of fresh) orphans.add(blob)
  })
  const { findings } = await runCheck(dataDir)
  const isWaste = ({ kind, subject }: (typeof findings)[number]) =>
    kind === 'content_unknown' && orphans.has(subject)
  assert.deepEqual(
    findings.filter((found) => !isWaste(found)),
    [],
  )
}

async function rescan(call: Call): Promise<void> {
  try {
    for (;;) {
      const response = await call('POST', '/files/duplicates/rescan')
      await response.text()
      // That of the server before may just end.
      assert.ok([200, 409].includes(response.status), `rescan: ${response.status}`)
      await setTimeout(100)
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
  }
}

function startBackup({ dataDir, backups, runtime }: Scene): StartedCommand {
  return startCommand(dataDir, ['backup', backups], runtime.runtime)
}

/** A backup of a library whose server is killed comes to its end, and is sound; one that is killed is none. */
async function endBackup(
  scene: Scene,
  { ended, complaints }: StartedCommand,
  isKilled: boolean,
): Promise<void> {
  const { outcome, backups, dataDir } = scene
  const [code, signal] = await ended
  if (signal === 'SIGKILL') assert.ok(isKilled)
  else assert.equal(code, 0, `backup: ${complaints()}`)
  if (code === 0) outcome.backups.made++
  else outcome.backups.killed++
  const { result, stderr } = await command(dataDir, ['backup', '--verify', backups, '--json'])
  if (!result) return assert.match(stderr, /There is no backup in/)
  assert.deepEqual(result.findings, [])
  rmSync(await restoreElsewhere(scene), { recursive: true })
}

/** Restores the newest backup, with kills meanwhile, into a folder of its own, and returns it. */
async function restoreElsewhere({ dataDir, outcome, ...scene }: Scene): Promise<string> {
  const restored = join(dataDir, '..', 'restored')
  const kills = await restoreKilled(restored, { ...scene, runtime: scene.runtime.runtime })
  outcome.restores.made++
  outcome.restores.killed += kills
  return restored
}

/** Lets what is left be done, makes a backup, restores it elsewhere, and compares the two. */
async function settle(scene: Scene): Promise<KillOutcome> {
  const { dataDir, backups, clients, importer, outcome } = scene
  await importer.run(await callAs(scene.server!))
  assert.deepEqual(importer.left(), [], 'files in the import folder')
  await check(scene, 0)
  const made = await command(dataDir, ['backup', backups, '--json'])
  assert.equal(made.code, 0, made.stderr)
  const restored = await restoreElsewhere(scene)
  await withDatabase(restored, (db) => {
    for (const client of clients) assert.equal(client.compare(db), false)
    importer.check(db)
  })
  for (const { counts } of clients) {
    for (const [kind, n] of counts) {
      outcome.acknowledged.set(kind, (outcome.acknowledged.get(kind) ?? 0) + n)
    }
  }
  outcome.imported = importer.all.size
  outcome.unreferenced = scene.orphans.size
  for (const list of [outcome.starts, outcome.idleStarts]) list.sort((a, b) => a - b)
  return outcome
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}
