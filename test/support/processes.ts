import { readdirSync, readFileSync } from 'node:fs'

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
