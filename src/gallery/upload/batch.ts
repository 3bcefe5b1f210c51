import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiError } from '../base/error.ts'
import { slicesOf } from '../base/slices.ts'
import type { Item } from './queue.ts'

/** The most tags that rules may add because of one tag. */
const MOST_FOLLOWING = 200

type Action = 'add' | 'remove'

interface BatchOptions {
  /** Returns the ids of the tags that an item gets from the folders that lead to it. */
  byFolders(item: Tagged): string[]
  /**
   * Adds a tag to uploaded files or removes it; returns the number of the operation, null for none.
   * Throws an ApiError.
   */
  change(action: Action, file_ids: string[], tag: string): Promise<number | null>
  /**
   * Called with the operations that brought the files to the chosen tags; `back` reverts the choice for
   * the other files as well, once these operations are undone.
   */
  onChanged(operations: number[], back: () => void): void
  /**
   * Called with what `change` threw when files keep their old tags; `retry` is absent where trying
   * again makes no sense.
   */
  onFailed(error: unknown, action: Action, retry?: () => void): void
}

type Tagged = Pick<Item, 'tags' | 'folders'>

/** The tags of the files that are uploaded together. */
interface Batch {
  /** The ids of the tags of all files of the list, including those that have already been uploaded. */
  tags: ReadonlySignal<string[]>
  /** Gives all files of the list these tags, and removes those of the last call. */
  set(ids: string[]): void
  /** Returns the ids of the tags that a file of the list is to have. */
  tagsOf(item: Tagged): string[]
  /**
   * Applies the current result of `byFolders` to the files, as a choice of the user; `back` reverts
   * that.
   */
  followFolders(back: () => void): void
  /**
   * Records that a file was uploaded with tags; choices made since then are applied. The tags that it
   * `had` before stay, whatever is chosen.
   */
  arrive(id: string, item: Tagged, tags: string[], had?: string[]): void
  /**
   * Makes a tag of the batch a tag of these files only, so that later files don't get it, even if it was
   * removed before and that is undone.
   */
  settleTag(tag: string, items: readonly Tagged[]): void
  /**
   * Releases files that have left the list: they keep the tags that they have, or are yet to get. When
   * none are left, a new batch begins.
   */
  letGo(items: readonly Tagged[]): void
}

interface Arrived {
  /** More than one if they have the same content. */
  items: Tagged[]
  /** The tags that it has got here. */
  tags: string[]
  had: string[]
  /** The tags that it is to have, once it has left the list. */
  last?: string[]
}

interface Run {
  operations: number[]
  /** Which files have got or lost a tag by these operations. */
  given: [file: Arrived, tag: string, isAdded: boolean][]
  /** The ids of the files to which the run is limited. */
  only: Set<string> | undefined
  retry(): void
}

/** Creates a batch without files and tags. */
export function createBatch({ byFolders, change, onChanged, onFailed }: BatchOptions): Batch {
  const batchTags = signal<string[]>([])
  // Uploaded files by their ids, until they have left the list with all their tags.
  const arrived = new Map<string, Arrived>()
  let turn = Promise.resolve()
  // The ids of files that arrived without all of their tags, before the run for them begins.
  let late = new Set<string>()
  // Counts the lists: a choice for one doesn't concern the next.
  let list = 0
  // Tags that are no longer the batch's, with the only files that get them.
  const settled = new Map<string, readonly Tagged[]>()
  // Functions that revert choices that no run has taken up yet.
  const chosen: (() => void)[] = []

  const tagsOf = (item: Tagged) => [
    ...new Set([...batchTags.peek(), ...item.tags, ...byFolders(item)]),
  ]
  const tagsOfAll = ({ items }: Arrived) => [...new Set(items.flatMap(tagsOf))]
  const wantedBy = (file: Arrived) => without(file.last ?? tagsOfAll(file), file.had)

  // Gives the uploaded files, or those of `onlyOf`, the tags that they are to have. The run can be
  // undone if `backsOf`, which is called when its turn comes, returns functions that revert choices;
  // tagging that only follows an arrival can't be undone by itself.
  const even = (
    backsOf: () => (() => void)[] = () => [],
    onlyOf: () => Set<string> | undefined = () => undefined,
  ) => {
    turn = turn.then(async () => {
      const own = backsOf()
      const only = onlyOf()
      const retry = () =>
        even(
          () => own,
          () => only,
        )
      const run: Run = { operations: [], given: [], only, retry }
      const all = filesOf(run).flatMap(([, file]) => [...wantedBy(file), ...file.tags])
      const steps = [...new Set(all)].flatMap((tag): [string, Action][] => [
        [tag, 'add'],
        [tag, 'remove'],
      ])
      for (const [tag, action] of steps) {
        if (!(await give(tag, action, run))) break
      }
      if (own.length > 0 && run.operations.length > 0) {
        onChanged(run.operations, () => {
          for (const [file, tag, isAdded] of run.given) {
            note(file, tag, !isAdded)
            if (file.last) file.last = withTag(file.last, tag, !isAdded)
          }
          for (const back of [...own].reverse()) back()
        })
      }
      evictEven()
    })
  }

  const filesOf = ({ only }: Run): [string, Arrived][] => {
    if (only === undefined) return [...arrived]
    return [...only].flatMap((id): [string, Arrived][] => {
      const file = arrived.get(id)
      return file ? [[id, file]] : []
    })
  }

  // Adds a tag to the files that lack it, or removes it; returns whether going on makes sense.
  const give = async (tag: string, action: Action, run: Run): Promise<boolean> => {
    const isAdded = action === 'add'
    const files = filesOf(run).filter(([, file]) => {
      return wantedBy(file).includes(tag) === isAdded && file.tags.includes(tag) !== isAdded
    })
    // Rules may add further tags, which count towards the server's limit.
    for (const slice of slicesOf(files, isAdded ? 1 + MOST_FOLLOWING : 1)) {
      const ids = slice.map(([id]) => id)
      try {
        const operation = await change(action, ids, tag)
        if (operation !== null) {
          run.operations.push(operation)
          for (const [, file] of slice) run.given.push([file, tag, isAdded])
        }
      } catch (error) {
        const status = error instanceof ApiError ? error.status : 0
        const isFinal = [400, 403, 404, 409].includes(status)
        onFailed(error, action, isFinal ? undefined : run.retry)
        if (!isFinal) return false
        // The server would refuse it again; if the reason is the tag, for all files.
        if ([403, 404].includes(status)) {
          noteAll(files, tag, isAdded)
          return true
        }
      }
      noteAll(slice, tag, isAdded)
    }
    return true
  }

  const noteAll = (files: [string, Arrived][], tag: string, isAdded: boolean) => {
    for (const [, file] of files) note(file, tag, isAdded)
  }

  const note = (file: Arrived, tag: string, isAdded: boolean) => {
    file.tags = withTag(file.tags, tag, isAdded)
  }

  const giveSettled = (tag: string, isThere: boolean) => {
    for (const item of settled.get(tag) ?? []) item.tags = withTag(item.tags, tag, isThere)
  }

  // Applies a choice to the uploaded files; `back` reverts it while their list exists.
  const choose = (back: () => void) => {
    const own = list
    chosen.push(() => {
      if (own !== list) return
      back()
      even()
    })
    // Choices in quick succession are applied together.
    even(() => chosen.splice(0))
  }

  const isEven = (file: Arrived) => {
    const wanted = wantedBy(file)
    return wanted.length === file.tags.length && wanted.every((tag) => file.tags.includes(tag))
  }

  const evictEven = () => {
    for (const [id, file] of arrived) if (file.last && isEven(file)) arrived.delete(id)
  }

  return {
    tags: batchTags,
    set(ids) {
      const before = batchTags.peek()
      const earlier = new Set(settled.keys())
      batchTags.value = ids
      choose(() => {
        const [missing, extra] = [without(before, ids), without(ids, before)]
        const isSettled = (id: string) => settled.has(id) && !earlier.has(id)
        for (const id of [...missing, ...extra].filter(isSettled)) {
          giveSettled(id, missing.includes(id))
        }
        const others = without(batchTags.peek(), extra)
        batchTags.value = [...new Set([...others, ...missing.filter((id) => !isSettled(id))])]
      })
    },
    followFolders: choose,
    tagsOf,
    arrive(id, item, tags, had = []) {
      let file = arrived.get(id)
      // A file that has left the list is already as it is to be.
      if (file && !file.last) {
        file.items.push(item)
        // If it was created here, and was reported as existing only afterwards, it had nothing.
        file.had = without(file.had, tags)
        file.tags = [...new Set([...file.tags, ...tags])]
      } else {
        file = { items: [item], tags, had }
        arrived.set(id, file)
      }
      if (isEven(file)) return
      late.add(id)
      // Files that arrive before their run begins are tagged together.
      if (late.size > 1) return
      even(undefined, () => {
        const own = late
        late = new Set()
        return own
      })
    },
    settleTag(tag, items) {
      settled.set(tag, [...items])
      if (!batchTags.peek().includes(tag)) return
      giveSettled(tag, true)
      batchTags.value = without(batchTags.peek(), [tag])
    },
    letGo(items) {
      const listed = new Set(items)
      for (const file of arrived.values()) {
        if (!file.items.some((item) => listed.has(item))) file.last ??= tagsOfAll(file)
      }
      // Not during a run.
      turn = turn.then(evictEven)
      if (items.length > 0) return
      batchTags.value = []
      settled.clear()
      list++
    },
  }
}

function without(tags: string[], others: string[]): string[] {
  return tags.filter((tag) => !others.includes(tag))
}

function withTag(tags: string[], tag: string, isThere: boolean): string[] {
  const others = without(tags, [tag])
  return isThere ? [...others, tag] : others
}
