import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A program of others that stays in the foreground, the first of a group of processes. */
export interface Daemon {
  pid: number
  /** Rejects when it ends without `kill`, with what it has said; never resolves. */
  ended: Promise<never>
  /** Ends its whole group by SIGKILL and resolves when it is gone. */
  kill(): Promise<void>
}

/**
 * Starts a program, with none of the settings of the person who runs the tests. It ends with this process, however that
 * ends.
 */
export function startDaemon(
  program: string,
  args: string[],
  env: Record<string, string> = {},
): Daemon {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { PATH: process.env.PATH, ...env } as NodeJS.ProcessEnv,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-4000)
    })
  }
  let wanted = false
  const closed = once(child, 'close')
  const killGroup = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  // Hears by its input of a process that was killed.
  const watcher = spawn('sh', ['-c', `read _; kill -9 -${child.pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.once('close', () => watcher.kill('SIGKILL'))
  const ended = closed.then(([code]): Promise<never> => {
    if (wanted) return new Promise(() => {})
    throw new Error(`${program} ended with ${code}: ${said}`)
  })
  // Whoever waits for something else hears of it there.
  ended.catch(() => {})
  return {
    pid: child.pid!,
    ended,
    async kill() {
      wanted = true
      killGroup()
      await closed
    },
  }
}
