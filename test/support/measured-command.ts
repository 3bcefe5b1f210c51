import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { commandLine, type Runtime } from './spawn.ts'

/** What a command came to, and what it cost. */
export interface Measured {
  /** What it tells with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: each command tells something else
  result: any
  seconds: number
  /** Bytes that the process asked to read. */
  read: number
  /** MiB. */
  peak: number
}

/**
 * Runs a command with `--json` in a data folder to its end, and looks meanwhile at what the system says of its process.
 * Throws when it ends with another code than 0.
 */
export async function measureCommand(
  dataDir: string,
  args: string[],
  runtime?: Runtime,
): Promise<Measured> {
  const [program, ...own] = commandLine(runtime)
  const started = performance.now()
  const child = spawn(program, [...own, ...args, '--json'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let [read, peak] = [0, 0]
  const look = () => {
    try {
      read = Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${child.pid}/io`, 'utf8'))?.[1] ?? read)
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak = Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? peak * 1024) / 1024
    } catch {
      // It has ended.
    }
  }
  const timer = setInterval(look, 5)
  const out = child.stdout.toArray()
  const [code] = await once(child, 'close')
  clearInterval(timer)
  const seconds = (performance.now() - started) / 1000
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return { result: JSON.parse(Buffer.concat(await out).toString()), seconds, read, peak }
}
