import { signal } from '@preact/signals'
import type { Schemas } from '../../../client/index.ts'
import { act, api } from '../base/api.ts'
import { complain } from '../base/toast.tsx'

/** How many files one request tags. */
const SLICE = 10_000

/** The tags that all files of the list get, by their ids: those too that have arrived already. */
export const batchTags = signal<string[]>([])

/** The files of the list that have arrived, by their ids, each with the tags that it got here. */
const arrived = new Map<string, string[]>()
let turn = Promise.resolve()

/** Gives all files of the list these tags, and takes off those that it had before. */
export function setBatchTags(ids: string[]): void {
  batchTags.value = ids
  turn = turn.then(even)
}

/** Notes that a file has arrived with tags; what was chosen since then follows. */
export function noteArrived(id: string, tags: string[]): void {
  arrived.set(id, tags)
  if (String(tags) !== String(batchTags.peek())) turn = turn.then(even)
}

/** Forgets the files and their tags: the next ones are another batch. */
export function endBatch(): void {
  arrived.clear()
  batchTags.value = []
}

/** Brings the files that have arrived to the tags of the batch. */
async function even(): Promise<void> {
  try {
    for (const tag of new Set([...batchTags.peek(), ...[...arrived.values()].flat()])) {
      const action = batchTags.peek().includes(tag) ? 'add' : 'remove'
      const ids = [...arrived.keys()].filter(
        (id) => arrived.get(id)!.includes(tag) !== (action === 'add'),
      )
      for (let at = 0; at < ids.length; at += SLICE) {
        const file_ids = ids.slice(at, at + SLICE)
        const body = { action, file_ids, tag_ids: [tag] } as Schemas['BulkTags']
        await act(api.POST('/api/v1/files/bulk/tags', { body }))
        for (const id of file_ids) note(id, tag, action)
      }
    }
  } catch (error) {
    complain(error)
  }
}

function note(id: string, tag: string, action: 'add' | 'remove'): void {
  const tags = arrived.get(id)
  if (!tags) return
  arrived.set(id, action === 'add' ? [...tags, tag] : tags.filter((other) => other !== tag))
}
