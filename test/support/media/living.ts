import { box, motorolaTiffOf, tiffOf } from './iso-film.ts'
import { tiffBytes } from './tiff.ts'

/** What Apple writes into a picture and into its film. */
export const IDENTIFIER = '0B1C6F5E-4B7A-4B7B-9E0D-7A6B5C4D3E2F'
export const IDENTIFIER_KEY = 'com.apple.quicktime.content.identifier'
const MAKER_NOTE = 0x927c

/** Returns the TIFF of an EXIF whose maker's note is Apple's, with these entries. */
export function appleExif(entries: Parameters<typeof tiffOf>[0], isLittle = false): Buffer {
  const tiff = (isLittle ? tiffOf : motorolaTiffOf)(entries)
  // Its places count from the beginning of the note, six bytes before those of a TIFF that begins with the byte order.
  const directory = Buffer.from(tiff.subarray(8))
  const [read, write] = isLittle
    ? (['readUInt32LE', 'writeUInt32LE'] as const)
    : (['readUInt32BE', 'writeUInt32BE'] as const)
  for (let n = 0; n < Object.keys(entries).length; n++) {
    const at = 2 + n * 12 + 8
    directory[write](directory[read](at) + 6, at)
  }
  const head = Buffer.from(`Apple iOS\0\0\x01${isLittle ? 'II' : 'MM'}`, 'latin1')
  const note = Buffer.concat([head, directory])
  return tiffBytes({ ifd0: [[0x010f, 2, 'Apple']], exif: [[MAKER_NOTE, 7, [...note]]] })
}

/** Returns the box in which QuickTime names keys, with one value. */
export function keyBox(key: string, value: string, isFull: boolean): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(1, 4)
  const keys = Buffer.concat([head, box('mdta', Buffer.from(key))])
  const data = box('data', [Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]), Buffer.from(value)])
  const handler = Buffer.concat([Buffer.alloc(8), Buffer.from('mdta'), Buffer.alloc(13)])
  return box('meta', [
    Buffer.alloc(isFull ? 4 : 0),
    box('hdlr', handler),
    box('keys', keys),
    box('ilst', box('\0\0\0\x01', data)),
  ])
}
