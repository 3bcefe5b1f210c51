import type { Hashes } from '../hamming.ts'

/** The library's hashes, in ascending order, with their files. */
export interface HashedFiles extends Hashes {
  /** Where the files of each hash begin in `rids`; one more entry is the end of the last. */
  starts: Int32Array
  rids: Float64Array
  /** The id of the newest entry of the audit log when they were read. */
  asOf: number
  /** How many late hashes there had been by then. */
  lateHashes: number
}

/**
 * Files that look the same: those of one first hash whose finer hash is equal or, in a crowd, near that of one of them;
 * plain pictures of equal contents; those that have no finer hash yet. Groups ascend by the place of their hash.
 */
export interface Groups {
  /** The place of each group's first hash. */
  places: Int32Array
  /** The file whose finer hash is that of the group. */
  files: Int32Array
  /** How many files are in each group. */
  sizes: Int32Array
  /** The group of each file, or -1. */
  of: Int32Array
  /** Where the groups of each place begin; one more entry is the end of the last. */
  starts: Int32Array
  /** How many groups of each place are compared with others, which are its first ones. */
  compared: Int32Array
  /** Pairs of groups that are near, though their first files may not be. */
  near: [a: number, b: number][]
  /** How many files are only in pairs of equal contents, since too many different ones share their hash. */
  leftOut: number
}

/** Pairs of groups, by the first group of each. */
export interface PairsByFirst {
  /** Where the pairs of each group begin in `seconds`; one more entry is the end of the last. */
  starts: Int32Array
  /** The second group of each pair, in ascending order for each first one. */
  seconds: Int32Array
}

/** What a rescan has found. */
export interface Found {
  /** The indexes of the files that were compared, in the order of their row numbers. */
  listed: Int32Array
  groups: Groups
  pairs: PairsByFirst
  /** Whether all undecided pairs were looked at once more; beyond a limit, they are left as they are. */
  isWhole: boolean
}
