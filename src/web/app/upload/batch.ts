import { signal } from '@preact/signals'
import { act, api } from '../base/api.ts'
import { complain } from '../base/toast.tsx'
import type { Item } from './queue.ts'

/** How many files one request tags. */
const SLICE = 10_000

/** The tags that all files of the list get, by their ids: those too that have arrived already. */
export const batchTags = signal<string[]>([])

interface Arrived {
  item: Item
  /** The tags that it got here. */
  tags: string[]
}

/** The files of the list that have arrived, by their ids. */
const arrived = new Map<string, Arrived>()
let turn = Promise.resolve()

/** Gives all files of the list these tags, and takes off those that it had before. */
export function setBatchTags(ids: string[]): void {
  batchTags.value = ids
  turn = turn.then(even)
}

/** Returns the tags that a file of the list is to have, by their ids. */
export function tagsOf({ tags }: Pick<Item, 'tags'>): string[] {
  return [...new Set([...batchTags.peek(), ...tags])]
}

/** Notes that a file has arrived with tags; what was chosen since then follows. */
export function noteArrived(id: string, item: Item, tags: string[]): void {
  arrived.set(id, { item, tags })
  if (String(tags) !== String(tagsOf(item))) turn = turn.then(even)
}

/** Makes the tags of the batch those of its files alone: what comes next doesn't get them. */
export function settleBatch(items: readonly Item[]): void {
  for (const item of items) item.tags = tagsOf(item)
  batchTags.value = []
}

/** Forgets the files and their tags: the next ones are another batch. */
export function endBatch(): void {
  arrived.clear()
  batchTags.value = []
}

/** Brings the files that have arrived to the tags that they are to have. */
async function even(): Promise<void> {
  const all = [...arrived.values()].flatMap(({ item, tags }) => [...tagsOf(item), ...tags])
  try {
    for (const tag of new Set(all)) {
      await give(tag, 'add')
      await give(tag, 'remove')
    }
  } catch (error) {
    complain(error)
  }
}

/** Puts a tag on the files that lack it, or takes it off those that are not to have it. */
async function give(tag: string, action: 'add' | 'remove'): Promise<void> {
  const isAdded = action === 'add'
  const ids = [...arrived.keys()].filter((id) => {
    const { item, tags } = arrived.get(id)!
    return tagsOf(item).includes(tag) === isAdded && tags.includes(tag) !== isAdded
  })
  for (let at = 0; at < ids.length; at += SLICE) {
    const file_ids = ids.slice(at, at + SLICE)
    await act(api.POST('/api/v1/files/bulk/tags', { body: { action, file_ids, tag_ids: [tag] } }))
    for (const id of file_ids) note(id, tag, isAdded)
  }
}

function note(id: string, tag: string, isAdded: boolean): void {
  const file = arrived.get(id)
  if (!file) return
  file.tags = isAdded ? [...file.tags, tag] : file.tags.filter((other) => other !== tag)
}
