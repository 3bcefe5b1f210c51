import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { createDisk } from '../../base/disk.ts'
import { write } from '../../db/write.ts'
import { createCopier } from '../../media/copy.ts'
import { dataFolder } from '../../media/data-folder.ts'
import { partOf, syncFolder } from '../../media/durable.ts'
import { isCurrent, type KnownContent } from './content-queries.ts'
import { reasonOf } from './finding.ts'
import { keepAside, moveAside } from './lost-and-found.ts'
import type { CheckDeps } from './request.ts'

/**
 * Puts the copy of a content in its place once the copy is verified and safe on the disk; what was there is set aside.
 * Returns null, or why it was not done. Throws the signal's reason when it is aborted.
 */
export async function healContent(
  deps: CheckDeps,
  content: KnownContent,
  { copy, signal }: { copy: string; signal: AbortSignal },
): Promise<string | null> {
  const { dataDir } = deps.config
  const folder = dataFolder(dataDir)
  const path = folder.content(content.blob)
  const digest = { size: content.size, sha256: Buffer.from(content.sha256).toString('hex') }
  let aside: string | null = null
  let isReplaced = false
  try {
    if (isSameFile(copy, path)) return 'the copy is the same file'
    // The contents may be on another disk than the data folder.
    const disk = createDisk(folder.contents, deps.config.diskReserve)
    mkdirSync(dirname(path), { recursive: true })
    const what = await createCopier({ disk }).prepare(copy, path, digest, signal)
    if (what !== 'copied') return `the copy is ${what}, too`
    aside = await keepAside(dataDir, path, content.blob)
    if (aside !== null) await syncFolder(folder.lostAndFound)
    write(deps.db, { now: deps.clock() }, (tx) => {
      // A deletion of the file from now on removes what is there afterwards.
      if (!isCurrent(tx, content)) return
      if (aside === null && existsSync(path)) moveAside(dataDir, path, content.blob)
      renameSync(partOf(path), path)
      isReplaced = true
    })
    if (!isReplaced) return 'the file has another content now'
    await syncFolder(dirname(path))
    await syncFolder(folder.contents)
    return null
  } catch (error) {
    if (signal.aborted) throw error
    return reasonOf(error)
  } finally {
    if (aside !== null && !isReplaced) rmSync(aside, { force: true })
    rmSync(partOf(path), { force: true })
  }
}

// With the same file, a change to one would change the other.
function isSameFile(copy: string, path: string): boolean {
  const [one, other] = [copy, path].map((name) =>
    statSync(name, { bigint: true, throwIfNoEntry: false }),
  )
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev
}
