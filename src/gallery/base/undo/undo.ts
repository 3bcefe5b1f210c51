import { signal } from '@preact/signals'
import { api, ask } from '../api.ts'
import { createChanges } from './changes.ts'

/** The number of the last operation that was undone; what shows its files loads them anew. */
export const undone = signal<number | null>(null)

/** What `Ctrl+Z` takes back. */
export const changes = createChanges(
  async (operation) => {
    const params = { path: { operation } }
    const { kept_total } = await ask(api.POST('/api/v1/operations/{operation}/undo', { params }))
    return kept_total
  },
  (operation) => {
    undone.value = operation
  },
)

/** Lets `Ctrl+Z` take a change back. */
export const { remember } = changes
