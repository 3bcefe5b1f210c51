import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiError } from '../base/error.ts'
import type { Picked } from './pick.ts'

/** How many names are tried for the tag of a folder: all are refused to somebody who may create no more tags. */
const MOST_NAMES = 4

interface FolderTagsOptions {
  /** Returns the id of the tag with a name; undefined if there is none. */
  find(name: string): string | undefined
  /** Whether the tag with an id still exists. */
  holds(id: string): boolean
  /** Creates a tag, which `find` finds from then on, and returns its id. Throws an ApiError. */
  make(name: string): Promise<string>
  /** Returns a name of the caller's own in place of one that is taken; it is none of `taken`. */
  ownName(name: string, taken: ReadonlySet<string>): string
  /** Reads the tags again. Throws an ApiError. */
  reload(): Promise<void>
}

/** Tags with the names of folders, which the files in them get if the user chooses that. */
interface FolderTags {
  isOn: ReadonlySignal<boolean>
  /** The names of the folders that files came from. */
  names: ReadonlySignal<string[]>
  /** The names of which the caller can have no tag. */
  unfit: ReadonlySignal<string[]>
  /** The names of the tags that stand for folders whose names are those of hidden tags. */
  own: ReadonlySignal<string[]>
  choose(isOn: boolean): void
  /** Records the folders of added files. */
  note(files: readonly Picked[]): void
  /** Finds or creates the tags of folders, if they are to be tags. Throws an ApiError. */
  prepare(folders: readonly string[]): Promise<void>
  /**
   * Returns the ids of the tags that a file gets by its folders: those found or created, even if they
   * were renamed since.
   */
  tagsOf(file: Pick<Picked, 'folders'>): string[]
  /** Clears the folders, and the choice to make them tags. */
  clear(): void
}

/** Creates folder tags without any folders. */
export function createFolderTags(options: FolderTagsOptions): FolderTags {
  const { find, holds, make, ownName, reload } = options
  const isOn = signal(false)
  const names = signal<string[]>([])
  const unfit = signal<string[]>([])
  const own = signal<string[]>([])
  // The ids of the tags, by the names of the folders.
  let ids = new Map<string, string>()
  // Incremented whenever a tag is found.
  const version = signal(0)
  let turn = Promise.resolve()

  const prepareOne = async (name: string) => {
    const list = ids
    const before = list.get(name)
    if (!isOn.peek() || unfit.peek().includes(name)) return
    if (before !== undefined && holds(before)) return
    const tag = await findOrMake(name)
    // In a new list, the name may stand for another tag.
    if (list !== ids) return
    if (!tag) unfit.value = [...unfit.peek(), name]
    else {
      list.set(name, tag.id)
      if (tag.isOwn) own.value = [...new Set([...own.peek(), tag.name])]
      version.value++
    }
  }

  const findOrMake = async (name: string) => {
    const taken = new Set<string>()
    let asked = name
    while (taken.size < MOST_NAMES) {
      const id = find(asked) ?? (await makeOne(asked))
      if (id === null) return null
      if (id !== undefined) return { id, name: asked, isOwn: taken.size > 0 }
      taken.add(asked)
      asked = ownName(name, taken)
    }
    return null
  }

  // Returns undefined for a name that is taken, and null for one that no tag may have.
  const makeOne = async (name: string) => {
    try {
      return await make(name)
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0
      if (![400, 403, 409].includes(status)) throw error
      if (status !== 409) return null
      // It was created elsewhere meanwhile, it is hidden from the caller, or they may create no more.
      await reload()
      return find(name)
    }
  }

  return {
    isOn,
    names,
    unfit,
    own,
    choose(wanted) {
      isOn.value = wanted
    },
    note(files) {
      const all = new Set(names.peek())
      for (const { folders } of files) for (const name of folders) all.add(name)
      if (all.size > names.peek().length) names.value = [...all]
    },
    prepare(folders) {
      // Sequentially, because two names may differ only in case.
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
      own.value = []
      ids = new Map()
    },
  }
}
