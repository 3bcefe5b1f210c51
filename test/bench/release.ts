import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { layRelease } from '../../scripts/release/lay.ts'
import { freePort } from '../support/free-port.ts'
import { printBudgets } from './budgets.ts'
import { makeLibrary } from './library.ts'

const FILES = 10_000
const ROUNDS = 7
/** Milliseconds between two attempts to be answered. */
const PAUSE = 2

/**
 * Prints how long a release takes from its start to its first answer with a library of 10,000 files, and what
 * its runtime alone takes, in turns. Throws when that is more than three times as long and 300 ms.
 */
export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-release-'))
  const library = makeLibrary({ files: FILES, looks: true })
  const bare: number[] = []
  const answered: number[] = []
  try {
    await layRelease(folder)
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await timeOf(() => once(spawn(join(folder, 'bin/bun'), ['-e', '0']), 'close')))
      answered.push(await firstAnswer(join(folder, 'tagstead'), library.folder))
    }
  } finally {
    library.remove()
    rmSync(folder, { recursive: true })
  }
  const runtime = median(bare)
  printBudgets(`start of a release, median of ${ROUNDS}`, [
    { what: 'bun -e 0, ms', value: runtime },
    {
      what: `from the start to the first answer, ${FILES} files, ms`,
      value: median(answered),
      held: 3 * runtime + 300,
    },
  ])
}

async function firstAnswer(program: string, dataDir: string): Promise<number> {
  const port = await freePort()
  let server: ChildProcess | undefined
  const time = await timeOf(async () => {
    server = spawn(program, {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    while (!(await isAnswered(port))) {
      if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}`)
      await setTimeout(PAUSE)
    }
  })
  const ended = once(server!, 'exit')
  server!.kill('SIGTERM')
  await ended
  return time
}

function isAnswered(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
}
