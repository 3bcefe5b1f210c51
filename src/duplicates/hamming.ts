// A 64-bit hash is stored as two halves, `hi` and `lo`, each a signed 32-bit integer: typed arrays of those are
// compact and fast, unlike integers of more than 53 bits.

/** Hashes; the halves of each are at the same index in both arrays. */
export interface Hashes {
  hi: Int32Array
  lo: Int32Array
}

/** Returns the halves of a hash that is given as a signed integer in decimal. */
export function splitHash(phash: string): { hi: number; lo: number } {
  const value = BigInt(phash)
  return { hi: Number(value >> 32n), lo: Number(BigInt.asIntN(32, value)) }
}

/** Returns the hash made of two halves, as a signed integer. */
export function joinHash(hi: number, lo: number): bigint {
  return (BigInt(hi) << 32n) | BigInt(lo >>> 0)
}
