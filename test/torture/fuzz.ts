import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { commandLine, type Runtime } from '../support/spawn.ts'

const REQUESTS = 6000
const REQUESTS_OF_MANY_FILES = 1600
const WALK = fileURLToPath(new URL('../support/contract/long-walk.ts', import.meta.url))
const HOLDS = fileURLToPath(new URL('holds/main.ts', import.meta.url))

/**
 * Sends thousands of made-up requests to all operations, and then, in a library of 100,000 files,
 * fewer of them and those that cost most, whose holds of the event loop are printed. FUZZ_SEED
 * repeats a run, FUZZ_REQUESTS is the number of requests in the large library, and
 * TORTURE_RUNTIMES names the runtimes, by default bun,node.
 */
export async function torture(): Promise<void> {
  const seed = process.env.FUZZ_SEED ?? String(Date.now() % 1_000_000)
  const requests = process.env.FUZZ_REQUESTS ?? String(REQUESTS_OF_MANY_FILES)
  for (const runtime of (process.env.TORTURE_RUNTIMES ?? 'bun,node').split(',') as Runtime[]) {
    process.stdout.write(`fuzz, ${runtime}: `)
    await runProgram(runtime, WALK, [String(REQUESTS), seed])
    await runProgram(runtime, HOLDS, ['--requests', requests, '--seed', seed])
  }
}

async function runProgram(runtime: Runtime, file: string, options: string[]): Promise<void> {
  const [program, ...args] = commandLine(runtime, file)
  const [code] = await once(spawn(program, [...args, ...options], { stdio: 'inherit' }), 'close')
  if (code !== 0) throw new Error(`${file} ${options.join(' ')} ended with ${code} on ${runtime}`)
}
