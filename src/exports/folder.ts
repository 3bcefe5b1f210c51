import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { writeAll, writeSynced } from '../media/durable.ts'
import { syncNames } from '../media/sync-names.ts'
import { unlessAbsent } from '../media/unless-absent.ts'
import {
  ExportedPath,
  LIBRARY_FILE,
  LONGEST_LINE,
  OWN_FOLDER,
  type WrittenLine,
} from './library-format.ts'

// The folder of an export holds, beside what people see, `.tagstead-export/`: `library`, the id of the library;
// `part-N`, files that are not finished; and `named-N`, a `library.json` for each run that has not ended and for the one
// before these, or what of them could not be removed. What they name is what the export may replace and remove.

const NAMED = /^named-(\d+)$/
const PART = 'part-'
const YEAR = /^\d{4}$/
const MONTH = /^\d{4}-\d\d$/
const PORTION = 2 ** 16
const STRETCH = 500

/** A content that an earlier run may have written. */
const Named = z.object({ path: ExportedPath, sha256: z.string() })
type Named = z.infer<typeof Named>
type Stuck = Named & { type: 'file' }

/**
 * Makes an existing folder that of an export of a library, and removes what another run has left unfinished. Throws a
 * readable error for one with the export of another library, for one that holds anything but an export, and where a link
 * stands for one of its folders.
 */
export async function claimFolder(dir: string, library: string): Promise<void> {
  const own = join(dir, OWN_FOLDER)
  const marker = join(own, 'library')
  const owner = await unlessAbsent(readFile(marker, 'utf8'))
  if (owner !== null && owner !== library)
    throw new Error(`${dir} has an export of another library`)
  if (owner === null) {
    const there = (await readdir(dir)).filter((name) => ![OWN_FOLDER, 'lost+found'].includes(name))
    if (there.length > 0) throw new Error(`${dir} is not empty, and has no export of this library`)
    await mkdir(own, { recursive: true })
    await writeSynced(join(own, 'part-library'), Buffer.from(library))
    await rename(join(own, 'part-library'), marker)
    await syncNames(own)
  }
  await requireFolders(dir)
  for (const name of await readdir(own)) {
    if (name.startsWith(PART)) await rm(join(own, name), { force: true })
  }
}

// Below a link, files elsewhere would be removed and replaced.
async function requireFolders(dir: string): Promise<void> {
  const below = async (folder: string, named: RegExp) => {
    const entries = await readdir(folder, { withFileTypes: true })
    const folders = entries.filter(({ name }) => named.test(name))
    const link = folders.find((one) => one.isSymbolicLink())
    if (link) throw new Error(`${join(folder, link.name)} is a link`)
    return folders.filter((one) => one.isDirectory()).map(({ name }) => join(folder, name))
  }
  for (const year of await below(dir, YEAR)) await below(year, MONTH)
}

/** Returns the path of a file that is not finished. */
export function partIn(dir: string, number: number): string {
  return join(dir, OWN_FOLDER, `${PART}${number}`)
}

/**
 * Yields, in stretches, what earlier runs may have written, from what they were about to write. A damaged line names
 * nothing.
 */
export async function* earlierFiles(dir: string): AsyncGenerator<Named[]> {
  const own = join(dir, OWN_FOLDER)
  const names = (await readdir(own))
    .filter((name) => NAMED.test(name))
    .map((name) => join(own, name))
  for (const path of [join(dir, LIBRARY_FILE), ...names]) {
    let list: Named[] = []
    for await (const line of linesIn(path)) {
      const named = namedIn(line)
      if (named) list.push(named)
      if (list.length < STRETCH) continue
      yield list
      list = []
    }
    yield list
  }
}

// Somebody may have changed the list, and what it names is removed.
function namedIn(line: string): Named | null {
  if (!line.startsWith('{"type":"file"')) return null
  try {
    return Named.safeParse(JSON.parse(line.replace(/,$/, ''))).data ?? null
  } catch {
    return null
  }
}

/** Yields the lines of a file if it exists, each cut to what a line may have. */
async function* linesIn(path: string): AsyncGenerator<string> {
  const handle = await unlessAbsent(open(path))
  if (!handle) return
  try {
    let parts: string[] = []
    let length = 0
    for await (const text of createReadStream('', {
      ...{ fd: handle.fd, autoClose: false, encoding: 'utf8' },
    })) {
      for (const [at, part] of (text as string).split('\n').entries()) {
        if (at > 0) {
          yield parts.join('')
          parts = []
          length = 0
        }
        length += part.length
        if (length <= LONGEST_LINE) parts.push(part)
      }
    }
    yield parts.join('')
  } finally {
    await handle.close()
  }
}

/**
 * Writes what this run is about to make, and takes away the `library.json` of the last run, whose folder is no longer
 * what that says. Resolves, once both are safe on the disk, to a function that puts the new `library.json` in its place,
 * and notes the paths that could not be removed, so that the next run tries that again.
 */
export async function beginRun(
  dir: string,
  lines: Iterable<WrittenLine>,
): Promise<(stuck: string[]) => Promise<void>> {
  const own = join(dir, OWN_FOLDER)
  const earlier = (await readdir(own)).filter((name) => NAMED.test(name))
  const last = Math.max(0, ...earlier.map((name) => Number(NAMED.exec(name)![1])))
  const [former, current, left] = [1, 2, 3].map((n) => join(own, `named-${last + n}`)) as [
    string,
    string,
    string,
  ]
  await writeLines(partIn(dir, 0), lines)
  await rename(partIn(dir, 0), current)
  await syncNames(own)
  await unlessAbsent(rename(join(dir, LIBRARY_FILE), former))
  await syncNames(own)
  await syncNames(dir)
  return async (stuck) => {
    if (stuck.length > 0) {
      await writeLines(
        partIn(dir, 0),
        // Of no content, so that whatever has the path is not taken for that of a file.
        stuck.map((path): Stuck => ({ type: 'file', path, sha256: '' })),
      )
      await rename(partIn(dir, 0), left)
      await syncNames(own)
    }
    await rename(current, join(dir, LIBRARY_FILE))
    await syncNames(dir)
    for (const path of [...earlier.map((name) => join(own, name)), former]) {
      await rm(path, { force: true })
    }
  }
}

async function writeLines(path: string, lines: Iterable<WrittenLine | Stuck>): Promise<void> {
  const handle = await open(path, 'w')
  try {
    let text = '['
    let separator = '\n'
    for (const line of lines) {
      text += separator + JSON.stringify(line)
      separator = ',\n'
      if (text.length < PORTION) continue
      await writeAll(handle, Buffer.from(text))
      text = ''
    }
    await writeAll(handle, Buffer.from(`${text}\n]\n`))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes a file that an earlier run has written, its sidecar, and its folders when they are empty then. */
export async function removeExported(dir: string, path: string): Promise<void> {
  const whole = join(dir, path)
  await rm(whole, { force: true })
  await rm(`${whole}.xmp`, { force: true })
  try {
    await rmdir(dirname(whole))
    await rmdir(dirname(dirname(whole)))
  } catch {
    // Something else is in it.
  }
}
