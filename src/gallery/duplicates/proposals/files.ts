import { signal } from '@preact/signals'
import { api, ask } from '../../base/api.ts'
import { ApiError } from '../../base/error.ts'
import type { File } from '../sides.ts'

/** The files of proposals, which name them by their ids. */
export interface Files {
  /** Returns a file; undefined until it is read. */
  get(id: string): File | undefined
  /** Reads the files that have not been read yet. */
  want(ids: readonly string[]): Promise<void>
  /** Evicts what was read, because files have changed. */
  clear(): void
}

/** Creates a cache that reads each file once, one by one. */
export function createFiles(): Files {
  const known = signal<ReadonlyMap<string, File>>(new Map())
  const asked = new Set<string>()
  return {
    get: (id) => known.value.get(id),
    async want(ids) {
      const wanted = ids.filter((id) => !asked.has(id))
      for (const id of wanted) asked.add(id)
      const read = async (id: string) => {
        const file = await readFile(id).catch((error) => {
          asked.delete(id)
          throw error
        })
        // A caller that has lost the right to it learns that on settling the proposal.
        if (!file) asked.delete(id)
        return file
      }
      const files = await Promise.all(wanted.map(read))
      known.value = new Map([
        ...known.peek(),
        ...files.flatMap((file): [string, File][] => (file ? [[file.id, file]] : [])),
      ])
    },
    clear() {
      asked.clear()
      known.value = new Map()
    },
  }
}

/** Returns a file; null if it is gone or the caller may not see it. Throws an ApiError. */
export async function readFile(file_id: string): Promise<File | null> {
  try {
    return await ask(api.GET('/api/v1/files/{file_id}', { params: { path: { file_id } } }))
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.status)) return null
    throw error
  }
}
