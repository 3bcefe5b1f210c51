const DIGITS = '0123456789bcdefghjkmnpqrstuvwxyz'

/** Returns the geohash of a position in degrees, with so many characters. */
export function geohashOf(latitude: number, longitude: number, length: number): string {
  const ranges = [
    { value: longitude, low: -180, high: 180 },
    { value: latitude, low: -90, high: 90 },
  ]
  let hash = ''
  for (let bit = 0, digit = 0; hash.length < length; bit++) {
    const range = ranges[bit % 2]!
    const middle = (range.low + range.high) / 2
    const isAbove = range.value >= middle
    range[isAbove ? 'low' : 'high'] = middle
    digit = digit * 2 + Number(isAbove)
    if (bit % 5 < 4) continue
    hash += DIGITS[digit]
    digit = 0
  }
  return hash
}
