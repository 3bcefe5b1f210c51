import { existsSync, openSync, readSync } from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'

/** The longest time in which one piece of work let nothing else run; all in milliseconds. */
export interface Hold {
  /** By the clock, less the time in which this thread waited for a core that others had. */
  held: number
  /** By the clock. */
  wall: number
  /** What this thread computed; the rest of `held` is waiting for the disk or a new process. */
  cpu: number
  /** How long the whole work took, until its answer was read. */
  took: number
}

/** Nanoseconds for which the main thread ran and for which it waited for a core, on Linux. */
const SCHEDSTAT = '/proc/self/schedstat'
const file = existsSync(SCHEDSTAT) ? openSync(SCHEDSTAT, 'r') : null
const line = Buffer.alloc(128)

interface Reading {
  wall: number
  cpu: number
  waited: number
}

function read(): Reading {
  const wall = performance.now()
  if (file === null) {
    const { user, system } = process.cpuUsage()
    return { wall, cpu: (user + system) / 1000, waited: 0 }
  }
  const [cpu, waited] = line.toString('latin1', 0, readSync(file, line, 0, 128, 0)).split(' ')
  return { wall, cpu: Number(cpu) / 1e6, waited: Number(waited) / 1e6 }
}

/** Returns the longest hold of the event loop while `work` runs. */
export async function measureHold(work: () => Promise<unknown>): Promise<Hold> {
  let isRunning = true
  const longest: Hold = { held: 0, wall: 0, cpu: 0, took: 0 }
  let last = read()
  const started = last.wall
  const look = () => {
    const now = read()
    const wall = now.wall - last.wall
    const held = Math.max(0, wall - (now.waited - last.waited))
    if (held > longest.held) Object.assign(longest, { held, wall, cpu: now.cpu - last.cpu })
    last = now
  }
  const others = (async () => {
    while (isRunning) {
      await setImmediate()
      look()
    }
  })()
  await work()
  look()
  isRunning = false
  await others
  return { ...longest, took: last.wall - started }
}

/** Returns the longest hold of a server that is asked for nothing but its health for that long. */
export async function measureIdle(ask: () => Promise<unknown>, ms: number): Promise<Hold> {
  const end = performance.now() + ms
  let longest: Hold = { held: 0, wall: 0, cpu: 0, took: 0 }
  while (performance.now() < end) {
    const hold = await measureHold(async () => {
      await ask()
      await setTimeout(5)
    })
    if (hold.held > longest.held) longest = hold
  }
  return longest
}
