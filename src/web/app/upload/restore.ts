import { act, api } from '../base/api.ts'
import { slicesOf } from '../base/slices.ts'
import { complain, toast } from '../parts/toast.tsx'
import { trash } from '../text/trash.ts'
import { noteHere, uploads } from './uploads.ts'

/** Takes those out of the trash that were chosen to be sent and are in there. */
export async function restoreChosen(): Promise<void> {
  const trashed = uploads.items.filter(({ here }) => here?.isInTrash)
  const ids = new Set(trashed.map(({ here }) => here!.id))
  const operations: number[] = []
  const restored = new Set<string>()
  try {
    for (const file_ids of slicesOf([...ids])) {
      const call = api.POST('/api/v1/files/bulk/restore', { body: { file_ids } })
      const { data, operation } = await act(call)
      if (operation !== null) operations.push(operation)
      for (const id of file_ids) if (!data.skipped_ids.includes(id)) restored.add(id)
    }
  } catch (error) {
    complain(error)
  }
  for (const item of trashed) {
    if (restored.has(item.here!.id)) noteHere(item, { ...item.here!, isInTrash: false })
  }
  if (operations.length > 0) toast({ text: trash().restored(restored.size), operation: operations })
}
