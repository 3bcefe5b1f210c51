import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiError } from '../base/error.ts'
import { slicesOf } from '../base/slices.ts'
import type { Item } from './queue.ts'

type Action = 'add' | 'remove'

interface BatchOptions {
  /**
   * Puts a tag on files that have arrived, or takes it off, and returns the number of the operation,
   * null for none. Throws an ApiError.
   */
  change(action: Action, file_ids: string[], tag: string): Promise<number | null>
  /** Told of the operations by which files were brought to their tags. */
  onChanged(operations: number[]): void
  /** Told why files haven't got their tags; `retry` tries again where that makes sense. */
  onFailed(error: ApiError, retry?: () => void): void
}

/** Tags of an item of the list. */
type Tagged = Pick<Item, 'tags'>

/** The tags of the files that are sent together. */
interface Batch {
  /** The tags that all files of the list get, by their ids: those too that have arrived already. */
  tags: ReadonlySignal<string[]>
  /** Gives all files of the list these tags, and takes off those that it had before. */
  set(ids: string[]): void
  /** Returns the tags that a file of the list is to have, by their ids. */
  tagsOf(item: Tagged): string[]
  /** Notes that a file has arrived with tags; what was chosen since then follows. */
  arrive(id: string, item: Tagged, tags: string[]): void
  /** Makes a tag of the batch one of its files alone: what comes next doesn't get it. */
  settleTag(tag: string, items: readonly Tagged[]): void
  /**
   * Lets go of files that are no longer in the list: they keep the tags that they have, or are yet
   * to get. When none are left, the next ones are another batch.
   */
  letGo(items: readonly Tagged[]): void
}

interface Arrived {
  item: Tagged
  /** The tags that it has got here. */
  tags: string[]
  /** Those that it is to have, once it is no longer in the list. */
  last?: string[]
}

/** Returns a batch without files and tags. */
export function createBatch({ change, onChanged, onFailed }: BatchOptions): Batch {
  const batchTags = signal<string[]>([])
  /** The files that have arrived, by their ids, until they have left the list with all their tags. */
  const arrived = new Map<string, Arrived>()
  let turn = Promise.resolve()

  const tagsOf = ({ tags }: Tagged) => [...new Set([...batchTags.peek(), ...tags])]
  const wantedBy = ({ item, last }: Arrived) => last ?? tagsOf(item)

  /** Brings the files that have arrived to the tags that they are to have. */
  const even = () => {
    turn = turn.then(async () => {
      const operations: number[] = []
      const all = [...arrived.values()].flatMap((file) => [...wantedBy(file), ...file.tags])
      const steps = [...new Set(all)].flatMap((tag): [string, Action][] => [
        [tag, 'add'],
        [tag, 'remove'],
      ])
      for (const [tag, action] of steps) {
        if (!(await give(tag, action, operations))) break
      }
      if (operations.length > 0) onChanged(operations)
      forgetEven()
    })
  }

  /**
   * Puts a tag on the files that lack it, or takes it off those that are not to have it; returns
   * whether going on makes sense.
   */
  const give = async (tag: string, action: Action, operations: number[]): Promise<boolean> => {
    const isAdded = action === 'add'
    const ids = [...arrived.keys()].filter((id) => {
      const file = arrived.get(id)!
      return wantedBy(file).includes(tag) === isAdded && file.tags.includes(tag) !== isAdded
    })
    for (const slice of slicesOf(ids)) {
      try {
        const operation = await change(action, slice, tag)
        if (operation !== null) operations.push(operation)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const isFinal = [400, 403, 404, 409].includes(error.status)
        onFailed(error, isFinal ? undefined : even)
        if (!isFinal) return false
      }
      // What was refused would be refused again.
      for (const id of slice) note(arrived.get(id)!, tag, isAdded)
    }
    return true
  }

  const note = (file: Arrived, tag: string, isAdded: boolean) => {
    file.tags = isAdded ? [...file.tags, tag] : file.tags.filter((other) => other !== tag)
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
      batchTags.value = ids
      even()
    },
    tagsOf,
    arrive(id, item, tags) {
      const file: Arrived = { item, tags }
      arrived.set(id, file)
      if (!isEven(file)) even()
    },
    settleTag(tag, items) {
      if (!batchTags.peek().includes(tag)) return
      for (const item of items) item.tags = [...new Set([...item.tags, tag])]
      batchTags.value = batchTags.peek().filter((other) => other !== tag)
    },
    letGo(items) {
      const listed = new Set(items)
      for (const file of arrived.values()) {
        if (!listed.has(file.item)) file.last ??= tagsOf(file.item)
      }
      // Not while they are brought to their tags.
      turn = turn.then(forgetEven)
      if (items.length === 0) batchTags.value = []
    },
  }
}
