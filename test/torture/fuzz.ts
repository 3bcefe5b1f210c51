import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../support/spawn.ts'

const REQUESTS = 6000
const WALK = fileURLToPath(new URL('../support/contract/long-walk.ts', import.meta.url))

/**
 * Sends thousands of made-up requests to all operations on each runtime; FUZZ_SEED repeats a run.
 */
export async function torture(): Promise<void> {
  const seed = process.env.FUZZ_SEED ?? String(Date.now() % 1_000_000)
  for (const runtime of ['bun', 'node'] as const) {
    process.stdout.write(`fuzz, ${runtime}: `)
    const [program, ...args] = commandLine(runtime, WALK)
    const walk = spawn(program, [...args, String(REQUESTS), seed], { stdio: 'inherit' })
    const [code] = await once(walk, 'close')
    if (code !== 0) throw new Error(`The walk of seed ${seed} ended with ${code} on ${runtime}`)
  }
}
