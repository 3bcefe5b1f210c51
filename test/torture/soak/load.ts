import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { commandLine, type Runtime } from '../../support/spawn.ts'
import type { World } from '../worlds/world.ts'
import type { Address } from './asking.ts'
import type { StillFile } from './reading.ts'

/** What the clients are told to do. */
export interface Errand extends Address {
  dataDir: string
  /** The folder of backups, and the runtime that makes them. */
  backups: string
  runtime: Runtime
  /** Another number for each load: what its clients make has names that begin with it. */
  load: number
  seed: number
  seconds: number
  /** Whether the server is stopped meanwhile, so that connections and locks may be lost. */
  isStopped: boolean
  /** Those who change things, who have the password of the admin. */
  people: string[]
  /** How many files the one has whose changes are long. */
  long: number
  /** What nobody changes: files, and ids of tags and pools. */
  files: StillFile[]
  tags: string[]
  pools: string[]
}

/** What became of a load. */
export interface LoadReport {
  /** What each client knows, and the step whose answer it never got. */
  clients: {
    prefix: string
    world: World
    underWay: { kind: string; next: World } | null
  }[]
  /** Acknowledged changes of each kind, answers of each status, readings and chores of each kind. */
  steps: Record<string, number>
  statuses: Record<string, number>
  reads: Record<string, number>
  done: Record<string, number>
  /** Requests without an answer. */
  broken: number
}

/**
 * Lets the clients work in a process of their own, and returns what became of it once they have gone; `meanwhile` is
 * called when all have begun. Throws what a client complains of.
 */
export async function runLoad(
  errand: Errand,
  meanwhile: () => Promise<void> = async () => {},
): Promise<LoadReport> {
  const file = fileURLToPath(new URL('./main.ts', import.meta.url))
  const [program, ...own] = commandLine(undefined, file)
  const child = spawn(program, [...own, JSON.stringify(errand)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = Promise.all([text(child.stderr), once(child, 'close')])
  let last = ''
  let besides: Promise<void> | null = null
  for await (const line of createInterface({ input: child.stdout })) {
    last = line
    besides ??= meanwhile()
  }
  const [complaints, [code, signal]] = await ended
  process.off('exit', kill)
  await besides
  if (code !== 0) throw new Error(`the clients ended with ${code ?? signal}: ${complaints}`)
  return JSON.parse(last) as LoadReport
}
