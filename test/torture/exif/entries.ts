import { readExifBlock } from '../../../src/media/child/exif-block.ts'

/** An entry of a directory, as it is stored. */
export interface Entry {
  /** As TIFF 6.0 numbers them. */
  type: number
  count: number
  bytes: Buffer
}

const POINTERS: Record<number, string> = { 34665: 'exif', 34853: 'gps' }
/** The bytes of one value by its type. */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

/**
 * Returns those entries of a JPEG's EXIF that are kept before their values are read, by directory, as
 * exifr calls it, and number.
 */
export async function keptEntries(jpeg: Buffer): Promise<Map<string, Entry>> {
  const tiff = jpeg.subarray(jpeg.indexOf('Exif\0\0') + 6)
  const read = async (start: number, end: number) => tiff.subarray(start, end)
  const kept = await readExifBlock({ size: tiff.length, read })
  const entries = new Map<string, Entry>()
  if (kept === null) return entries
  const { block } = kept
  const isLittle = block.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? block.readUInt16LE(at) : block.readUInt16BE(at))
  const long = (at: number) => (isLittle ? block.readUInt32LE(at) : block.readUInt32BE(at))
  const walk = (directory: string, start: number) => {
    for (let at = start + 2; at < start + 2 + short(start) * 12; at += 12) {
      const [tag, type, count] = [short(at), short(at + 2), long(at + 4)]
      const length = count * SIZES[type]!
      const from = length <= 4 ? at + 8 : long(at + 8)
      entries.set(`${directory} ${tag}`, {
        type,
        count,
        bytes: block.subarray(from, from + length),
      })
      if (directory === 'ifd0' && tag in POINTERS) walk(POINTERS[tag]!, long(at + 8))
    }
  }
  walk('ifd0', long(4))
  return entries
}
