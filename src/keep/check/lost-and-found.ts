import { existsSync, linkSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from '../../media/data-folder.ts'
import { copySynced, NO_LINK, writeSafely } from '../../media/durable.ts'

/** When contents were first found without a file, by their blobs, in milliseconds since 1970-01-01 UTC. */
export type Seen = Map<string, number>

const SEEN = 'seen.json'

/** Moves what is at a path, on the same disk, into `lost+found/`. Throws the file system's error. */
export function moveAside(dataDir: string, path: string, name: string): void {
  renameSync(path, freePath(dataDir, name))
}

/**
 * Also puts what is at a path into `lost+found/`: under a second name or, on another disk, as a copy, which are safe
 * once the folder is synced. Returns the new path, or null when nothing is there, or when it can only be moved. Throws
 * the file system's error.
 */
export async function keepAside(
  dataDir: string,
  path: string,
  name: string,
): Promise<string | null> {
  const aside = freePath(dataDir, name)
  try {
    linkSync(path, aside)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (!NO_LINK.has(code)) throw error
    // Two separate mounts of one disk count as two disks, whatever `stat` says.
    if (code !== 'EXDEV') return null
    await copySynced(path, aside)
  }
  return aside
}

function freePath(dataDir: string, blob: string): string {
  const folder = makeFolder(dataDir)
  for (let number = 0; ; number++) {
    const path = join(folder, number === 0 ? blob : `${blob}.${number}`)
    if (!existsSync(path)) return path
  }
}

function makeFolder(dataDir: string): string {
  const { lostAndFound } = dataFolder(dataDir)
  mkdirSync(lostAndFound, { recursive: true, mode: 0o700 })
  return lostAndFound
}

/** Returns what earlier checks have found, or nothing when that can't be read. */
export function readSeen(dataDir: string): Seen {
  try {
    const text = readFileSync(join(dataFolder(dataDir).lostAndFound, SEEN), 'utf8')
    const times = Object.entries(JSON.parse(text) as Record<string, unknown>)
    return new Map(times.filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
  } catch {
    return new Map()
  }
}

/** Stores what a check has found, for later checks. Throws the file system's error. */
export function writeSeen(dataDir: string, seen: Seen): void {
  const path = join(makeFolder(dataDir), SEEN)
  writeSafely(path, `${JSON.stringify(Object.fromEntries(seen))}\n`)
}
