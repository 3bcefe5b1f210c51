/** Returns how many bits are set in a 32-bit integer, or in two of them together. */
export function countBits(word: number, other = 0): number {
  const a = word - ((word >>> 1) & 0x55555555)
  const b = other - ((other >>> 1) & 0x55555555)
  // Each half byte counts up to 4 in either word, so their sum still fits in it.
  const fours =
    (a & 0x33333333) + ((a >>> 2) & 0x33333333) + (b & 0x33333333) + ((b >>> 2) & 0x33333333)
  const eights = (fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f)
  return Math.imul(eights, 0x01010101) >>> 24
}
