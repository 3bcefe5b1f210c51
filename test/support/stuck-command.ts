import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { eventually } from './eventually.ts'
import { without } from './media/media.ts'
import { commandLine } from './spawn.ts'

/** For a test's `skip`: false when there are pipes that nobody writes to. */
export const withoutPipes = without('mkfifo', '--version')

/**
 * Puts a pipe in the place of a file while `work` runs, and the file back then: whoever opens it meanwhile waits for
 * somebody who writes.
 */
export async function whileNobodyCanRead(path: string, work: () => Promise<void>): Promise<void> {
  const aside = `${path}.aside`
  renameSync(path, aside)
  try {
    execFileSync('mkfifo', [path])
    await work()
  } finally {
    rmSync(path, { force: true })
    renameSync(aside, path)
  }
}

/**
 * Starts a command in a data folder, by way of a program if one is given, and once it has made `sign`, has `look` see
 * its process, and kills it.
 */
export async function lookWhileStuck(
  args: string[],
  { dataDir, sign, by = [] }: { dataDir: string; sign: string; by?: string[] },
  look: (pid: number) => void | Promise<void>,
): Promise<void> {
  const [program, ...line] = [...by, ...commandLine(), ...args]
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir } as NodeJS.ProcessEnv
  const child = spawn(program!, line, { env, stdio: 'ignore' })
  const ended = once(child, 'close')
  try {
    await eventually(() => existsSync(sign))
    await look(child.pid!)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}
