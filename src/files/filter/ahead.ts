// What is read in one statement, for those who ask next, while nobody waits for it.

/** So many files are read at once: about 15 ms. */
export const MOST_AHEAD = 100_000
/** Milliseconds in which what has changed since it was read is not read ahead again: it goes on changing. */
const REST = 10_000

/** Returns whether what was last read at a time of `performance.now`, or never, may be read ahead. */
export function hasRested(readAt: number | undefined): boolean {
  return readAt === undefined || performance.now() - readAt >= REST
}
