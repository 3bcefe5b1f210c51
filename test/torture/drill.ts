import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../src/db/client.ts'
import { sha256 } from '../support/backups.ts'
import { unwatchAnswers } from '../support/contract/watch.ts'
import { type Measured, measureCommand } from '../support/measured-command.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { type Again, addNewFiles, backUpAgain } from './drill/again.ts'
import { compareLibraries } from './drill/compare.ts'
import type { Counts } from './drill/judge.ts'
import { BLOCKED, contentOf, fillLibrary, VIEWER } from './drill/library.ts'
import { type Load, startLoad } from './drill/load.ts'
import { callAs } from './worlds/api.ts'
import { parametersOf, type TortureOptions, tell } from './worlds/options.ts'
import { createRandom, type Random } from './worlds/random.ts'
import { withDatabase } from './worlds/sound.ts'

const FILES = 10_000
/**
 * From so many files on, contents are of one byte, since it is the rows that are many then; and clients wait after each
 * answer, or a backup of an hour, which lets requests go first, would become one of many hours.
 */
const MANY = 100_000
const PAUSE = 250
/** Files at most that are asked for one by one, with their contents and rights. */
const SAMPLE = 10_000
/** Changes that each client has had acknowledged before the backup begins, and again after its end. */
const CHANGES = 20

export interface DrillOptions {
  files: number
  runtime?: Runtime
  seed: number
  /** Is told what is done now. */
  onStage?: (what: string) => void
}

export interface DrillOutcome {
  /** Changes that were acknowledged up to the moment of the backup, and after it. */
  before: number
  after: number
  /** Those that were acknowledged while the backup ran, and how many of them it has. */
  meanwhile: { all: number; kept: number }
  /** Seconds that the making of the library and the comparison took. */
  comparing: number
  counts: Counts
  backup: Measured
  restore: Measured
  verification: Measured
  again: Again
}

/**
 * Backs up a library of 10,000 files, or `--files`, while people change it, restores it elsewhere, and compares it
 * through the API with the moment of the backup, on each runtime.
 */
export async function torture(options: TortureOptions): Promise<void> {
  const { runtimes, seed } = parametersOf(options, 1)
  const files = Number(options.files ?? FILES)
  for (const runtime of runtimes) {
    const said = `drill, ${runtime}, ${files} files`
    const onStage = (what: string) => tell(`${said}: ${what}`)
    const found = await drill({ files, runtime, seed, onStage })
    const { before, after, meanwhile, counts, comparing, backup, restore, verification, again } =
      found
    const cost = ({ seconds, read, peak }: Measured) =>
      `${seconds.toFixed(1)} s, ${(read / 1e6).toFixed(0)} MB read, ${peak.toFixed(0)} MiB`
    const objects = Object.entries(counts).map(
      ([kind, { compared, changed }]) => `${kind} ${compared} (${changed} changed since)`,
    )
    const unread =
      again.unread === null
        ? 'that old contents are not read can not be seen on this file system'
        : `${again.unread} old contents looked at and none read`
    tell(
      `${said} (seed ${seed}): the backup took ${cost(backup)}; of ${before + after} acknowledged changes it has ` +
        `the first ${before} and none of the other ${after}; ${meanwhile.all} were acknowledged while it ran, of ` +
        `which it has ${meanwhile.kept}; restore ${cost(restore)}; compared in ${comparing.toFixed(0)} s: ` +
        `${objects.join(', ')}; second backup ${cost(again)}: ${again.result.copied} contents copied, database read ` +
        `${again.reads.toFixed(1)} times, ${unread}; ` +
        `verification ${cost(verification)}`,
    )
  }
}

interface Scene extends DrillOptions {
  /** Bytes of each content. */
  size: number
  /** Milliseconds that each client waits after an answer. */
  pause: number
  random: Random
  folder: string
  dir: string
  start(name: string): Promise<SpawnedServer>
}

/**
 * Throws when the restored library has a change that came after the moment of the backup, lacks one that came before it
 * or differs in anything else; and when a second backup reads more than the database and what is new.
 */
export async function drill(options: DrillOptions): Promise<DrillOutcome> {
  const { files, runtime, seed, onStage = () => {} } = options
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-drill-'))
  const servers: SpawnedServer[] = []
  const scene: Scene = {
    ...options,
    ...(files < MANY ? { size: 2000, pause: 0 } : { size: 1, pause: PAUSE }),
    random: createRandom(seed),
    folder,
    dir: join(folder, 'backups'),
    async start(name) {
      const server = await spawnServer({
        dataDir: join(folder, name),
        env: SETTINGS,
        ...(runtime && { runtime }),
      })
      servers.push(server)
      // The checks of many pages take longer than the pages.
      if (files >= MANY) unwatchAnswers(server.url)
      return server
    },
  }
  try {
    onStage('makes the library')
    const live = await openFilled(scene)
    onStage('backs it up under load')
    const { load, backup, times } = await backUpUnderLoad(scene, live)
    onStage(`restores it, after a backup of ${backup.seconds.toFixed(0)} s`)
    const copy = join(folder, 'restored')
    const restore = await measureCommand(copy, ['restore', scene.dir], runtime)
    const entry = await withDatabase(copy, lastEntry)
    const restored = await scene.start('restored')
    onStage(`compares the two, after a restore of ${restore.seconds.toFixed(0)} s`)
    const started = performance.now()
    const placed = placeInTime(load, entry, times)
    const counts = await compare(scene, { live, restored, load, entry })
    const comparing = (performance.now() - started) / 1000
    onStage(`adds new files and backs up again, after a comparison of ${comparing.toFixed(0)} s`)
    await addNewFiles(await callAs(restored), scene.random)
    assert.equal(await restored.stop(), 0)
    const again = await backUpAgain({ ...scene, dataDir: copy })
    const verification = await measureCommand(copy, ['backup', '--verify', scene.dir], runtime)
    assert.deepEqual(verification.result.findings, [])
    return { ...placed, counts, comparing, backup, restore, again, verification }
  } finally {
    for (const server of servers) await server.stop('SIGKILL')
    rmSync(folder, { recursive: true })
  }
}

const SETTINGS = {
  FFMPEG_PATH: '',
  AUTH_RATE_LIMIT: '0',
  LOG_LEVEL: 'error',
  SCRUB_INTERVAL: '0',
  ACCESS_TOKEN_TTL: '1d',
}

async function openFilled({ start, folder, files, size }: Scene): Promise<SpawnedServer> {
  const empty = await start('library')
  assert.equal(await empty.stop(), 0)
  const dataDir = join(folder, 'library')
  const password = empty.adminPassword
  await withDatabase(dataDir, (db) => fillLibrary(dataDir, db, { files, size, password }))
  return start('library')
}

/** When a backup began and ended, by `performance.now()`. */
interface Times {
  begun: number
  ended: number
}

async function backUpUnderLoad(
  { seed, dir, runtime, pause }: Scene,
  live: SpawnedServer,
): Promise<{ load: Load; backup: Measured; times: Times }> {
  return withDatabase(live.dataDir, async (db) => {
    const load = await startLoad(live, db, { seed, pause })
    await load.goOn(CHANGES)
    const begun = performance.now()
    const backup = await measureCommand(live.dataDir, ['backup', dir], runtime)
    const ended = performance.now()
    await load.goOn(CHANGES)
    await load.stop()
    for (const client of load.clients) assert.equal(client.compare(db), false)
    load.history.place((operation) => firstEntry(db, operation))
    return { load, backup, times: { begun, ended } }
  })
}

/**
 * Returns the id of the last entry of the audit log, which tells of which moment a library is where no server was at work
 * yet: one writes entries of its own, of rescans.
 */
function lastEntry(db: Db): number {
  return db.get<{ id: number }>('SELECT max(id) AS id FROM audit_log')!.id
}

function firstEntry(db: Db, operation: number): number {
  const select = 'SELECT min(id) AS id FROM audit_log WHERE operation = ?'
  return db.get<{ id: number }>(select, operation)!.id
}

/**
 * Returns how many changes came up to the entry and after it. Throws unless what was acknowledged before the backup
 * began is among the first, and what was sent after its end among the others.
 */
function placeInTime(
  { history: { noted } }: Load,
  entry: number,
  { begun, ended }: Times,
): Pick<DrillOutcome, 'before' | 'after' | 'meanwhile'> {
  for (const change of noted) {
    if (change.ended < begun) assert.ok(change.operation <= entry, 'a change from before is lost')
    if (change.begun > ended) assert.ok(change.operation > entry, 'a change from after is there')
  }
  const first = noted.filter(({ operation }) => operation <= entry)
  const meanwhile = noted.filter((change) => change.ended >= begun && change.begun <= ended)
  return {
    before: first.length,
    after: noted.length - first.length,
    meanwhile: {
      all: meanwhile.length,
      kept: meanwhile.filter(({ operation }) => operation <= entry).length,
    },
  }
}

async function compare(
  { files, size, random }: Scene,
  {
    live,
    restored,
    load,
    entry,
  }: { live: SpawnedServer; restored: SpawnedServer; load: Load; entry: number },
): Promise<Counts> {
  const as = async (name: string) => ({
    live: await callAs(live, name),
    restored: await callAs(restored, name),
  })
  const admin = await as('admin')
  await assert.rejects(callAs(restored, BLOCKED))
  return compareLibraries({
    ...admin,
    viewer: await as(VIEWER),
    history: load.history,
    entry,
    isSampled: () => random.below(files) < SAMPLE,
    digestOf: (name) => sha256(contentOf(name, size)),
  })
}
