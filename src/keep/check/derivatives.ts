import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { dataFolder, isBlob, isShelf } from '../../media/data-folder.ts'
import { unknownOf } from './content-queries.ts'
import { type Finding, type Found, finding, reasonOf, unchecked } from './finding.ts'
import type { CheckDeps, CheckOptions } from './request.ts'

// Milliseconds. A younger derivative may belong to an upload that has no row yet.
const YOUNG = 60 * 60_000
const ASKED = 1000

/**
 * Reports how many derivatives in each folder belong to contents that no file has: a kill between making one and the
 * commit leaves them. With `repair`, they are removed, but not while `isWhole` is false. Throws the signal's reason
 * when it is aborted.
 */
export async function* checkDerivatives(
  deps: CheckDeps,
  { repair, signal }: Pick<CheckOptions, 'repair' | 'signal'>,
  isWhole: boolean,
): AsyncGenerator<Finding> {
  for (const folder of Object.values(dataFolder(deps.config.dataDir).derivatives)) {
    const name = basename(folder)
    try {
      const paths = await unknownIn(deps, folder, signal)
      if (paths.length === 0) continue
      const sentence = `${paths.length} pictures in "${name}" are of contents that no file has`
      yield remove(
        paths,
        { repair, isWhole },
        { kind: 'derivative_unknown', subject: name, sentence },
      )
    } catch (error) {
      signal.throwIfAborted()
      yield finding(unchecked(name, `What is in "${name}"`, error))
    }
  }
}

async function unknownIn(
  { db, clock }: CheckDeps,
  folder: string,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = []
  for (const shelf of shelvesOf(folder)) {
    // Nothing here waits for I/O, and a signal must get through.
    await setImmediate()
    signal.throwIfAborted()
    const blobs = readdirSync(join(folder, shelf))
      .filter((name) => name.endsWith('.jpg'))
      .map((name) => basename(name, '.jpg'))
      .filter(isBlob)
    for (let from = 0; from < blobs.length; from += ASKED) {
      for (const blob of unknownOf(db, blobs.slice(from, from + ASKED))) {
        const path = join(folder, shelf, `${blob}.jpg`)
        const status = statSync(path, { throwIfNoEntry: false })
        if (status && clock() - status.ctimeMs >= YOUNG) found.push(path)
      }
    }
  }
  return found
}

// A backup leaves these folders out.
function shelvesOf(folder: string): string[] {
  const isThere = statSync(folder, { throwIfNoEntry: false })
  return isThere ? readdirSync(folder).filter(isShelf).sort() : []
}

// Nothing is lost, because derivatives are made again when they are viewed.
function remove(
  paths: string[],
  { repair, isWhole }: { repair: boolean; isWhole: boolean },
  found: Found,
): Finding {
  if (!repair) return finding(found)
  const because = (reason: string) => `${found.sentence}; they are not removed: ${reason}`
  if (!isWhole) return finding({ ...found, sentence: because('the database is not whole') })
  try {
    for (const path of paths) rmSync(path, { force: true })
    return finding(found, true)
  } catch (error) {
    return finding({ ...found, sentence: because(reasonOf(error)) })
  }
}
