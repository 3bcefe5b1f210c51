import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import { MINUTE } from '../base/time.ts'

interface PictureCache {
  /**
   * Counts a picture of that many bytes that was added to the folders. When the limit is passed, the oldest are
   * removed; resolves when that is done, or when there is nothing to do.
   */
  add(bytes: number): Promise<void>
  /** Removes the older half; returns whether there was anything. */
  makeRoom(): Promise<boolean>
}

/** After the oldest have been removed, this part of the limit is in use. */
export const KEPT_PART = 0.9

/**
 * Returns the cache of the pictures in some folders, which are in shelves; the limit is in bytes. Existing pictures are
 * counted when the first one is added, since that takes long in a large library, and again before any is removed, since
 * other processes add and remove pictures as well.
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
      total = await trimTo(folders, () => limit)
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
    async makeRoom() {
      await trimming
      let had = 0
      total = await trimTo(folders, (bytes) => {
        had = bytes
        return bytes / 2
      })
      return had > 0
    },
  }
}

// Returns how many bytes are left.
async function trimTo(folders: string[], limitOf: (total: number) => number): Promise<number> {
  const byMinute = new Map<number, number>()
  let total = 0
  for await (const { minute, size } of picturesIn(folders)) {
    byMinute.set(minute, (byMinute.get(minute) ?? 0) + size)
    total += size
  }
  const limit = limitOf(total)
  if (total <= limit) return total

  const target = limit * KEPT_PART
  let last = 0
  let left = total
  for (const minute of [...byMinute.keys()].sort((a, b) => a - b)) {
    last = minute
    left -= byMinute.get(minute)!
    if (left <= target) break
  }
  // All pictures may be of the last minute, so of these only as many are removed as needed.
  let spare = target - left
  for await (const { path, minute, size } of picturesIn(folders)) {
    if (minute > last) continue
    const stays = minute === last && size <= spare
    if (stays) spare -= size
    else await rm(path, { force: true })
    if (stays) left += size
  }
  return left
}

// Yields one at a time, so that requests for pictures are not held up meanwhile.
async function* picturesIn(folders: string[]) {
  for (const folder of folders) {
    for (const shelf of await readdir(folder, { withFileTypes: true })) {
      if (!shelf.isDirectory()) continue
      const names = await readdir(join(folder, shelf.name))
      for (const name of names) {
        const path = join(folder, shelf.name, name)
        // It may have been removed with its content.
        const found = await stat(path).catch(() => null)
        if (found) yield { path, size: found.size, minute: Math.floor(found.mtimeMs / MINUTE) }
      }
    }
  }
}
