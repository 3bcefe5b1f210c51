import type { Runtime } from '../../support/spawn.ts'

/** What `npm run torture` was called with. */
export interface TortureOptions {
  files?: string
  rounds?: string
  /** Of the suites that last for a time. */
  minutes?: string
  runtime?: string
  seed?: string
}

interface Parameters {
  rounds: number
  runtimes: Runtime[]
  seed: number
}

/** Returns the parameters of a suite: by default, so many rounds on each runtime, with a seed of this moment. */
export function parametersOf(options: TortureOptions, rounds: number): Parameters {
  const seed = options.seed === undefined ? Date.now() % 2 ** 32 : Number(options.seed)
  const runtimes = (options.runtime ?? process.env.TORTURE_RUNTIMES ?? 'bun,node').split(',')
  return { rounds: Number(options.rounds ?? rounds), runtimes: runtimes as Runtime[], seed }
}

/** Writes what was found on a line of its own. */
export function tell(text: string): void {
  process.stdout.write(`${text}\n`)
}
