import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { printTable } from '../bench/measure.ts'
import type { Runtime } from '../support/spawn.ts'
import { type Attack, attacksOn, type Came, wideAttacks } from './abuse/attacks.ts'
import { now, type Worst } from './abuse/bystander.ts'
import { fillTarget, fillWide } from './abuse/library.ts'
import { startVictim, type Usage, type Victim } from './abuse/victim.ts'

/** Milliseconds after which an attack is cut off and its server killed. */
const LONGEST = 60_000
/** Milliseconds of quiet before each attack, which tell how long people wait without one. */
const IDLE = 3000
/** How much longer than on the idle server somebody else may wait, or that many milliseconds. */
const TIMES_IDLE = 3
const GOAL = 50

interface Found extends Worst, Usage {
  name: string
  answers: string
  bytes: number
  seconds: number
}

/**
 * Prints how long somebody else waits while a server is asked for what costs it most, beside the
 * worst of the same server when idle, on each runtime or on those of TORTURE_RUNTIMES.
 */
export async function torture(): Promise<void> {
  for (const runtime of (process.env.TORTURE_RUNTIMES ?? 'bun,node').split(',') as Runtime[]) {
    await withFolder(async (folder) => {
      const attacks = attacksOn(await fillTarget(folder))
      print(
        `abuse, ${runtime}: a library of 200,000 files`,
        await attackAll(folder, runtime, attacks),
      )
    })
    await withFolder(async (folder) => {
      await fillWide(folder)
      print(`abuse, ${runtime}: long notes`, await attackAll(folder, runtime, wideAttacks()))
    })
  }
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tagstead-torture-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Attacks a server in turn, or the next one when it didn't outlast an attack. */
async function attackAll(folder: string, runtime: Runtime, attacks: Attack[]) {
  let cut = new AbortController()
  const start = () => startVictim(folder, runtime, () => cut.signal)
  let victim = await start()
  const idle: Worst = { health: 0, files: 0 }
  const found: Found[] = []
  try {
    for (const attack of attacks) {
      cut = new AbortController()
      const quiet = await worstWhenIdle(victim)
      idle.health = Math.max(idle.health, quiet.health)
      idle.files = Math.max(idle.files, quiet.files)
      const row = await attackOnce(victim, attack, cut)
      process.stderr.write(`${runtime}: ${row.name}: ${row.answers}\n`)
      found.push(row)
      if (!cut.signal.aborted && victim.ended() === null) continue
      await victim.stop()
      victim = await start()
    }
  } finally {
    await victim.stop()
  }
  return { idle, found }
}

async function worstWhenIdle({ bystander }: Victim): Promise<Worst> {
  // What the attack before left to do, or the start, is over when somebody has been answered.
  await setTimeout(IDLE / 3)
  const start = now()
  await setTimeout(IDLE)
  return bystander.worst(start, now())
}

async function attackOnce(
  victim: Victim,
  [name, run]: Attack,
  cut: AbortController,
): Promise<Found> {
  victim.usage()
  const start = now()
  const over = new AbortController()
  const attack = run(victim.ask)
  const limit = setTimeout(LONGEST, null, { signal: over.signal }).then(
    () => cut.abort(),
    () => {},
  )
  const came = await attack
  over.abort()
  await limit
  const end = now()
  // An answer that is under way has to be there to be counted.
  if (!cut.signal.aborted) await setTimeout(100)
  const why = cut.signal.aborted ? `cut off after ${LONGEST / 1000} s` : victim.ended()
  return {
    name,
    answers: [describe(came), why].filter((text) => text !== null).join(', '),
    bytes: came.reduce((sum, { bytes }) => sum + bytes, 0),
    seconds: (end - start) / 1000,
    ...victim.usage(),
    ...victim.bystander.worst(start, end),
  }
}

/** Returns how often each status came, with 0 for requests without an answer. */
function describe(came: Came[]): string {
  const counts = new Map<number, number>()
  for (const { status } of came) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, n]) => (n === 1 ? `${status}` : `${n} x ${status}`)).join(', ')
}

function print(title: string, { idle, found }: { idle: Worst; found: Found[] }): void {
  const limit = (of: number) => Math.max(GOAL, TIMES_IDLE * of)
  const idles = `idle: /health ${idle.health.toFixed(0)}, /files ${idle.files.toFixed(0)}`
  printTable(
    `${title}; the longest that somebody else waits, in ms; ${idles}`,
    found.map(({ name, answers, bytes, seconds, cpu, memory, health, files }) => ({
      attack: name,
      health,
      'x idle': health / idle.health,
      files,
      'x  idle': files / idle.files,
      '': health > limit(idle.health) || files > limit(idle.files) ? 'TOO LONG' : '',
      seconds,
      'cpu s': cpu,
      'peak MiB': memory.toFixed(0),
      bytes: String(bytes),
      answers,
    })),
  )
}
