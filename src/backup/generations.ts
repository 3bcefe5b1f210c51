import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { shelfOf } from '../media/data-folder.ts'
import { unlessAbsent } from '../media/unless-absent.ts'
import { backupFolder, generationTime } from './layout.ts'
import { ManifestError, type ManifestLine, readManifest } from './manifest.ts'
import { syncNames } from './sync-names.ts'

/** How many generations are kept: the last one of each of so many days, weeks and months that have any. */
export interface Kept {
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

/** Returns those of the generations, the oldest first, that need not be kept; the newest always is. In UTC. */
export function outdated(names: string[], { days, weeks, months }: Kept): string[] {
  const newestFirst = names.toReversed()
  const periods = [
    { most: days, of: (time: Date) => time.toISOString().slice(0, 10) },
    { most: weeks, of: mondayOf },
    { most: months, of: (time: Date) => time.toISOString().slice(0, 7) },
  ]
  const kept = new Set(newestFirst.slice(0, 1))
  for (const { most, of } of periods) {
    const seen = new Set<string>()
    for (const name of newestFirst) {
      const period = of(new Date(generationTime(name)!))
      if (seen.has(period) || seen.size >= most) continue
      seen.add(period)
      kept.add(name)
    }
  }
  return names.filter((name) => !kept.has(name))
}

/** Returns the Monday of the week of a moment, which names that week. */
function mondayOf(time: Date): string {
  const monday = new Date(time)
  monday.setUTCDate(time.getUTCDate() - ((time.getUTCDay() + 6) % 7))
  return monday.toISOString().slice(0, 10)
}

/** Removes what a backup that did not come to its end has left of a generation. The lock must be held. */
export async function removeUnfinished(dir: string): Promise<void> {
  const whole = new Set(await listGenerations(dir))
  for (const name of await namesOfGenerations(dir)) {
    if (!whole.has(name)) await rm(backupFolder(dir).generation(name).folder, { recursive: true })
  }
}

/** Removes generations; their manifests first, without which they are none. The lock must be held. */
export async function removeGenerations(dir: string, names: string[]): Promise<void> {
  for (const name of names) {
    const { manifest, folder } = backupFolder(dir).generation(name)
    await rm(manifest)
    await syncNames(folder)
    await rm(folder, { recursive: true })
  }
}

/**
 * Removes the contents that no manifest names, and what was not finished among them; returns how many contents went.
 * Nothing is removed when a manifest can't be read as it was written: throws ManifestError then. The lock must be held.
 */
export async function removeUnnamed(dir: string): Promise<number> {
  const folder = backupFolder(dir)
  const generations = await listGenerations(dir)
  // What a damaged one names is known only once it was read to its end.
  for (const name of generations)
    for await (const _ of readManifest(folder.generation(name).manifest));
  const named = generations.map((name) => inShelves(readManifest(folder.generation(name).manifest)))
  const shelves = ((await unlessAbsent(readdir(folder.contents))) ?? []).filter((name) =>
    /^[0-9a-f]{2}$/.test(name),
  )
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

/** Returns a function that returns the contents of a shelf, which are asked for in the order of shelves. */
export function inShelves(
  lines: AsyncGenerator<ManifestLine>,
): (shelf: string) => Promise<ManifestLine[]> {
  let ahead: ManifestLine | null = null
  return async (shelf) => {
    const own: ManifestLine[] = []
    for (;;) {
      const line: ManifestLine | null = ahead ?? (await lines.next()).value ?? null
      ahead = line
      if (line === null || shelfOf(line.blob) > shelf) return own
      if (shelfOf(line.blob) === shelf) own.push(line)
      ahead = null
    }
  }
}

/**
 * Returns the generation with that name, or the newest one. Throws a readable error when there is none, or none that
 * has that name.
 */
export async function chooseGeneration(dir: string, name?: string): Promise<string> {
  const names = await listGenerations(dir)
  const newest = names.at(-1)
  if (newest === undefined) throw new Error(`There is no backup in ${dir}`)
  if (name === undefined || names.includes(name)) return name ?? newest
  throw new Error(`There is no generation ${name} in ${dir}; there are ${names.join(', ')}`)
}

/** Returns what a check of a manifest found wrong, in words, or null. Throws the file system's errors. */
export async function whyBroken(path: string): Promise<string | null> {
  try {
    for await (const _ of readManifest(path));
    return null
  } catch (error) {
    if (error instanceof ManifestError) return error.message
    throw error
  }
}
