/** An entry of a directory, as it is stored. */
export interface Entry {
  /** As TIFF 6.0 numbers them. */
  type: number
  count: number
  bytes: Buffer
}

const POINTERS: Record<number, string> = { 34665: 'exif', 34853: 'gps' }
/** The bytes of one value by its type: of TIFF 6.0, its supplement 1 (13), BigTIFF and EXIF 3.0 (129). */
const SIZES: Record<number, number> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4 },
  ...{ 16: 8, 17: 8, 18: 8, 129: 1 },
}

/**
 * Returns the entries of a JPEG's EXIF whose values are in it, by directory and number;
 * of those that are there twice, the last one.
 */
export function storedEntries(jpeg: Buffer): Map<string, Entry> {
  const tiff = tiffOf(jpeg)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const entries = new Map<string, Entry>()
  const walk = (directory: string, start: number) => {
    if (start + 2 > tiff.length) return
    const end = Math.min(tiff.length, start + 2 + short(start) * 12)
    for (let at = start + 2; at + 12 <= end; at += 12) {
      const [tag, type, count] = [short(at), short(at + 2), long(at + 4)]
      const length = count * (SIZES[type] ?? 0)
      const from = length <= 4 ? at + 8 : long(at + 8)
      if (length === 0 || from + length > tiff.length) continue
      entries.set(`${directory} ${tag}`, { type, count, bytes: tiff.subarray(from, from + length) })
    }
  }
  walk('ifd0', long(4))
  for (const [tag, directory] of Object.entries(POINTERS)) {
    const pointer = entries.get(`ifd0 ${tag}`)
    if (!pointer || pointer.bytes.length < 2) continue
    const at = pointer.bytes.byteOffset - tiff.byteOffset
    walk(directory, pointer.type === 3 ? short(at) : long(at))
  }
  return entries
}

/** Returns the TIFF structure in the first APP1 segment of a JPEG that has one. */
function tiffOf(jpeg: Buffer): Buffer {
  for (let at = 2; jpeg[at] === 0xff; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const body = jpeg.subarray(at + 4, at + 2 + jpeg.readUInt16BE(at + 2))
    if (jpeg[at + 1] === 0xe1 && body.toString('latin1', 0, 6) === 'Exif\0\0') {
      return body.subarray(6)
    }
  }
  throw new Error('a picture without EXIF')
}
