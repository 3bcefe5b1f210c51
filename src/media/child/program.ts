import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { endWithThisProcess, lastWords } from '../child-process.ts'
import { isWasmUnlimited, limitMemory, NO_LIMIT, residentMemory, TIERS } from '../memory.ts'
import { thisTier } from './job-memory.ts'
import { countProgram } from './job-time.ts'

/** How much of the machine a program may take. */
interface Limits {
  /** Of processor time, and nearly four times that of clock time, after which the program is killed. */
  seconds: number
  /** Bytes that it may print. */
  output: number
  /** Whether it is this runtime, with WebAssembly. */
  isWasm?: boolean
}

const STDERR_KEPT = 500
/** Milliseconds between two looks at the memory of a program that can't be given a limit. */
const LOOK_INTERVAL = 50
const TOO_LONG = 'took too long'
/** The decoder itself is killed after four times the processor time, which would stop other jobs, too. */
const WALL = 3.5
/** Milliseconds; the unit of the processor times that Linux tells. */
const TICK = 10

/** The exit codes of the shell for a program that it can't run. */
const NOT_RUN = [126, 127]

/**
 * Runs a program without input and returns what it prints. Throws when it fails or takes more than
 * it may: with the code ETIMEDOUT when it was killed, for its time or by the system, and with
 * ENOEXEC when it could not be started. It does not outlive this process.
 */
export function runProgram(command: string, args: string[], limits: Limits): Promise<Buffer> {
  const most = TIERS[thisTier()].program
  const isWatched = limits.isWasm && isWasmUnlimited
  const memory = isWatched ? NO_LIMIT : limitMemory(most, limits.isWasm ?? false)
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
    endWithThisProcess(child, true)
    const before = timeOfPrograms()
    // A large picture is there but once; of small ones, buffers of the largest size would soon be too much.
    const printed = limits.isWasm ? Buffer.allocUnsafeSlow(limits.output) : null
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
    const timer = setTimeout(() => kill(TOO_LONG), limits.seconds * WALL * 1000)
    const look = () => residentMemory(child.pid!) > most && kill('out of memory')
    const looks = isWatched ? setInterval(look, LOOK_INTERVAL) : undefined
    child.stdout.on('data', (chunk: Buffer) => {
      const isTooMuch = size + chunk.length > limits.output
      if (isTooMuch) kill('printed too much')
      else if (printed === null) chunks.push(chunk)
      else chunk.copy(printed, size)
      size += isTooMuch ? 0 : chunk.length
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      clearInterval(looks)
      countProgram(timeOfPrograms() - before)
      if (broken === undefined && code === 0) {
        resolve(printed?.subarray(0, size) ?? Buffer.concat(chunks, size))
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

/** Returns the milliseconds of processor time of all programs that have ended, 0 where it isn't told. */
function timeOfPrograms(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[13]) + Number(fields[14])) * TICK
  } catch {
    return 0
  }
}
