import { spawn } from 'node:child_process'
import { lastWords } from '../child-process.ts'

/** How much of the machine a program may take. */
interface Limits {
  /** Of clock time and of processor time, after which the program is killed. */
  seconds: number
  /** Bytes that it may print. */
  output: number
  /** KiB of address space; a program that reserves more than it uses can't be given this limit. */
  memory?: number
}

const STDERR_KEPT = 500
const TOO_LONG = 'took too long'

/** The exit codes of the shell for a program that it can't run. */
const NOT_RUN = [126, 127]

/**
 * Runs a program without input and returns what it prints. Throws when it fails or takes more than
 * it may: with the code ETIMEDOUT when it was killed, for its time or by the system, and with
 * ENOEXEC when it could not be started. The limit of processor time holds even when nobody is left
 * to kill it.
 */
export function runProgram(command: string, args: string[], limits: Limits): Promise<Buffer> {
  const memory = limits.memory === undefined ? '' : `ulimit -v ${limits.memory} 2>/dev/null;`
  const script = `ulimit -t ${Math.ceil(limits.seconds)}; ${memory} exec "$0" "$@"`
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', script, command, ...args], {
      // A group of its own, which a terminal's Ctrl-C does not reach: the server finishes the
      // uploads that are under way.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.on('error', reject)
    // There are no streams when the system has no files left for them; `error` tells of it.
    if (!child.stdout || !child.stderr) return
    const chunks: Buffer[] = []
    let size = 0
    const errors = lastWords(child.stderr, STDERR_KEPT)
    let broken: string | undefined
    const kill = (reason: string) => {
      if (broken !== undefined || child.pid === undefined) return
      broken = reason
      try {
        // The whole group: what the program has started may hold its output open.
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended in the meantime.
      }
    }
    const timer = setTimeout(() => kill(TOO_LONG), limits.seconds * 1000)
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limits.output) chunks.push(chunk)
      else kill('printed too much')
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (broken === undefined && code === 0) {
        resolve(Buffer.concat(chunks, size))
        return
      }
      const reason = broken ?? signal ?? (errors().trim() || `exit ${code}`)
      const error: NodeJS.ErrnoException = new Error(`${command}: ${reason}`)
      if (reason === TOO_LONG || reason === 'SIGKILL') error.code = 'ETIMEDOUT'
      else if (code !== null && NOT_RUN.includes(code)) error.code = 'ENOEXEC'
      reject(error)
    })
  })
}
