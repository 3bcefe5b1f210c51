import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import { MINUTE } from '../base/time.ts'

/** Pictures that are made again when they are missed, and kept within a limit. */
interface PictureCache {
  /**
   * Counts a picture that has come to the folders, of that many bytes. When the limit is passed, the
   * oldest go; resolves when that is done, or when there is nothing to do.
   */
  add(bytes: number): Promise<void>
}

/** After the oldest have gone, this part of the limit is in use. */
const TARGET = 0.9

/**
 * Returns the cache of the pictures in some folders, which are in shelves; the limit is in bytes. What
 * is there is counted when the first picture is added, since that takes long in a large library, and
 * again before anything goes, since other processes add and remove pictures, too.
 */
export function createPictureCache(options: {
  folders: string[]
  limit: number
  log: Pick<Log, 'warn'>
}): PictureCache {
  const { folders, limit, log } = options
  let total: number | null = null
  let trimming: Promise<void> | null = null

  async function trim(): Promise<void> {
    try {
      total = await trimTo(folders, limit)
    } catch (error) {
      log.warn('the kept pictures could not be counted', { error: String(error) })
    } finally {
      trimming = null
    }
  }

  return {
    add(bytes) {
      if (total !== null) total += bytes
      if (total === null || total > limit) trimming ??= trim()
      return trimming ?? Promise.resolve()
    },
  }
}

/** Removes the oldest pictures if all together pass the limit, and returns how many bytes are left. */
async function trimTo(folders: string[], limit: number): Promise<number> {
  const byMinute = new Map<number, number>()
  let total = 0
  for await (const { minute, size } of picturesIn(folders)) {
    byMinute.set(minute, (byMinute.get(minute) ?? 0) + size)
    total += size
  }
  if (total <= limit) return total

  const target = limit * TARGET
  let last = 0
  let left = total
  for (const minute of [...byMinute.keys()].sort((a, b) => a - b)) {
    last = minute
    left -= byMinute.get(minute)!
    if (left <= target) break
  }
  // Of the last minute, only what is needed goes: all pictures may be of one.
  let spare = target - left
  for await (const { path, minute, size } of picturesIn(folders)) {
    if (minute > last) continue
    const isKept = minute === last && size <= spare
    if (isKept) spare -= size
    else await rm(path, { force: true })
    if (isKept) left += size
  }
  return left
}

/** One at a time, so that whoever looks at pictures meanwhile is not held up. */
async function* picturesIn(folders: string[]) {
  for (const folder of folders) {
    for (const shelf of await readdir(folder, { withFileTypes: true })) {
      if (!shelf.isDirectory()) continue
      const names = await readdir(join(folder, shelf.name))
      for (const name of names) {
        const path = join(folder, shelf.name, name)
        // It may have gone with its content.
        const found = await stat(path).catch(() => null)
        if (found) yield { path, size: found.size, minute: Math.floor(found.mtimeMs / MINUTE) }
      }
    }
  }
}
