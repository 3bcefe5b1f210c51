import { spawn } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/**
 * The number of the group of all decoders, and the numbers of their users, one for each child: numbers below 65536 that
 * no system assigns, so that they exist in containers that have no higher ones. 65532 is what images without a
 * distribution call nonroot, and 65534 is nobody.
 */
export const DECODER_GROUP = 65_522
const FIRST_USER = 65_520
const LAST_USER = 65_531

const OF_GROUP = 0o070
const PASS_OF_GROUP = 0o010
const PASS_OF_ALL = 0o001

// Processes and threads that a child may have at once; a runtime has about thirty.
const MOST_PROCESSES = 256
// In milliseconds, for one try.
const KILL_LIMIT = 2000
const TRIES = 5
// Milliseconds after the first try; each next pause is twice as long.
const PAUSE = 100

// Users of the children that this process has started, or is about to.
const taken = new Set<number>()

/**
 * Returns a user without any visible process, who stays taken until given back: children that share a user could trace
 * each other. Another server that looks while this one has no process running as that user may, in one of twelve cases,
 * find the same one, and then loses a child with this one's. Throws with the code EAGAIN when there is none.
 */
export function takeUser(): number {
  const busy = new Set(processes().map(({ user }) => user))
  const free: number[] = []
  for (let user = FIRST_USER; user <= LAST_USER; user++) {
    if (!busy.has(user) && !taken.has(user)) free.push(user)
  }
  const user = free[Math.floor(Math.random() * free.length)]
  if (user === undefined) throw Object.assign(new Error('no user is free'), { code: 'EAGAIN' })
  taken.add(user)
  return user
}

/** Gives back a user who was taken. */
export function giveBackUser(user: number): void {
  taken.delete(user)
}

/**
 * Kills what a user's child has left running; resolves with whether that is sure, which may take a quarter of a minute
 * where the system is short of processes.
 */
export async function killAllOf(user: number): Promise<boolean> {
  for (let left = TRIES, pause = PAUSE; left > 0; left--, pause *= 2) {
    if (await killAsUser(user).catch(() => false)) return true
    // The killer also runs as that user, whose processes may have stopped or killed it.
    try {
      stopAllOf(user)
    } catch {
      // The next try shows the result.
    }
    await setTimeout(pause)
  }
  return false
}

/**
 * Returns the command line that kills all processes of its user: the kernel does it at once, so that no fork escapes.
 * Its exit code is 0 when it has run to its end.
 */
export function killingAllOf(user: number): string[] {
  // Where there is nothing to kill, as in a container of one program, the kernel reports an error.
  return [...asUser(user), '/bin/sh', '-c', 'kill -s KILL -- -1 2>/dev/null; exit 0']
}

function killAsUser(user: number): Promise<boolean> {
  const [program, ...args] = killingAllOf(user)
  const options = { stdio: 'ignore', cwd: '/', env: { PATH: process.env.PATH } } as const
  return new Promise((resolve) => {
    const killer = spawn(program!, args, options)
    const limit = globalThis.setTimeout(() => killer.kill('SIGKILL'), KILL_LIMIT)
    killer.on('error', () => resolve(false))
    killer.on('close', (code) => {
      clearTimeout(limit)
      resolve(code === 0)
    })
  })
}

function stopAllOf(user: number): void {
  for (const one of processes()) {
    if (one.user !== user) continue
    try {
      process.kill(one.pid, 'SIGSTOP')
    } catch {
      // It has ended in the meantime.
    }
  }
}

/** Returns whether a user is a decoder's. */
export function isDecoder(user: number): boolean {
  return user >= FIRST_USER && user <= LAST_USER
}

/** Returns the start of a command line that runs a child as a user of the decoder's. */
export function asUserOfChild(user: number): string[] {
  // Without a bound it could fill the system's table of processes, and nothing could be started to kill it.
  return ['prlimit', `--nproc=${MOST_PROCESSES}:${MOST_PROCESSES}`, ...asUser(user)]
}

function asUser(user: number): string[] {
  return [
    ...['setpriv', '--reuid', String(user), '--regid', String(DECODER_GROUP), '--clear-groups'],
    ...['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--'],
  ]
}

/** Lets the decoder's group pass through a folder, if no other group may. */
export function letPass(folder: string): void {
  const { mode, uid } = statSync(folder)
  if ((mode & PASS_OF_ALL) !== 0 || (mode & OF_GROUP) !== 0) return
  chownSync(folder, uid, DECODER_GROUP)
  chmodSync(folder, (mode & 0o7777) | PASS_OF_GROUP)
}

function processes(): { pid: number; user: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), user: userOf(pid) }))
    .filter(({ pid, user }) => isDecoder(user) && !hasEnded(pid))
}

function userOf(pid: string): number {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? 0
}

// In a container whose first process does not reap, ended processes stay listed.
function hasEnded(pid: number): boolean {
  try {
    // A process may call itself anything, in parentheses.
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'X' || (fields[0] === 'Z' && Number(fields[THREADS]) <= 1)
  } catch (error) {
    return GONE.has((error as NodeJS.ErrnoException).code ?? '')
  }
}

// The number of threads, which go on when the first one has ended, is this many fields after the state.
const THREADS = 17
const GONE = new Set(['ENOENT', 'ESRCH'])
