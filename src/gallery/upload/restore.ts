import { act, api } from '../base/api.ts'
import { MOST_NAMED, slicesOf } from '../base/slices.ts'
import { complain, toast } from '../parts/toast.tsx'
import { trash } from '../text/trash.ts'
import { upload as text } from '../text/upload.ts'
import { noteHere, uploads } from './uploads.ts'

/** Restores the files from the trash that were chosen for upload and are in there. */
export async function restoreChosen(): Promise<void> {
  const trashed = uploads.items.filter(({ here }) => here?.isInTrash)
  const ids = new Set(trashed.map(({ here }) => here!.id))
  const operations: number[] = []
  const restored = new Set<string>()
  let skipped = 0
  try {
    for (const file_ids of slicesOf([...ids], 1, MOST_NAMED)) {
      const call = api.POST('/api/v1/files/bulk/restore', { body: { file_ids } })
      const { data, operation } = await act(call)
      if (operation !== null) operations.push(operation)
      skipped += data.skipped
      for (const id of file_ids) if (!data.skipped_ids.includes(id)) restored.add(id)
    }
  } catch (error) {
    complain(error)
  }
  // A choice for the next list doesn't concern these files.
  const listed = new Set(uploads.items)
  for (const item of trashed) {
    if (listed.has(item) && restored.has(item.here!.id))
      noteHere(item, { ...item.here!, isInTrash: false })
  }
  if (operations.length > 0) toast({ text: trash().restored(restored.size), operation: operations })
  if (skipped > 0) toast({ text: text().notRestored(skipped), kind: 'bad' })
}
