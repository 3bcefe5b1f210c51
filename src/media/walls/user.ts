import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs'

/**
 * The number of the group of all decoders, and the numbers of their users, one for each child: those below
 * 65536 that nobody gives away, so that they are there in containers that have no higher ones.
 */
export const DECODER_GROUP = 65_522
const FIRST_USER = 65_520
const LAST_USER = 65_533

const OF_GROUP = 0o070
const PASS_OF_GROUP = 0o010
const PASS_OF_ALL = 0o001

/** Processes and threads that one of them may have at once; a runtime has about thirty. */
const MOST_PROCESSES = 256
/** How often what is left is looked for, before it is given up: each time stops what the time before has missed. */
const LOOKS = 50

/** Users of the children that this process has started, or is about to. */
const taken = new Set<number>()

/**
 * Returns a user who has no process, taken until given back: children that share one could trace each other. Another
 * server that looks in the same moment finds the same one in one of fourteen cases. Throws with the code EAGAIN when
 * there is none.
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
 * Kills what a user's child has left running; returns whether nothing of it is there any more. All of them are stopped
 * before the first is killed, or others would start more meanwhile.
 */
export function killAllOf(user: number): boolean {
  const stopped = new Set<number>()
  for (let look = 0; look < LOOKS; look++) {
    const own = processes().filter((one) => one.user === user)
    if (own.length === 0) return true
    const running = own.filter(({ pid }) => !stopped.has(pid))
    for (const { pid } of running.length > 0 ? running : own) {
      signal(pid, running.length > 0 ? 'SIGSTOP' : 'SIGKILL')
      stopped.add(pid)
    }
  }
  return false
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended in the meantime.
  }
}

/** Returns whether a user is a decoder's. */
export function isDecoder(user: number): boolean {
  return user >= FIRST_USER && user <= LAST_USER
}

/** Returns the start of a command line that runs what follows as a user of the decoder's, without any rights. */
export function asUser(user: number): string[] {
  return [
    ...['prlimit', `--nproc=${MOST_PROCESSES}:${MOST_PROCESSES}`],
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

/** Returns the processes of all decoders' users that have not ended. */
function processes(): { pid: number; user: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), user: userOf(pid) }))
    .filter(({ pid, user }) => isDecoder(user) && !hasEnded(pid))
}

function userOf(pid: string): number {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? 0
}

/** In a container whose first process buries nobody, what has ended stays listed. */
function hasEnded(pid: number): boolean {
  try {
    // A process may call itself what it likes, in parentheses.
    const told = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = told.slice(told.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'X' || (fields[0] === 'Z' && Number(fields[THREADS]) <= 1)
  } catch (error) {
    return GONE.has((error as NodeJS.ErrnoException).code ?? '')
  }
}

/** Where the state is followed by the number of threads, which go on when the first one has ended. */
const THREADS = 17
const GONE = new Set(['ENOENT', 'ESRCH'])
