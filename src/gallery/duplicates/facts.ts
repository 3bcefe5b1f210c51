import { signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { readAccess } from '../base/access.ts'
import { answered, api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { returns } from '../base/returning.ts'
import { session } from '../base/session.ts'
import { inLanes } from '../base/slices.ts'
import { undone } from '../base/undo/undo.ts'
import type { File, Viewers } from './sides.ts'

/** What a file's own record doesn't contain: who sees it, and which pools it is in. */
export interface Facts {
  /** Returns who sees a file, as far as it has been read. */
  viewersOf(file: File): Viewers
  /** Returns the names of the pools of a file; undefined until they are read. */
  poolsOf(file: File): string[] | undefined
  /** Reads who sees these files, if the caller may know that. */
  want(files: File[]): Promise<void>
  /** Reads which files are in which pools, if anything has changed since the last reading. */
  readPools(): Promise<void>
}

/** The limit for pools, and for files of a pool, that are read. */
const MOST_POOLS = 200
const MOST_FILES = 10_000

const pools = signal<ReadonlyMap<string, string[]> | null>(null)
let readAt: string | undefined

export function createFacts(): Facts {
  const lists = signal<ReadonlyMap<string, string[]>>(new Map())
  const asked = new Set<string>()
  let isAlone: boolean | undefined

  return {
    viewersOf(file) {
      const names = lists.value.get(file.id)
      const isWhole = names !== undefined
      return { isPublic: file.is_public, names: [file.creator_name, ...(names ?? [])], isWhole }
    },
    poolsOf: ({ id }) => (pools.value ? (pools.value.get(id) ?? []) : undefined),
    async want(files) {
      const { user } = session.peek()!
      for (const { id, creator_id } of files) {
        if (asked.has(id) || !(user.is_admin || user.id === creator_id)) continue
        asked.add(id)
        isAlone ??= (await ask(api.GET('/api/v1/people'))).length < 2
        if (isAlone) {
          lists.value = new Map([...lists.peek(), [id, []]])
          continue
        }
        const list = await readAccess('file', id)
        const names = list.filter((one) => one.can_view).map((one) => one.user_name)
        lists.value = new Map([...lists.peek(), [id, names]])
      }
    },
    async readPools() {
      const now = [answered, undone, returns].map((one) => one.peek()).join()
      if (now === readAt) return
      const query = { limit: MOST_POOLS }
      const { items } = await ask(api.GET('/api/v1/pools', { params: { query } }))
      const some = items.filter(({ file_count }) => file_count > 0 && file_count <= MOST_FILES)
      const idsOf = new Map<string, string[]>()
      const read = async ({ id: pool }: Schemas['Pool']) => {
        const query = { pool, limit: MOST_FILES }
        idsOf.set(pool, (await ask(api.GET('/api/v1/files/ids', { params: { query } }))).ids)
      }
      const { signal } = new AbortController()
      const { error } = await inLanes(some, read, { signal, onProgress: () => {} })
      if (error !== undefined) throw error
      const found = new Map<string, string[]>()
      for (const { id: pool, name } of some) {
        for (const id of idsOf.get(pool)!) found.set(id, [...(found.get(id) ?? []), name])
      }
      pools.value = found
      readAt = now
    },
  }
}

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
