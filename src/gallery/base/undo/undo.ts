import { signal } from '@preact/signals'
import { api, ask } from '../api.ts'
import { createChanges } from './changes.ts'

/** The number of the last operation that was undone; whatever shows its files reloads them. */
export const undone = signal<number | null>(null)

/** The changes that `Ctrl+Z` undoes. */
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

/** Makes a change undoable by `Ctrl+Z`. */
export const { remember } = changes
