import type { Hashes } from '../../../src/duplicates/hamming.ts'

/** Gives numbers from 0 to below n. */
export type Numbers = (n: number) => number

/** Returns the distinct hashes among 64-bit numbers in any form, ascending as signed integers. */
export function hashesOf(values: Iterable<bigint>): Hashes & { values: bigint[] } {
  const distinct = [...new Set([...values].map((value) => BigInt.asIntN(64, value)))]
  distinct.sort((a, b) => (a < b ? -1 : 1))
  return {
    values: distinct,
    hi: Int32Array.from(distinct, (value) => Number(value >> 32n)),
    lo: Int32Array.from(distinct, (value) => Number(BigInt.asIntN(32, value))),
  }
}

/** Returns the number of bits in which two hashes differ, counted one by one. */
export function slowDistance(a: bigint, b: bigint): number {
  return BigInt.asUintN(64, a ^ b)
    .toString(2)
    .replaceAll('0', '').length
}

/** Returns a random hash; `random` gives numbers from 0 to below n. */
export function randomHash(random: Numbers): bigint {
  let hash = 0n
  for (let part = 0; part < 4; part++) hash = (hash << 16n) | BigInt(random(2 ** 16))
  return hash
}

/** Returns the hash with at most that many bits flipped. */
export function near(hash: bigint, bits: number, random: Numbers): bigint {
  let result = hash
  for (let count = random(bits + 1); count > 0; count--) result ^= 1n << BigInt(random(64))
  return result
}
