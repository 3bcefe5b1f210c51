import type { Answer, Schemas } from '../../../client/index.ts'
import { act } from '../base/api.ts'

/** What became of many files. */
interface Sum {
  changed: number
  skipped: number
  operations: number[]
}

/**
 * Sends files slice by slice and returns the sum of what was done. `onSlice` is told the ids of each
 * slice that is done. Throws an ApiError; what was done before it stays.
 */
export async function actOn(
  batches: AsyncIterable<string[]>,
  send: (file_ids: string[]) => Promise<Answer<Schemas['BulkResult']>>,
  onSlice: (ids: string[]) => void,
): Promise<Sum> {
  const sum: Sum = { changed: 0, skipped: 0, operations: [] }
  for await (const ids of batches) {
    const { data, operation } = await act(send(ids))
    sum.changed += data.changed
    sum.skipped += data.skipped
    if (operation !== null) sum.operations.push(operation)
    onSlice(ids)
  }
  return sum
}
