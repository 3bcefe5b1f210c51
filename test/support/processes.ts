import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** For a test's `skip`: false where it may look into a server, which keeps its memory and its calls from others on Bun. */
export const withoutInsight: string | false =
  'Bun' in globalThis && process.getuid?.() !== 0 && 'needs root, who may look into a server'

/** Returns the processes that a process has started, and that these have. */
export function descendantsOf(pid: number): number[] {
  const parentOf = new Map<number, number>()
  for (const entry of readdirSync('/proc')) {
    const parent = statusOf(Number(entry))?.match(/^PPid:\s+(\d+)$/m)?.[1]
    if (parent !== undefined) parentOf.set(Number(entry), Number(parent))
  }
  const found = [pid]
  for (const parent of found) {
    for (const [child, its] of parentOf) if (its === parent) found.push(child)
  }
  return found.slice(1)
}

/** Returns the MiB of memory that a process has, 0 when there is none. */
export function residentOf(pid: number): number {
  return Number(statusOf(pid)?.match(/^VmRSS:\s+(\d+) kB$/m)?.[1] ?? 0) / 1024
}

/** Returns what a process takes, with its part of what it shares with others, in MiB. */
export function proportionOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(read(pid, 'smaps_rollup') ?? '')?.[1] ?? 0) / 1024
}

/** Returns whether a process is there and hasn't ended. */
export function isRunning(pid: number): boolean {
  return !/^State:\s+[ZX]/m.test(statusOf(pid) ?? 'State: X')
}

/** Returns the command line of a process, or an empty text when there is none. */
export function commandOf(pid: number): string {
  return read(pid, 'cmdline')?.replaceAll('\0', ' ') ?? ''
}

/** Returns what the system says of a process, null when there is none. */
function statusOf(pid: number): string | null {
  return read(pid, 'status')
}

function read(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return null
  }
}

/** Returns a letter for what a process does: `R` and `S` run and wait, `T` was stopped; an empty text when there is none. */
export function stateOf(pid: number): string {
  return statusOf(pid)?.match(/^State:\s+(\w)/m)?.[1] ?? ''
}

/** Returns what the open descriptors of a process lead to, by their numbers, as the system names it. */
export function descriptorsOf(pid: number): Map<number, string> {
  const found = new Map<number, string>()
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      found.set(Number(fd), readlinkSync(`/proc/${pid}/fd/${fd}`))
    } catch {
      // It was closed meanwhile.
    }
  }
  return found
}

/** Returns the TCP connections of a process, by the names of their sockets: their states, such as `ESTABLISHED`. */
export function connectionsOf(pid: number): Map<string, string> {
  const own = new Set(descriptorsOf(pid).values())
  const found = new Map<string, string>()
  for (const table of ['net/tcp', 'net/tcp6']) {
    for (const line of (read(pid, table) ?? '').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/)
      const [socket, state] = [`socket:[${fields[9]}]`, TCP_STATES[Number(`0x${fields[3]}`)]]
      if (own.has(socket) && state !== undefined && state !== 'LISTEN') found.set(socket, state)
    }
  }
  return found
}

/** Of Linux, by their numbers. */
const TCP_STATES = [
  ...[undefined, 'ESTABLISHED', 'SYN_SENT', 'SYN_RECV', 'FIN_WAIT1', 'FIN_WAIT2', 'TIME_WAIT'],
  ...['CLOSE', 'CLOSE_WAIT', 'LAST_ACK', 'LISTEN', 'CLOSING'],
]

/** Returns for how many seconds a process has computed, with all of its threads. */
export function computedBy(pid: number): number {
  return secondsOf(pid, 11)
}

/** Returns for how many seconds a process and all that it has started have computed, those that have ended too. */
export function computedByTree(pid: number): number {
  const all = [pid, ...descendantsOf(pid)]
  return all.reduce((sum, one) => sum + secondsOf(one, 11) + secondsOf(one, 13), 0)
}

// The user's and the system's share, which follow each other, of a process or of its children that have ended.
function secondsOf(pid: number, field: 11 | 13): number {
  // After the name, which may hold anything, in hundredths of a second.
  const fields = read(pid, 'stat')?.split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[field] ?? 0) + Number(fields[field + 1] ?? 0)) / 100
}
