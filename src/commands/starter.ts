import { readFileSync } from 'node:fs'

// Milliseconds between two checks whether npm is still running.
const INTERVAL = 500
// Shells that npm runs scripts with, and that don't pass on the signals they get.
const SHELLS = new Set(['sh', 'dash', 'bash', 'ash', 'busybox'])

/**
 * Calls back when npm has started this process and is gone, or the shell is in which it runs scripts: a signal that
 * ends one of these doesn't always get through. Above the parent, only `/proc` shows that.
 */
export function watchStarter(onGone: () => void): void {
  const { npm_lifecycle_event: script, npm_package_name: name } = process.env
  // What a script of another package leaves running in the background is meant to outlive it.
  if (script !== 'npx' && (script === undefined || name !== 'tagstead')) return
  const starters = startersOf()
  const timer = setInterval(() => {
    if (!starters.some(isGone)) return
    clearInterval(timer)
    onGone()
  }, INTERVAL)
  timer.unref()
}

function startersOf(): { child: number; parent: number }[] {
  const starters: { child: number; parent: number }[] = []
  let child = process.pid
  for (;;) {
    const parent = parentOf(child)
    if (parent === null) return starters
    starters.push({ child, parent })
    const isBin = process.connected && child === process.pid
    if (!isBin && !SHELLS.has(statOf(parent)?.name ?? '')) return starters
    child = parent
  }
}

// When the system is out of descriptors, this can't be decided.
function isGone({ child, parent }: { child: number; parent: number }): boolean {
  if (child === process.pid) return process.ppid !== parent
  try {
    return readStat(child).parent !== parent
  } catch (error) {
    return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}

// Returns null when the parent can't be found out.
function parentOf(pid: number): number | null {
  return pid === process.pid ? process.ppid : (statOf(pid)?.parent ?? null)
}

function statOf(pid: number): ReturnType<typeof readStat> | null {
  try {
    return readStat(pid)
  } catch {
    return null
  }
}

function readStat(pid: number): { name: string; parent: number } {
  const [, name, parent] = /^\d+ \((.*)\) \S (\d+) /s.exec(
    readFileSync(`/proc/${pid}/stat`, 'utf8'),
  )!
  return { name: name!, parent: Number(parent) }
}
