import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { write } from '../db/write.ts'
import { dataFolder } from '../media/data-folder.ts'
import { readDigest } from '../media/digest.ts'
import { syncFolder, writeAll } from '../media/durable.ts'
import { isCurrent, type KnownContent } from './content-queries.ts'
import { reasonOf } from './finding.ts'
import { setAside } from './lost-and-found.ts'
import type { CheckDeps } from './request.ts'

/** The folder for what is being copied; `check.lock` goes with it. */
export const TEMPORARY = 'tmp-check'

/**
 * Puts the copy of a content in its place, once it is known to be whole and is safe on the disk; what was there is
 * set aside. Returns why not, or null when it was done. Throws the signal's reason when it is aborted.
 */
export async function healContent(
  deps: CheckDeps,
  content: KnownContent,
  { copy, signal }: { copy: string; signal: AbortSignal },
): Promise<string | null> {
  const { dataDir } = deps.config
  const folder = dataFolder(dataDir)
  const path = folder.content(content.blob)
  const temporary = join(folder.temporary(TEMPORARY), content.blob)
  try {
    if (isSameFile(copy, path)) return 'the copy is the same file'
    mkdirSync(dirname(temporary), { recursive: true })
    mkdirSync(dirname(path), { recursive: true })
    if (!(await copyWhole(deps, content, { copy, temporary, signal }))) {
      return 'the copy is damaged, too'
    }
    const isDone = write(deps.db, { now: deps.clock() }, (tx) => {
      // Whoever deletes the file now removes what is there afterwards.
      if (!isCurrent(tx, content)) return false
      setAside(dataDir, path, content.blob)
      renameSync(temporary, path)
      return true
    })
    if (!isDone) return 'the file has another content now'
    await syncFolder(dirname(path))
    await syncFolder(folder.contents)
    return null
  } catch (error) {
    if (signal.aborted) throw error
    return reasonOf(error)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** What is changed in one is changed in the other. */
function isSameFile(copy: string, path: string): boolean {
  const [one, other] = [copy, path].map((name) =>
    statSync(name, { bigint: true, throwIfNoEntry: false }),
  )
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev
}

async function copyWhole(
  { disk }: CheckDeps,
  { size, sha256 }: KnownContent,
  { copy, temporary, signal }: { copy: string; temporary: string; signal: AbortSignal },
): Promise<boolean> {
  const claim = disk.claim(size)
  try {
    const handle = await open(temporary, 'w')
    try {
      const onPiece = async (piece: Uint8Array) => {
        claim.need(piece.length)
        await writeAll(handle, piece)
        claim.wrote(piece.length)
      }
      const told = await readDigest(copy, { signal, onPiece })
      await handle.sync()
      return told.size === size && Buffer.from(told.sha256, 'hex').equals(sha256)
    } finally {
      await handle.close()
    }
  } finally {
    claim.release()
  }
}
