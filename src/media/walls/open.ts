import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Log } from '../../log.ts'
import { inputsOf, type Room } from './room.ts'

/**
 * Returns the room of a child that could go anywhere: it gets the files themselves, and what it has
 * read is looked at after each job.
 */
export function withoutRoom(log: Log): Room {
  const lent = new Map<number, { path: string; before: Stats }[]>()
  return {
    path: '',
    async lend(id, request) {
      const files: { path: string; before: Stats }[] = []
      for (const path of inputsOf(request)) {
        // Whoever opens it says why it can't be read.
        const before = await lstat(path).catch(() => null)
        if (before) files.push({ path, before })
      }
      lent.set(id, files)
      return request
    },
    async takeBack(id) {
      for (const { path, before } of lent.get(id) ?? []) {
        const changed = changes(before, await lstat(path).catch(() => null))
        if (changed.length === 0) continue
        log.error('a file has changed while it was decoded', { blob: basename(path), changed })
      }
      lent.delete(id)
      return 'done'
    },
    remove() {},
  }
}

/** A file that has been removed, or replaced by another one, has been so by the server. */
function changes(before: Stats, after: Stats | null): string[] {
  if (after === null || after.ino !== before.ino) return []
  return (['size', 'mtimeMs', 'ctimeMs'] as const).filter((name) => after[name] !== before[name])
}
