import { beforeAbort } from '../base/time.ts'
import { compareText, fold } from '../db/text.ts'
import type { ImportFolder } from './folder.ts'
import type { ListedFolder } from './schema.ts'

const MOST_FOLDERS = 1000
const MOST_FILES = 10_000

/**
 * Returns the first 1,000 folders in a folder, by name, each with the number of files that are directly in it, without
 * hidden ones. That is null for more than 10,000, for a folder that can't be read, and for folders that were not
 * counted before the signal was aborted, or while any of `hanging` are: the counts that no request waits for any more.
 */
export async function listFolders(
  folder: ImportFolder,
  signal: AbortSignal,
  hanging = new Set<Promise<unknown>>(),
): Promise<ListedFolder[]> {
  const listed: ListedFolder[] = []
  for (const name of await firstFolders(folder)) {
    // A hanging count occupies one of the few threads that read all files of the server.
    const mayCount = !signal.aborted && hanging.size === 0
    listed.push({ name, files: mayCount ? await filesIn(folder, name, { signal, hanging }) : null })
  }
  return listed
}

async function firstFolders(folder: ImportFolder): Promise<string[]> {
  let names = new Set<string>()
  for await (const { name, kind } of folder.entries()) {
    if (kind === 'folder') names.add(name)
    if (names.size === 2 * MOST_FOLDERS) names = new Set(first(names))
  }
  return first(names)
}

function first(names: Set<string>): string[] {
  return [...names]
    .map((name) => ({ name, key: fold(name) }))
    .sort((a, b) => compareText(a.key, b.key) || compareText(a.name, b.name))
    .slice(0, MOST_FOLDERS)
    .map(({ name }) => name)
}

async function filesIn(
  folder: ImportFolder,
  name: string,
  { signal, hanging }: { signal: AbortSignal; hanging: Set<Promise<unknown>> },
): Promise<number | null> {
  const counted = count(folder, name, signal)
  try {
    // A disk may hang; then its folder is closed once it answers.
    return await beforeAbort(counted, signal)
  } catch {
    // One folder that is closed to the server, or broken, hides none of the others.
    return null
  } finally {
    if (signal.aborted) {
      hanging.add(counted)
      const done = () => hanging.delete(counted)
      counted.then(done, done)
    }
  }
}

async function count(folder: ImportFolder, name: string, signal: AbortSignal) {
  const inner = await folder.folder(name)
  try {
    let files = 0
    for await (const entry of inner.entries()) {
      if (entry.kind === 'file' && !entry.name.startsWith('.')) files++
      if (files > MOST_FILES || signal.aborted) return null
    }
    return files
  } finally {
    await inner.close()
  }
}
