import { ApiError } from '../../../src/gallery/base/error.ts'
import { createBatch } from '../../../src/gallery/upload/batch.ts'

/** A server that keeps tags of files, and may fail or take its time. */
export function openBatch() {
  const server = new Map<string, Set<string>>()
  const failures: { why: unknown; action: string; retry: (() => void) | undefined }[] = []
  const undoable: number[][] = []
  const backs: (() => void)[] = []
  const requests: string[] = []
  let failing: Error | null = null
  let gate = Promise.resolve()
  let last = 0
  const tagsOfFolders = new Map<string, string>()
  const batch = createBatch({
    byFolders: ({ folders }) => folders.flatMap((name) => tagsOfFolders.get(name) ?? []),
    async change(action, file_ids, tag) {
      await gate
      requests.push(`${action} ${tag}: ${file_ids.join(' ')}`)
      if (failing) throw failing
      for (const id of file_ids) server.get(id)![action === 'add' ? 'add' : 'delete'](tag)
      return ++last
    },
    onChanged(operations, back) {
      undoable.push(operations)
      backs.push(back)
    },
    onFailed(error, action, retry) {
      failures.push({ why: error instanceof ApiError ? error.status : error, action, retry })
    },
  })
  return {
    batch,
    tagsOfFolders,
    failures,
    undoable,
    backs,
    /** What the server was asked since this was asked. */
    requests: () => requests.splice(0),
    /** A file that arrives, by default with the tags that it is to have now. */
    arrive(id: string, item = createItem(), tags = batch.tagsOf(item)) {
      server.set(id, new Set(tags))
      batch.arrive(id, item, tags)
      return item
    },
    /** A file that is found to be here already, with tags. */
    find(id: string, had: string[], item = createItem()) {
      server.set(id, new Set(had))
      batch.arrive(id, item, [], had)
      return item
    },
    tags: (id: string) => [...server.get(id)!].sort(),
    fail: (error: Error | null) => {
      failing = error
    },
    hold() {
      let open = () => {}
      gate = new Promise((resolve) => {
        open = resolve
      })
      return open
    },
  }
}

/** Returns an item with tags of its own, and the folders from which it came. */
export function createItem(tags: string[] = [], folders: string[] = []) {
  return { tags, folders }
}

/** Lets what is under way end. */
export const rest = () => new Promise((resolve) => setImmediate(resolve))
