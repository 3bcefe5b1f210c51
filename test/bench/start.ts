import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandLine, spawnServer } from '../support/spawn.ts'
import { printTable } from './measure.ts'

const ROUNDS = 5

/**
 * Prints how long the server takes to print its address, compared with an empty program on the same
 * runtime.
 */
export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-start-'))
  const empty = join(folder, 'empty.ts')
  writeFileSync(empty, '')
  const first: number[] = []
  const again: number[] = []
  const bare: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const dataDir = join(folder, String(round))
      for (const times of [first, again]) {
        const started = performance.now()
        const server = await spawnServer({ dataDir })
        times.push(performance.now() - started)
        await server.stop()
      }
      const started = performance.now()
      const [program, ...args] = commandLine(undefined, empty)
      await once(spawn(program, args), 'close')
      bare.push(performance.now() - started)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
  printTable(`start, median of ${ROUNDS}`, [
    { what: 'first start: folder, database and admin made', ms: median(first) },
    { what: 'start on an empty library', ms: median(again) },
    { what: 'an empty program', ms: median(bare) },
  ])
}
