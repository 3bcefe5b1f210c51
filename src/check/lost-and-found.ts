import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from '../media/data-folder.ts'
import { NO_LINK } from '../media/durable.ts'

/** When contents were first found unknown, by their blobs, in milliseconds since 1970-01-01 UTC. */
export type Seen = Map<string, number>

const SEEN = 'seen.json'

/** Moves a content into `lost+found/`. Throws the file system's error, such as EXDEV. */
export function moveAside(dataDir: string, path: string, blob: string): void {
  renameSync(path, freePath(dataDir, blob))
}

/** Keeps in `lost+found/` what is at a path, if anything, which may be replaced then. */
export function setAside(dataDir: string, path: string, blob: string): void {
  if (!existsSync(path)) return
  const kept = freePath(dataDir, blob)
  try {
    // It stays in its place until another takes it.
    linkSync(path, kept)
  } catch (error) {
    if (!NO_LINK.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    renameSync(path, kept)
  }
}

/** Returns a path where nothing is yet. */
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

/** Returns what earlier checks have found; nothing when that can't be read. */
export function readSeen(dataDir: string): Seen {
  try {
    const text = readFileSync(join(dataFolder(dataDir).lostAndFound, SEEN), 'utf8')
    const times = Object.entries(JSON.parse(text) as Record<string, unknown>)
    return new Map(times.filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
  } catch {
    return new Map()
  }
}

/** Notes what a check has found, for those to come. Throws the file system's error. */
export function writeSeen(dataDir: string, seen: Seen): void {
  const path = join(makeFolder(dataDir), SEEN)
  writeFileSync(`${path}.new`, `${JSON.stringify(Object.fromEntries(seen))}\n`)
  renameSync(`${path}.new`, path)
}
