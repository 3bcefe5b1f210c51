import { perConnection } from '../../db/per-connection.ts'

/** Guessed shares of files that match the parts of a list that nothing counts. */
export const GUESS = {
  ...{ untagged: 0.1, mime: 0.3 },
  ...{ seen: 0.5, named: 0.05, inRange: 0.2, pooled: 0.1 },
}

/** The costs by which plans are chosen: plans differ in how files are found, never in which. */
export interface Costs {
  /** Microseconds to pass a row of an index, and of a source; and to look up and sort a file. */
  walked: number
  streamed: number
  sorted: number
  /** Microseconds to check a file for a right, a leaf of a filter and a pool, and to look up its row for more. */
  right: number
  leaf: number
  pool: number
  row: number
  /** Microseconds to check a file against a tree with too many leaves for a statement. */
  tree: number
  /** Microseconds that a statement may block the server, by estimate. */
  most: number
  /** The most rows that are passed along the index of a sort and along a source, whatever they cost. */
  mostWalked: number
  mostStreamed: number
  /** The most files of a source that are sorted. */
  mostSorted: number
  /** The largest share of all files that a reader sorts, which costs about as much as finding all that match. */
  shareSorted: number
  /** How many files are passed before the sources of a list are counted. */
  first: number
}

/** Returns the costs on a connection; only their ratios matter. */
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
