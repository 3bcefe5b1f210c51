import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { commandLine, type Runtime } from '../../support/spawn.ts'

/** Starts a command in a data folder, of which somebody waits for the end, or kills it. */
export function startCommand(dataDir: string, args: string[], runtime: Runtime | undefined) {
  const [program, ...own] = commandLine(runtime)
  const child = spawn(program, [...own, ...args, '--json'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const complaints: Buffer[] = []
  child.stderr.on('data', (chunk) => complaints.push(chunk))
  return {
    process: child,
    /** Resolves with the code and the signal that it has ended with. */
    ended: once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    complaints: () => Buffer.concat(complaints).toString(),
  }
}

export type StartedCommand = ReturnType<typeof startCommand>
