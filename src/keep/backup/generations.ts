import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backupFolder, generationTime } from '../../media/backup-folder.ts'
import { isShelf, shelfOf } from '../../media/data-folder.ts'
import { syncNames } from '../../media/sync-names.ts'
import { unlessAbsent } from '../../media/unless-absent.ts'
import {
  isDatabaseOnly,
  ManifestError,
  type ManifestLine,
  readHead,
  readManifest,
} from './manifest.ts'

/** How many generations to retain: the last one of each of that many days, weeks and months that have any. */
export interface Retained {
  days: number
  weeks: number
  months: number
}

/** Returns the names of the generations in a folder of backups that have a manifest, the oldest first. */
export async function listGenerations(dir: string): Promise<string[]> {
  const found: string[] = []
  const { generation } = backupFolder(dir)
  for (const name of await namesOfGenerations(dir)) {
    if (await unlessAbsent(lstat(generation(name).manifest))) found.push(name)
  }
  return found
}

async function namesOfGenerations(dir: string): Promise<string[]> {
  const names = (await unlessAbsent(readdir(backupFolder(dir).generations))) ?? []
  return names.filter((name) => generationTime(name) !== null).sort()
}

interface Made {
  name: string
  at: Date
  /** Whether it has the database alone; null when its manifest doesn't say. */
  isDatabaseOnly: boolean | null
}

/**
 * Returns the generations with what their manifests say, the oldest first by name: names give the order, because a
 * clock may have been wrong.
 */
export async function listMade(dir: string): Promise<Made[]> {
  const made: Made[] = []
  for (const name of await listGenerations(dir)) made.push(await look(dir, name))
  return made
}

/** Returns when the newest generation was made, of all or of those with contents, or null when there is none. */
export async function lastMade(dir: string, hasContents: boolean): Promise<Date | null> {
  for (const name of (await listGenerations(dir)).toReversed()) {
    const { at, isDatabaseOnly } = await look(dir, name)
    if (!hasContents || isDatabaseOnly !== true) return at
  }
  return null
}

async function look(dir: string, name: string): Promise<Made> {
  const head = await readHead(backupFolder(dir).generation(name).manifest).catch(() => null)
  const at = new Date(head?.made_at ?? generationTime(name)!)
  return { name, at, isDatabaseOnly: head && isDatabaseOnly(head) }
}

/**
 * Returns the times of the generations with the database alone, in milliseconds, by their names. One whose manifest
 * can't be read counts: it may be one.
 */
export async function timesOfDatabases(dir: string): Promise<number[]> {
  const made = (await listMade(dir)).filter((one) => one.isDatabaseOnly !== false)
  return made.map(({ name }) => Date.parse(generationTime(name)!))
}

/**
 * Returns the names of the outdated generations among `made`, which must be sorted from the oldest: of those with the
 * database alone, and of the others. The newest is never outdated. Days are in UTC.
 */
export function outdated(made: Made[], retained: Retained): string[] {
  const ofKind = (kind: boolean) =>
    outdatedOfKind(
      made.filter((one) => (one.isDatabaseOnly ?? false) === kind),
      retained,
    )
  return [...ofKind(false), ...ofKind(true)].sort()
}

function outdatedOfKind(made: Made[], { days, weeks, months }: Retained): string[] {
  const newestFirst = made.toReversed()
  const periods = [
    { most: days, of: (time: Date) => time.toISOString().slice(0, 10) },
    { most: weeks, of: mondayOf },
    { most: months, of: (time: Date) => time.toISOString().slice(0, 7) },
  ]
  const retained = new Set(newestFirst.slice(0, 1))
  for (const { most, of } of periods) {
    const seen = new Set<string>()
    for (const one of newestFirst) {
      const period = of(one.at)
      if (seen.has(period) || seen.size >= most) continue
      seen.add(period)
      retained.add(one)
    }
  }
  return made.filter((one) => !retained.has(one)).map(({ name }) => name)
}

// A week is named by its Monday.
function mondayOf(time: Date): string {
  const monday = new Date(time)
  monday.setUTCDate(time.getUTCDate() - ((time.getUTCDay() + 6) % 7))
  return monday.toISOString().slice(0, 10)
}

/** Removes what unfinished backups have left beside contents, and returns the number of their generations. */
export async function removeUnfinished(dir: string): Promise<number> {
  await rm(backupFolder(dir).sharing, { force: true })
  const whole = new Set(await listGenerations(dir))
  const unfinished = (await namesOfGenerations(dir)).filter((name) => !whole.has(name))
  for (const name of unfinished) {
    await rm(backupFolder(dir).generation(name).folder, { recursive: true })
  }
  return unfinished.length
}

/**
 * Removes generations, starting with their manifests, without which they don't count. The caller must hold the lock.
 */
export async function removeGenerations(dir: string, names: string[]): Promise<void> {
  for (const name of names) {
    const { manifest, folder } = backupFolder(dir).generation(name)
    await rm(manifest)
    await syncNames(folder)
    await rm(folder, { recursive: true })
  }
}

/**
 * Removes the contents that no manifest names, and unfinished ones, and returns how many contents were removed. The
 * caller must have read all manifests to the end: the contents of a damaged one can't be listed.
 */
export async function removeUnnamed(dir: string): Promise<number> {
  const folder = backupFolder(dir)
  const generations = await listGenerations(dir)
  const named = generations.map((name) => inShelves(readManifest(folder.generation(name).manifest)))
  const shelves = ((await unlessAbsent(readdir(folder.contents))) ?? []).filter(isShelf)
  let removed = 0
  for (const shelf of shelves.sort()) {
    const blobs = new Set<string>()
    for (const take of named) for (const { blob } of await take(shelf)) blobs.add(blob)
    for (const name of await readdir(folder.shelf(shelf))) {
      const [, blob, part] = /^([0-9a-f]{32})(\.part)?$/.exec(name) ?? []
      if (blob === undefined || (part === undefined && blobs.has(blob))) continue
      await rm(join(folder.shelf(shelf), name))
      if (part === undefined) removed++
    }
  }
  return removed
}

/** Returns a function that returns the contents of a shelf; shelves must be requested in order. */
export function inShelves(
  lines: AsyncGenerator<ManifestLine>,
): (shelf: string) => Promise<ManifestLine[]> {
  let next: ManifestLine | null = null
  return async (shelf) => {
    const own: ManifestLine[] = []
    for (;;) {
      const line: ManifestLine | null = next ?? (await lines.next()).value ?? null
      next = line
      if (line === null || shelfOf(line.blob) > shelf) return own
      if (shelfOf(line.blob) === shelf) own.push(line)
      next = null
    }
  }
}

/** Returns the generation with that name, or the newest one. Throws a readable error when there is none. */
export async function chooseGeneration(dir: string, name?: string): Promise<string> {
  const names = await listGenerations(dir)
  const newest = names.at(-1)
  if (newest === undefined) throw new Error(`There is no backup in ${dir}`)
  if (name === undefined || names.includes(name)) return name ?? newest
  throw new Error(`There is no generation ${name} in ${dir}; there are ${names.join(', ')}`)
}

/** Returns a description of what is wrong with a manifest, or null. */
export async function whyBroken(path: string): Promise<string | null> {
  try {
    for await (const _ of readManifest(path));
    return null
  } catch (error) {
    if (error instanceof ManifestError) return error.message
    return `the manifest can not be read: ${(error as NodeJS.ErrnoException).code ?? error}`
  }
}
