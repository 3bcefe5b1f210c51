import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandLine, spawnServer } from '../support/spawn.ts'
import { makeLibrary } from './library.ts'
import { printTable } from './measure.ts'

const ROUNDS = 5
const FILES = Number(process.env.BENCH_FILES ?? 1_000_000)

/**
 * Prints how long the server takes to its first answer, with libraries of no file and of BENCH_FILES (a
 * million), compared with an empty program on the same runtime.
 */
export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-start-'))
  const empty = join(folder, 'empty.ts')
  writeFileSync(empty, '')
  const first: number[] = []
  const again: number[] = []
  const bare: number[] = []
  const large: number[] = []
  const library = makeLibrary({ files: FILES, looks: true })
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const dataDir = join(folder, String(round))
      first.push(await timeOf(dataDir))
      again.push(await timeOf(dataDir))
      large.push(await timeOf(library.folder))
      const started = performance.now()
      const [program, ...args] = commandLine(undefined, empty)
      await once(spawn(program, args), 'close')
      bare.push(performance.now() - started)
    }
  } finally {
    library.remove()
    rmSync(folder, { recursive: true })
  }
  const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
  printTable(`start, median of ${ROUNDS}`, [
    { what: 'first start: folder, database and admin made', ms: median(first) },
    { what: 'start on an empty library', ms: median(again) },
    { what: `start on ${FILES} files`, ms: median(large) },
    { what: 'an empty program', ms: median(bare) },
  ])
}

/** Returns how many milliseconds a server takes from its start to its first answer. */
async function timeOf(dataDir: string): Promise<number> {
  const started = performance.now()
  const server = await spawnServer({ dataDir })
  await (await fetch(`${server.url}/health`)).text()
  const ms = performance.now() - started
  await server.stop()
  return ms
}
