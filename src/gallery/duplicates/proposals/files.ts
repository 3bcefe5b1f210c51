import { signal } from '@preact/signals'
import { api, ask } from '../../base/api.ts'
import { ApiError } from '../../base/error.ts'
import type { File } from '../sides.ts'

/** The files that proposals are about, which name them by their ids. */
export interface Files {
  /** Returns a file; undefined until it has come. */
  get(id: string): File | undefined
  /** Reads files that have not been read. */
  want(ids: readonly string[]): Promise<void>
  /** Forgets what was read, for what has changed. */
  clear(): void
}

/** Returns files that are read one by one, each once. */
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
        // Whoever has no right to it any more will hear of that when it is settled.
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

/** Returns a file; null when there is none any more, or no right to see it. Throws an ApiError. */
export async function readFile(file_id: string): Promise<File | null> {
  try {
    return await ask(api.GET('/api/v1/files/{file_id}', { params: { path: { file_id } } }))
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.status)) return null
    throw error
  }
}
