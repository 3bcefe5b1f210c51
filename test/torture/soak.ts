import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { command } from '../support/backups.ts'
import { stateOf } from '../support/processes.ts'
import { type Runtime, THIS_RUNTIME } from '../support/spawn.ts'
import { until } from './points/scene.ts'
import { moveClock } from './soak/clock.ts'
import { leftSince, openedBy, untilQuiet } from './soak/left.ts'
import { type LoadReport, runLoad } from './soak/load.ts'
import { startMeter, type Taken } from './soak/meter.ts'
import { LOADS, openSoak, type SoakScene } from './soak/scene.ts'
import { parametersOf, type TortureOptions, tell } from './worlds/options.ts'
import { checkSound, withDatabase } from './worlds/sound.ts'
import { observe, oneOf, type World } from './worlds/world.ts'

const MINUTES = 10
/** Seconds: the load after which the server is taken to have begun, how long it is stopped, and the load around that. */
const [WARM, STOPPED, AROUND] = [30, 60, 20]
/** Changes at each place of the clock. */
const STEPS = 200
/** What memory may grow from the second third of the time to the last: a part of it, or so many MiB. */
const GROWTH = { part: 0.1, most: 32 }

export interface SoakOptions {
  runtime?: Runtime
  seed: number
  /** How long the load is that is measured, the one before it, and how long the server is stopped within `around`. */
  seconds: number
  warm: number
  stopped: number
  around: number
  /** How many files the one has whose changes are long, and how many there are that nobody changes. */
  long: number
  still: number
}

export interface SoakOutcome {
  /** Of all loads, by kinds and statuses. */
  steps: Record<string, number>
  statuses: Record<string, number>
  reads: Record<string, number>
  done: Record<string, number>
  /** Requests that got no answer while the server was stopped, and changes of these that were there. */
  broken: number
  unacknowledged: number
  taken: Taken
}

/**
 * Has a server work at its limit for ten minutes, or `--minutes`, on each runtime, and stops it for a minute in the
 * middle of them; then its memory must not have grown. Before that, the clock of a library is set forth and back, on the
 * runtime of this process.
 */
export async function torture(options: TortureOptions): Promise<void> {
  const { runtimes, seed } = parametersOf(options, 1)
  const minutes = Number(options.minutes ?? MINUTES)
  const { moves, changes, entries, backups } = await moveClock({ seed, steps: STEPS })
  tell(
    `clock, ${THIS_RUNTIME}: set ${moves} times (seed ${seed}); ${changes} acknowledged changes all there, ` +
      `${entries} entries of the audit log and ${backups} backups in order`,
  )
  for (const runtime of runtimes) {
    const found = await soak({
      ...{ runtime, seed, seconds: minutes * 60, warm: WARM, stopped: STOPPED, around: AROUND },
      ...{ long: 300, still: 60 },
    })
    tell(`soak, ${runtime}: ${minutes} minutes (seed ${seed}); ${inWords(found)}`)
    for (const process of ['server', 'decoder'] as const) {
      const [, second, last] = found.taken[process] as [number, number, number]
      const most = second + Math.max(GROWTH.part * second, GROWTH.most)
      assert.ok(last <= most, `the ${process} grows from ${second} to ${last} MiB`)
    }
  }
}

function inWords(found: SoakOutcome): string {
  const { broken, unacknowledged, taken } = found
  const inMiB = (values: number[]) => values.map((value) => value.toFixed(0)).join(', ')
  return (
    `${withSum(found.steps)} changes, all there; ${withSum(found.reads)} readings; ` +
    `${withSum(found.done)} chores; answers ${withSum(found.statuses)}; ${broken} without one while the ` +
    `server was stopped, ${unacknowledged} of them done; MiB in the thirds of the time: server ` +
    `${inMiB(taken.server)}, decoder ${inMiB(taken.decoder)}, other processes at most ` +
    `${taken.others.toFixed(0)}; the server kept ${taken.cores.toFixed(2)} cores busy`
  )
}

/** Returns counts with their sum. */
function withSum(counts: Record<string, number>): string {
  const sum = Object.values(counts).reduce((a, b) => a + b, 0)
  const each = Object.entries(counts).map(([kind, n]) => `${kind} ${n}`)
  return `${sum} (${each.join(', ')})`
}

/**
 * Throws when an answer is 500 or more and no refusal, an acknowledged change is not there, a request waits for ever, or
 * the server has more descriptors, connections or temporary files open at the end than before the load.
 */
export async function soak(options: SoakOptions): Promise<SoakOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-soak-'))
  const scene = await openSoak(folder, { ...options, count: options.still })
  try {
    return await load(scene, options)
  } finally {
    await scene.server.stop('SIGKILL')
    rmSync(folder, { recursive: true })
  }
}

async function load(scene: SoakScene, options: SoakOptions): Promise<SoakOutcome> {
  const { server, errand, still } = scene
  const { seconds, warm, around, stopped } = options
  const pid = server.process.pid!
  const reports: LoadReport[] = []
  const worlds = new Map<string, World>([[still.prefix, still.world]])
  let unacknowledged = 0
  const run = async (n: number, lasts: number, meanwhile?: () => Promise<void>) => {
    const isStopped = meanwhile !== undefined
    const report = await runLoad(
      { ...errand, load: LOADS[n]!, seconds: lasts, isStopped },
      meanwhile,
    )
    assert.ok(isStopped || report.broken === 0, `${report.broken} requests without an answer`)
    await untilQuiet(pid, errand.dataDir)
    unacknowledged += await note(scene, report, worlds)
    reports.push(report)
  }
  await run(0, warm)
  const before = openedBy(pid)
  const meter = startMeter(pid)
  await run(1, seconds / 2)
  meter.rest()
  await run(2, stopped + around, () => stopOnce(server, options))
  meter.goOn()
  await run(3, seconds / 2)
  const taken = meter.stop()
  await until('nothing more open than before', () => leftSince(pid, before).length === 0).catch(
    () => assert.deepEqual(leftSince(pid, before), [], 'left open'),
  )
  await settle(scene, worlds)
  return {
    ...{ steps: sum(reports, 'steps'), statuses: sum(reports, 'statuses') },
    ...{ reads: sum(reports, 'reads'), done: sum(reports, 'done') },
    ...{ broken: reports[2]!.broken, unacknowledged, taken },
  }
}

/** Stops a server in the middle of its load, and lets it go on. */
async function stopOnce(
  server: SoakScene['server'],
  { around, stopped }: Pick<SoakOptions, 'around' | 'stopped'>,
): Promise<void> {
  await setTimeout((around / 2) * 1000)
  server.process.kill('SIGSTOP')
  await until('the server is stopped', () => stateOf(server.process.pid!) === 'T')
  await setTimeout(stopped * 1000)
  server.process.kill('SIGCONT')
}

/** Notes what each client of a load knows, and returns how many changes were made of which it wasn't told. */
async function note(
  { errand }: SoakScene,
  { clients }: LoadReport,
  worlds: Map<string, World>,
): Promise<number> {
  let unacknowledged = 0
  await withDatabase(errand.dataDir, async (db) => {
    // A change that was asked for on a connection that is gone goes on by itself.
    await until('no long change', () => db.get('SELECT 1 FROM long_changes') === undefined)
    for (const client of clients) {
      const world = oneOf(observe(db, client.prefix, new Map()), client)
      if (world !== client.world) unacknowledged++
      worlds.set(client.prefix, world)
    }
  })
  return unacknowledged
}

/** Throws when the library isn't as all clients know it, isn't sound, or its last backup isn't. */
async function settle({ server, errand }: SoakScene, worlds: Map<string, World>): Promise<void> {
  const { dataDir, backups } = errand
  const checked = await command(dataDir, ['check', '--json'])
  assert.equal(checked.code, 0, checked.stdout)
  assert.deepEqual([checked.result?.type, checked.result?.findings], ['done', 0], checked.stdout)
  assert.equal(await server.stop(), 0)
  const proved = await command(dataDir, ['backup', '--verify', backups, '--json'])
  assert.deepEqual(proved.result?.findings, [], proved.stderr)
  await withDatabase(dataDir, (db) => {
    for (const [prefix, world] of worlds) {
      oneOf(observe(db, prefix, new Map()), { prefix, world, underWay: null })
    }
    assert.deepEqual(checkSound(dataDir, db), [], 'contents without a row')
    const given = db.get("SELECT 1 FROM files WHERE original_name = 'given-up.jpg'")
    assert.equal(given, undefined, 'a file whose upload was given up')
  })
}

function sum(
  reports: LoadReport[],
  what: 'steps' | 'statuses' | 'reads' | 'done',
): Record<string, number> {
  const all: Record<string, number> = {}
  for (const report of reports) {
    for (const [kind, n] of Object.entries(report[what])) all[kind] = (all[kind] ?? 0) + n
  }
  return all
}
