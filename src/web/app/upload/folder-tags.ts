import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiError } from '../base/error.ts'
import type { Picked } from './pick.ts'

interface FolderTagsOptions {
  /** Returns the id of the tag of a name; undefined when there is none. */
  find(name: string): string | undefined
  /** Makes a tag, which is found from then on. Throws an ApiError. */
  make(name: string): Promise<void>
}

/** Tags of the names of folders, which the files in them get when that is chosen. */
interface FolderTags {
  isOn: ReadonlySignal<boolean>
  /** The names of the folders from which files came. */
  names: ReadonlySignal<string[]>
  /** Those of them that no tag may have. */
  unfit: ReadonlySignal<string[]>
  choose(isOn: boolean): void
  /** Notes the folders of files that were added. */
  note(files: readonly Picked[]): void
  /** Makes the tags that are missing of folders, when they are to be tags. Throws an ApiError. */
  prepare(folders: readonly string[]): Promise<void>
  /** Returns the tags that a file gets by its folders, by their ids. */
  tagsOf(file: Pick<Picked, 'folders'>): string[]
  /** Forgets the folders, and that their names were to be tags. */
  clear(): void
}

/** Returns tags of folders, of which no file came yet. */
export function createFolderTags({ find, make }: FolderTagsOptions): FolderTags {
  const isOn = signal(false)
  const names = signal<string[]>([])
  const unfit = signal<string[]>([])
  let turn = Promise.resolve()

  const prepareOne = async (name: string) => {
    if (!isOn.peek() || find(name) !== undefined || unfit.peek().includes(name)) return
    try {
      await make(name)
    } catch (error) {
      // It is no name, it is that of a tag which the caller may not see, or they may make no more.
      const isFinal = error instanceof ApiError && [400, 403, 409].includes(error.status)
      if (!isFinal) throw error
      unfit.value = [...unfit.peek(), name]
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
      return isOn.value ? folders.flatMap((name) => find(name) ?? []) : []
    },
    clear() {
      isOn.value = false
      names.value = []
      unfit.value = []
    },
  }
}
