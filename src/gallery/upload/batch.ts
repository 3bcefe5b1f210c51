import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiError } from '../base/error.ts'
import { slicesOf } from '../base/slices.ts'
import type { Item } from './queue.ts'

/** How many tags may follow from one by rules. */
const MOST_FOLLOWING = 200

type Action = 'add' | 'remove'

interface BatchOptions {
  /** Returns the tags that an item gets by the folders that lead to it, by their ids. */
  byFolders(item: Tagged): string[]
  /**
   * Puts a tag on files that have arrived, or takes it off, and returns the number of the operation,
   * null for none. Throws an ApiError.
   */
  change(action: Action, file_ids: string[], tag: string): Promise<number | null>
  /**
   * Told of the operations by which files were brought to the tags that were chosen; `back` takes
   * the choice back for the other files, too, once these are undone.
   */
  onChanged(operations: number[], back: () => void): void
  /**
   * Told why files keep the tags that they have, by what `change` threw; `retry` tries again where
   * that makes sense.
   */
  onFailed(error: unknown, action: Action, retry?: () => void): void
}

/** Tags of an item of the list. */
type Tagged = Pick<Item, 'tags' | 'folders'>

/** The tags of the files that are sent together. */
interface Batch {
  /** The tags that all files of the list get, by their ids: those too that have arrived already. */
  tags: ReadonlySignal<string[]>
  /** Gives all files of the list these tags, and takes off those that it had before. */
  set(ids: string[]): void
  /** Returns the tags that a file of the list is to have, by their ids. */
  tagsOf(item: Tagged): string[]
  /** Lets the files follow what `byFolders` returns now, as somebody has chosen; `back` takes that back. */
  followFolders(back: () => void): void
  /**
   * Notes that a file has arrived with tags; what was chosen since then follows. Those that it `had`
   * before stay on it whatever is chosen.
   */
  arrive(id: string, item: Tagged, tags: string[], had?: string[]): void
  /**
   * Makes a tag of the batch one of these files alone, also when it was left out and that is taken
   * back: what comes next doesn't get it.
   */
  settleTag(tag: string, items: readonly Tagged[]): void
  /**
   * Lets go of files that are no longer in the list: they keep the tags that they have, or are yet
   * to get. When none are left, the next ones are another batch.
   */
  letGo(items: readonly Tagged[]): void
}

interface Arrived {
  /** More than one when they have the same content. */
  items: Tagged[]
  /** The tags that it has got here. */
  tags: string[]
  /** Those that it had before. */
  had: string[]
  /** Those that it is to have, once it is no longer in the list. */
  last?: string[]
}

/** Files on the way to their tags. */
interface Run {
  operations: number[]
  /** Which files have got a tag by these, or have lost it. */
  given: [file: Arrived, tag: string, isAdded: boolean][]
  /** The ids of the only files that it is about. */
  only: Set<string> | undefined
  retry(): void
}

/** Returns a batch without files and tags. */
export function createBatch({ byFolders, change, onChanged, onFailed }: BatchOptions): Batch {
  const batchTags = signal<string[]>([])
  /** The files that have arrived, by their ids, until they have left the list with all their tags. */
  const arrived = new Map<string, Arrived>()
  let turn = Promise.resolve()
  /** The ids of those that have arrived without all of their tags, before it is their turn. */
  let late = new Set<string>()
  /** Counts the lists: what was chosen for one doesn't concern the next. */
  let list = 0
  /** The tags that are no longer the batch's, with the files whose they are. */
  const settled = new Map<string, readonly Tagged[]>()
  /** What takes the choices back that nothing was asked for yet. */
  const chosen: (() => void)[] = []

  const tagsOf = (item: Tagged) => [
    ...new Set([...batchTags.peek(), ...item.tags, ...byFolders(item)]),
  ]
  const tagsOfAll = ({ items }: Arrived) => [...new Set(items.flatMap(tagsOf))]
  const wantedBy = (file: Arrived) => without(file.last ?? tagsOfAll(file), file.had)

  /**
   * Brings the files that have arrived to the tags that they are to have, or one of them. It can be
   * undone when `backsOf` returns what takes choices back, for which it is asked once it is their
   * turn: what follows an arrival by itself is nobody's change.
   */
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
      forgetEven()
    })
  }

  const filesOf = ({ only }: Run): [string, Arrived][] => {
    if (only === undefined) return [...arrived]
    return [...only].flatMap((id): [string, Arrived][] => {
      const file = arrived.get(id)
      return file ? [[id, file]] : []
    })
  }

  /**
   * Puts a tag on the files that lack it, or takes it off those that are not to have it; returns
   * whether going on makes sense.
   */
  const give = async (tag: string, action: Action, run: Run): Promise<boolean> => {
    const isAdded = action === 'add'
    const files = filesOf(run).filter(([, file]) => {
      return wantedBy(file).includes(tag) === isAdded && file.tags.includes(tag) !== isAdded
    })
    // By rules a tag may bring others along, which the server counts, too.
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
        // What was refused would be refused again; where it is the tag, to all files.
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

  /** Lets the files that have arrived follow a choice; `back` takes it back while their list is there. */
  const choose = (back: () => void) => {
    const own = list
    chosen.push(() => {
      if (own !== list) return
      back()
      even()
    })
    // Choices that are made quickly are brought about together.
    even(() => chosen.splice(0))
  }

  const isEven = (file: Arrived) => {
    const wanted = wantedBy(file)
    return wanted.length === file.tags.length && wanted.every((tag) => file.tags.includes(tag))
  }

  const forgetEven = () => {
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
        const kept = without(batchTags.peek(), extra)
        batchTags.value = [...new Set([...kept, ...missing.filter((id) => !isSettled(id))])]
      })
    },
    followFolders: choose,
    tagsOf,
    arrive(id, item, tags, had = []) {
      let file = arrived.get(id)
      // One that is no longer in the list is as it is to be.
      if (file && !file.last) {
        file.items.push(item)
        // When it was made here, and only told of before as one that was there, it had nothing.
        file.had = without(file.had, tags)
        file.tags = [...new Set([...file.tags, ...tags])]
      } else {
        file = { items: [item], tags, had }
        arrived.set(id, file)
      }
      if (isEven(file)) return
      late.add(id)
      // Those that arrive before it is their turn are brought to their tags together.
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
      // Not while they are brought to their tags.
      turn = turn.then(forgetEven)
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
