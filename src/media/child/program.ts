import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import type { Duplex } from 'node:stream'
import { killGroup, lastWords } from '../../base/child-process.ts'
import { isWasmUnlimited, limitMemory, NO_LIMIT, residentMemory, TIERS } from '../memory.ts'
import { thisTier } from './job-memory.ts'
import { countProgram } from './job-time.ts'

interface Limits {
  /** Of processor time; the program is killed after nearly four times that of clock time. */
  seconds: number
  /** Bytes that the program may print. */
  output: number
  /** Whether the program is this runtime, with WebAssembly. */
  isWasm?: boolean
}

const STDERR_KEPT = 500
// Milliseconds between two looks at the memory of a program that can't be given a limit.
const LOOK_INTERVAL = 50
const TOO_LONG = 'took too long'
// The decoder itself is killed after four times the processor time, which would also stop other jobs.
const WALL = 3.5
// In milliseconds; the unit of the processor times that Linux reports.
const TICK = 10

// The exit codes of the shell for a program that it can't run.
const NOT_RUN = [126, 127]
// What a shell adds to the number of a signal that has ended a program.
const SIGNALLED = 128

/**
 * What the shell does beside the program: it prints the program's id, and waits for the line that comes when all output
 * has been read. When its input ends without a line, the decoder is gone, and the whole group is killed. The shell ends
 * after the program, so that no zombie is left to a container's first process that reaps none.
 */
const WATCH =
  "trap '' HUP INT TERM; exec >/dev/null 2>&1; echo $! >&3; " +
  'if read -r _ <&3; then wait $!; exit $?; fi; kill -s KILL -- -$$'

/**
 * Runs a program without input and returns what it prints. Throws when it fails or takes more than it may: with the
 * code ETIMEDOUT when it was killed, for its time or by the system, and with ENOEXEC when it could not be started. It
 * does not outlive this process.
 */
export function runProgram(command: string, args: string[], limits: Limits): Promise<Buffer> {
  const most = TIERS[thisTier()].program
  const isWatched = limits.isWasm && isWasmUnlimited
  const memory = isWatched ? NO_LIMIT : limitMemory(most, limits.isWasm ?? false)
  const bounds = `ulimit -t ${Math.ceil(limits.seconds)}; ${memory}`
  const script = `( ${bounds} exec "$0" "$@" 3<&- ) & ${WATCH}`
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', script, command, ...args], {
      // A group of its own, which a terminal's Ctrl-C does not reach: the server finishes the uploads that are under
      // way.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    child.on('error', reject)
    // There are no streams when the system has no files left for them; `error` reports that.
    if (!child.stdout || !child.stderr) return
    const program = startedBy(child)
    const before = timeOf('self').ofOthers
    let ofKilled = 0
    // A large picture is in memory only once; for small ones, buffers of the largest size would soon be too much.
    const printed = limits.isWasm ? Buffer.allocUnsafeSlow(limits.output) : null
    const chunks: Buffer[] = []
    let size = 0
    const errors = lastWords(child.stderr, STDERR_KEPT)
    let broken: string | undefined
    const kill = (reason: string) => {
      if (broken !== undefined) return
      broken = reason
      // Nothing waits for a killed process and counts its time, so that is read before.
      ofKilled = timeOf(program()).own
      // What the program has started may hold its output open.
      killGroup(child)
    }
    const timer = setTimeout(() => kill(TOO_LONG), limits.seconds * WALL * 1000)
    const look = () => residentMemory(program()) > most && kill('out of memory')
    const looks = isWatched ? setInterval(look, LOOK_INTERVAL) : undefined
    child.stdout.on('data', (chunk: Buffer) => {
      const isTooMuch = size + chunk.length > limits.output
      if (isTooMuch) kill('printed too much')
      else if (printed === null) chunks.push(chunk)
      else chunk.copy(printed, size)
      size += isTooMuch ? 0 : chunk.length
    })
    child.on('close', (code, killed) => {
      clearTimeout(timer)
      clearInterval(looks)
      countProgram(timeOf('self').ofOthers - before + ofKilled)
      if (broken === undefined && code === 0) {
        resolve(printed?.subarray(0, size) ?? Buffer.concat(chunks, size))
        return
      }
      const reason = broken ?? killed ?? signalOf(code) ?? (errors().trim() || `exit ${code}`)
      const error: NodeJS.ErrnoException = new Error(`${command}: ${reason}`)
      if (reason === TOO_LONG || reason === 'SIGKILL') error.code = 'ETIMEDOUT'
      else if (code !== null && NOT_RUN.includes(code)) error.code = 'ENOEXEC'
      reject(error)
    })
  })
}

/**
 * Returns a function that returns the id of the program that such a shell has started, 0 until that is reported, and
 * informs the shell when all that the program prints has been read.
 */
function startedBy(child: ChildProcess): () => number {
  const shell = child.stdio[3] as Duplex
  let written = ''
  let open = 2
  shell.on('data', (chunk: Buffer) => {
    written += chunk.toString()
  })
  // The shell may have been killed.
  shell.on('error', () => {})
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('end', () => --open === 0 && shell.end('\n'))
  }
  return () => Number(written)
}

function signalOf(code: number | null): string | undefined {
  const number = (code ?? 0) - SIGNALLED
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
}

// Milliseconds of processor time of a process, and of all that it has started and that have ended; 0 where the system
// reports none.
function timeOf(pid: number | 'self'): { own: number; ofOthers: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number)
    return { own: (fields[11]! + fields[12]!) * TICK, ofOthers: (fields[13]! + fields[14]!) * TICK }
  } catch {
    return { own: 0, ofOthers: 0 }
  }
}
