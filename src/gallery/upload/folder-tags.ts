import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiError } from '../base/error.ts'
import type { Picked } from './pick.ts'

interface FolderTagsOptions {
  /** Returns the id of the tag of a name; undefined when there is none. */
  find(name: string): string | undefined
  /** Whether there is still a tag of an id. */
  holds(id: string): boolean
  /** Makes a tag, which is found from then on, and returns its id. Throws an ApiError. */
  make(name: string): Promise<string>
  /** Loads anew which tags there are. Throws an ApiError. */
  reload(): Promise<void>
}

/** Tags of the names of folders, which the files in them get when that is chosen. */
interface FolderTags {
  isOn: ReadonlySignal<boolean>
  /** The names of the folders from which files came. */
  names: ReadonlySignal<string[]>
  /** Those of them of which the caller can have no tag. */
  unfit: ReadonlySignal<string[]>
  choose(isOn: boolean): void
  /** Notes the folders of files that were added. */
  note(files: readonly Picked[]): void
  /** Finds the tags of folders, or makes them, when they are to be tags. Throws an ApiError. */
  prepare(folders: readonly string[]): Promise<void>
  /**
   * Returns the tags that a file gets by its folders, by their ids: those that were found or made,
   * whatever these are called by now.
   */
  tagsOf(file: Pick<Picked, 'folders'>): string[]
  /** Forgets the folders, and that their names were to be tags. */
  clear(): void
}

/** Returns tags of folders, of which no file came yet. */
export function createFolderTags({ find, holds, make, reload }: FolderTagsOptions): FolderTags {
  const isOn = signal(false)
  const names = signal<string[]>([])
  const unfit = signal<string[]>([])
  /** The ids of the tags, by the names of the folders. */
  let ids = new Map<string, string>()
  /** Grows whenever one of them is found. */
  const version = signal(0)
  let turn = Promise.resolve()

  const prepareOne = async (name: string) => {
    const own = ids
    const before = own.get(name)
    if (!isOn.peek() || unfit.peek().includes(name)) return
    if (before !== undefined && holds(before)) return
    const id = find(name) ?? (await makeOne(name))
    // For another list, it may be another tag.
    if (own !== ids) return
    if (id === undefined) unfit.value = [...unfit.peek(), name]
    else {
      own.set(name, id)
      version.value++
    }
  }

  const makeOne = async (name: string) => {
    try {
      return await make(name)
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0
      if (![400, 403, 409].includes(status)) throw error
      if (status !== 409) return undefined
      // It was made elsewhere meanwhile, it is hidden from the caller, or they may make no more.
      await reload()
      return find(name)
    }
  }

  return {
    isOn,
    names,
    unfit,
    choose(wanted) {
      isOn.value = wanted
    },
    note(files) {
      const all = new Set(names.peek())
      for (const { folders } of files) for (const name of folders) all.add(name)
      if (all.size > names.peek().length) names.value = [...all]
    },
    prepare(folders) {
      // One after another: two may differ in upper and lower case alone.
      const made = turn.then(async () => {
        for (const name of new Set(folders)) await prepareOne(name)
      })
      turn = made.catch(() => undefined)
      return made
    },
    tagsOf({ folders }) {
      void version.value
      return isOn.value ? folders.flatMap((name) => ids.get(name) ?? []) : []
    },
    clear() {
      isOn.value = false
      names.value = []
      unfit.value = []
      ids = new Map()
    },
  }
}
