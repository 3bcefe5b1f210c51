// A hash of 64 bits is held as two halves, `hi` and `lo`, each a signed 32-bit integer: typed arrays of
// those are compact and quick, which numbers beyond 53 bits are not.

/** Hashes, each at one place of both arrays. */
export interface Hashes {
  hi: Int32Array
  lo: Int32Array
}

/** Returns how many bits are set in two halves together: the distance, given what two hashes differ in. */
export function countBits(hi: number, lo: number): number {
  const a = hi - ((hi >>> 1) & 0x55555555)
  const b = lo - ((lo >>> 1) & 0x55555555)
  // Up to 4 in each half byte of both, so their sum still fits.
  const fours =
    (a & 0x33333333) + ((a >>> 2) & 0x33333333) + (b & 0x33333333) + ((b >>> 2) & 0x33333333)
  const eights = (fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f)
  return Math.imul(eights, 0x01010101) >>> 24
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
