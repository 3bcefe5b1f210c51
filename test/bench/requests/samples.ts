import type { Case, Goal, Limit } from './cases.ts'
import type { Client } from './client.ts'

/** Milliseconds. */
export interface Samples {
  p50: number
  p99: number
}

/** What a case took, beside the limit in the same moments. */
export interface Taken extends Samples {
  /** The first time, with as little kept as the cases before it have left. */
  first: number
  limits: Record<Limit, Samples>
  /** How long somebody else waited for `/health` meanwhile, at most. */
  hold: number
  bytes: number
}

const RUNS = 200
const LEAST = 20
/** Milliseconds for a case. */
const BUDGET = 2500
const LIMITS: Limit[] = ['L', 'Ld', 'Lr']
/** Repetitions with somebody else beside. */
const BESIDE = 5

/** Asks for a case and, after each time, for the limits. */
export async function sample(
  one: Case,
  {
    server,
    beside,
    limit,
    token,
  }: { server: Client; beside: Client; limit: Client; token: string },
): Promise<Taken> {
  const ask = (n: number) => {
    const path = typeof one.path === 'string' ? one.path : one.path(n)
    return server.time(`/api/v1${path}`, { token })
  }
  const { ms: first, bytes } = await ask(0)
  const own: number[] = []
  const limits: Record<Limit, number[]> = { L: [], Ld: [], Lr: [] }
  const started = performance.now()
  for (let n = 1; n <= RUNS; n++) {
    own.push((await ask(n)).ms)
    for (const name of LIMITS) limits[name].push((await limit.time(`/${name}`)).ms)
    if (n >= LEAST && performance.now() - started > BUDGET) break
  }
  const hold = await holdOf(ask, beside)
  const [l, ld, lr] = LIMITS.map((name) => inOrder(limits[name])) as [Samples, Samples, Samples]
  return { ...inOrder(own), first, bytes, hold, limits: { L: l, Ld: ld, Lr: lr } }
}

/** Returns how long `/health` takes at most while requests are under way. */
async function holdOf(ask: (n: number) => Promise<unknown>, beside: Client): Promise<number> {
  let isOver = false
  const asked = (async () => {
    for (let n = 0; n < BESIDE; n++) await ask(n)
    isOver = true
  })()
  let longest = 0
  do {
    longest = Math.max(longest, (await beside.time('/health')).ms)
  } while (!isOver)
  await asked
  return longest
}

function inOrder(times: number[]): Samples {
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
  return { p50: at(0.5), p99: at(0.99) }
}

/** How a goal is read: more time on Node than on Bun, and beside somebody who writes. */
export interface Reading {
  runtime: 'bun' | 'node'
  isWriting: boolean
}

const ON_NODE = 1.5
const BESIDE_WRITES = 2
/** The 99th percentile may be as high as the machine's noise makes the limit's, times this. */
const NOISE = 3

/** Returns the milliseconds that a case may take, and the limit that it is compared with. */
export function allowed(goal: Goal, taken: Taken, reading: Reading): { ms: number; of: Limit } {
  const more = reading.isWriting ? BESIDE_WRITES : 1
  if ('ms' in goal) {
    return { ms: goal.ms * more * (reading.runtime === 'node' ? ON_NODE : 1), of: 'L' }
  }
  return { ms: goal.times * more * taken.limits[goal.of].p50, of: goal.of }
}

/** Returns whether what a case took is within its goal. */
export function isHeld(goal: Goal, taken: Taken, reading: Reading): boolean {
  const { ms, of } = allowed(goal, taken, reading)
  return taken.p50 <= ms && taken.p99 <= Math.max(ms, NOISE * taken.limits[of].p99)
}
