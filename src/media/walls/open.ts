import { lstatSync, type Stats } from 'node:fs'
import { basename } from 'node:path'
import type { Log } from '../../base/log.ts'
import { inputsOf, type Room } from './room.ts'

/**
 * Returns the room of a child that could go anywhere: it gets the files themselves, and what it has read is checked
 * after each job.
 */
export function withoutRoom(log: Log): Room {
  const lent = new Map<number, { path: string; before: Stats }[]>()
  return {
    path: '',
    async lend(id, request) {
      const files: { path: string; before: Stats }[] = []
      for (const path of inputsOf(request)) {
        const before = statusOf(path)
        if (before) files.push({ path, before })
      }
      lent.set(id, files)
      return request
    },
    async takeBack(id) {
      for (const { path, before } of lent.get(id) ?? []) {
        const changed = changes(before, statusOf(path))
        if (changed.length === 0) continue
        log.error('a file has changed while it was decoded', { blob: basename(path), changed })
      }
      lent.delete(id)
      return 'done'
    },
    remove() {},
  }
}

/**
 * Returns null when there is no status; the code that opens the file reports why. The call is synchronous because it
 * is quick, and the decoder would otherwise wait for a turn of the server.
 */
function statusOf(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}

// A file that has been removed, or replaced by another one, has been so by the server.
function changes(before: Stats, after: Stats | null): string[] {
  if (after === null || after.ino !== before.ino) return []
  return (['size', 'mtimeMs', 'ctimeMs'] as const).filter((name) => after[name] !== before[name])
}
