import { existsSync, readFileSync } from 'node:fs'
import type { Db } from '../../src/db/client.ts'
import type { Skip } from './test.ts'

const COUNTERS = '/proc/self/io'

/** Why this machine can't tell what a process reads; false where it can. */
export const lacksCounters: Skip = !existsSync(COUNTERS) && 'needs /proc/self/io'

/**
 * Resolves with what `work` resolves with, and with how many pages of the database were read for it, as the
 * kernel counted them: the connection keeps none in its memory meanwhile. What else the process reads counts, too,
 * so tests ask for less than a bound and leave it some pages.
 */
export async function pagesRead<Result>(
  db: Db,
  work: () => Result | Promise<Result>,
): Promise<{ result: Result; pages: number }> {
  const { cache_size } = db.get<{ cache_size: number }>('PRAGMA cache_size')!
  const { page_size } = db.get<{ page_size: number }>('PRAGMA page_size')!
  db.run('PRAGMA cache_size = 0')
  db.run('PRAGMA shrink_memory')
  try {
    const before = bytesRead()
    const result = await work()
    return { result, pages: (bytesRead() - before) / page_size }
  } finally {
    db.run(`PRAGMA cache_size = ${cache_size}`)
  }
}

/** Returns how many bytes this process has read from files so far. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(COUNTERS, 'utf8'))![1])
}
