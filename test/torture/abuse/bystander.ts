import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../../support/spawn.ts'
import type { Probe } from './prober.ts'

const PROBER = fileURLToPath(new URL('prober.ts', import.meta.url))

/** The longest that somebody else waited, in milliseconds; those without an answer count, too. */
export interface Worst {
  health: number
  files: number
}

/** Somebody who only looks at their files while others attack. */
export interface Bystander {
  /** Returns the worst of what was under way in a span of time that is over. */
  worst(start: number, end: number): Worst
  stop(): void
}

/** Returns the time as probes have it, in milliseconds. */
export const now = () => performance.timeOrigin + performance.now()

/** Starts a process that asks the server again and again. */
export function startBystander(url: string, token: string): Bystander {
  const [program, ...args] = commandLine(undefined, PROBER)
  const child = spawn(program, [...args, url, token], { stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = () => void child.kill('SIGKILL')
  process.once('exit', stop)
  const probes: Probe[] = []
  collect(child, probes)
  return {
    worst: (start, end) => {
      const during = probes.filter((probe) => probe.end >= start && probe.start <= end)
      const longest = (what: Probe['what']) => {
        const times = during.filter((probe) => probe.what === what)
        // What was asked before the end and has no answer yet waits since the last answer.
        const last = probes.findLast((probe) => probe.what === what)
        const waiting = last && last.end < end ? end - Math.max(start, last.end) : 0
        return Math.max(waiting, ...times.map((probe) => probe.end - probe.start))
      }
      return { health: longest('health'), files: longest('files') }
    },
    stop: () => {
      process.off('exit', stop)
      stop()
    },
  }
}

async function collect(child: ChildProcess, probes: Probe[]): Promise<void> {
  for await (const line of createInterface({ input: child.stdout! })) {
    probes.push(JSON.parse(line))
  }
}
