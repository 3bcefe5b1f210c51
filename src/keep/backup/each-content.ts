import type { Db } from '../../db/client.ts'
import type { ManifestLine } from './manifest.ts'
import { contentsOf } from './queries.ts'

// More than one, because each waits for the disk.
const AT_ONCE = 4

/**
 * Calls `bring` with each content that a database names, a few at once, and reports how many of `total` are done.
 * Resolves when all are done. Throws the first error, or the signal's reason, once no call is under way any more.
 */
export async function forEachContent(
  db: Db,
  {
    total,
    signal,
    onProgress,
  }: {
    total: number
    signal: AbortSignal
    onProgress: (done: number, total: number) => void
  },
  bring: (line: ManifestLine) => Promise<void>,
): Promise<void> {
  const lines = contentsOf(db)
  let done = 0
  const work = async () => {
    // All workers share one generator, which the loop closes when one of them throws, so that the others start nothing
    // more.
    for (const line of lines) {
      signal.throwIfAborted()
      await bring(line)
      onProgress(++done, total)
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  if (done !== total) throw new Error('The database does not list all contents')
}
