// A hash of 64 bits is held as two halves, `hi` and `lo`, each a signed 32-bit integer: typed arrays of
// those are compact and quick, which numbers beyond 53 bits are not.

/** Hashes, each at one place of both arrays. */
export interface Hashes {
  hi: Int32Array
  lo: Int32Array
}

/** Returns the halves of a hash given as a signed integer in decimal. */
export function splitHash(phash: string): { hi: number; lo: number } {
  const value = BigInt(phash)
  return { hi: Number(value >> 32n), lo: Number(BigInt.asIntN(32, value)) }
}

/** Returns the hash of two halves as a signed integer in decimal. */
export function joinHash(hi: number, lo: number): string {
  return String((BigInt(hi) << 32n) | BigInt(lo >>> 0))
}
