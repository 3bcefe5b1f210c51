import { perConnection } from '../../db/per-connection.ts'

/** The share of files that match what nothing counts, by guess: a part of a filter, or what else is asked. */
export const GUESS = {
  ...{ untagged: 0.1, mime: 0.3, review: 0.5 },
  ...{ seen: 0.5, named: 0.05, inRange: 0.2, pooled: 0.1 },
}

/** What plans are chosen by: they differ in how files are found, never in which. */
export interface Costs {
  /** Microseconds to pass a row of an index, and of a source; and to look up and sort a file. */
  walked: number
  streamed: number
  sorted: number
  /** Microseconds to ask a file for a right, a leaf of a filter and a pool, and to look up its row for more. */
  right: number
  leaf: number
  pool: number
  row: number
  /** Microseconds to ask a file for a tree of too many leaves for a statement. */
  tree: number
  /** Microseconds that a statement may hold everybody, by estimate. */
  most: number
  /** The most rows that are passed along the index of a sort and along a source, whatever they cost. */
  mostWalked: number
  mostStreamed: number
  /** Up to so many files of a source are sorted. */
  mostSorted: number
  /** Up to such a share of all files is sorted by a reader, for what finding all that match takes. */
  shareSorted: number
  /** So many files are passed before it is counted from what else a list could be found. */
  first: number
}

/** Returns the costs on a connection, measured with a million files; only their ratios matter. */
export const costsOf = perConnection(
  (): Costs => ({
    walked: 0.25,
    streamed: 0.6,
    sorted: 1.4,
    right: 0.4,
    leaf: 0.6,
    pool: 0.5,
    row: 1,
    tree: 3,
    most: 6000,
    mostWalked: 16_000,
    mostStreamed: 4000,
    mostSorted: 2500,
    shareSorted: 0.03,
    first: 500,
  }),
)
