import { type NearRowsExports, nearRowsModule } from './near-rows-module.ts'

/** Rows of hashes that are compared with each other. */
interface NearRows {
  /** The two halves of each row's hash, in either order. */
  halves: Int32Array
  /**
   * Compares the rows from `from` to before `to`, at least one and at most BLOCK, with those later ones
   * that are from `first` to before `end`, just as many. Returns how many numbers of `found` hold the pairs.
   */
  compare(from: number, to: number, first: number, end: number): number
  /** The two rows of each pair of the last comparison, the smaller one first. */
  found: Int32Array
}

/** All pairs of two times so many rows have room. */
export const BLOCK = 1024

const HASH_BYTES = 8
const PAGE_BYTES = 65_536

/** Returns room for this many hashes, of which those are found that differ in no more bits than the threshold. */
export function createNearRows(count: number, threshold: number): NearRows {
  const out = count * HASH_BYTES
  const bytes = out + 2 * 4 * BLOCK ** 2
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) })
  const { exports } = new WebAssembly.Instance(nearRowsModule, { rows: { memory } })
  const { near } = exports as unknown as NearRowsExports
  const found = new Int32Array(memory.buffer, out)
  return {
    halves: new Int32Array(memory.buffer, 0, count * 2),
    found,
    compare(from, to, first, end) {
      const until = near(
        from * HASH_BYTES,
        to * HASH_BYTES,
        first * HASH_BYTES,
        end * HASH_BYTES,
        threshold,
        out,
      )
      const numbers = (until - out) / 4
      for (let at = 0; at < numbers; at++) found[at]! /= HASH_BYTES
      return numbers
    },
  }
}
