import { lstat, readdir, readlink, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FolderEntry, Seen } from './entries.ts'
import type { RawName } from './raw-name.ts'

const PROCESSES = '/proc'
// For how many milliseconds a look at all processes is valid.
const FRESH = 1000
const WRITABLE = 0o200

/** Returns whether a process that is visible to this one has a file of this name open for writing. */
export type HasWriter = (name: RawName, seen: Pick<Seen, 'dev' | 'ino'>) => Promise<boolean>

interface Settling {
  entries: FolderEntry[]
  /** How many entries at the end have changed too recently to be imported before `restAt`. */
  young: number
  /** Milliseconds since 1970-01-01 UTC. */
  restAt: number
}

/**
 * Puts those entries last that have changed within `settle` milliseconds, or whose sidecars have. A time of change in the future, as the clock
 * of another machine may give it, counts as the moment at which the entry was seen.
 */
export function youngLast(entries: FolderEntry[], settle: number): Settling {
  const now = Date.now()
  const changedAt = ({ seen, seenAt }: FolderEntry) => Math.min(seen.ctimeMs, seenAt)
  const restAt = (entry: FolderEntry) => {
    const { unfit, failure, sidecars = [] } = entry
    if (unfit !== null || failure) return 0
    return Math.max(changedAt(entry), ...sidecars.map((one) => changedAt(one.entry))) + settle
  }
  const young = entries.filter((entry) => restAt(entry) > now)
  const settled = entries.filter((entry) => restAt(entry) <= now)
  const latest = young.reduce((time, entry) => Math.max(time, restAt(entry)), now)
  return { entries: [...settled, ...young], young: young.length, restAt: latest }
}

/** Returns a look at what processes have open, which is at most a second old. */
export function lookForWriters(): HasWriter {
  let lookedAt = Number.NEGATIVE_INFINITY
  let descriptors = Promise.resolve(new Map<string, string[]>())
  return async (name, { dev, ino }) => {
    if (performance.now() - lookedAt > FRESH) {
      lookedAt = performance.now()
      descriptors = descriptorsByName()
    }
    for (const path of (await descriptors).get(latin1(name)) ?? []) {
      try {
        const opened = await stat(path)
        const isIt = opened.dev === dev && opened.ino === ino
        if (isIt && (await lstat(path)).mode & WRITABLE) return true
      } catch {
        // It was closed meanwhile.
      }
    }
    return false
  }
}

// Only asks the system, and reads from no disk.
async function descriptorsByName(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const add = async (path: string) => {
    const target = latin1(await readlink(path, { encoding: 'buffer' }))
    if (!target.startsWith('/')) return
    const name = basename(target)
    const paths = found.get(name)
    if (paths) paths.push(path)
    else found.set(name, [path])
  }
  for (const id of await namesIn(PROCESSES)) {
    if (!/^\d+$/.test(id)) continue
    const folder = `${PROCESSES}/${id}/fd`
    await Promise.allSettled((await namesIn(folder)).map((fd) => add(`${folder}/${fd}`)))
  }
  return found
}

// What may not be read, or is gone, counts as empty.
function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

function latin1(name: RawName): string {
  return Buffer.from(name as string).toString('latin1')
}
