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

/** Returns what Samsung writes behind a picture: each part with its name and number, then where they are. */
export function samsungTrailer(...parts: [type: number, name: string, data: Buffer][]): Buffer {
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const blocks = parts.map(([type, name, data]) =>
    Buffer.concat([
      Buffer.of(0, 0, type & 255, type >> 8),
      u32(name.length),
      Buffer.from(name),
      data,
    ]),
  )
  const rows = blocks.map((block, n) => {
    const behind = blocks.slice(n).reduce((sum, { length }) => sum + length, 0)
    return Buffer.concat([block.subarray(0, 4), u32(behind), u32(block.length)])
  })
  const directory = Buffer.concat([Buffer.from('SEFH'), u32(107), u32(rows.length), ...rows])
  return Buffer.concat([...blocks, directory, u32(directory.length), Buffer.from('SEFT')])
}

type Fields = Record<string, string | number>

/**
 * Returns XMP as Google's cameras write it: properties of the camera, and the items of a container, whose fields are
 * attributes or, as some programs write them anew, elements.
 */
export function googleXmp(camera: Fields, items: Fields[] = [], isInElements = false): Buffer {
  const attributes = (prefix: string, fields: Fields) =>
    Object.entries(fields)
      .map(([name, value]) => ` ${prefix}:${name}="${value}"`)
      .join('')
  const elements = (fields: Fields) =>
    Object.entries(fields)
      .map(([name, value]) => `<i:${name}>${value}</i:${name}>`)
      .join('')
  const list = items.map((fields) =>
    isInElements
      ? `<rdf:li rdf:parseType="Resource"><c:Item rdf:parseType="Resource">${elements(fields)}</c:Item></rdf:li>`
      : `<rdf:li rdf:parseType="Resource"><c:Item${attributes('i', fields)}/></rdf:li>`,
  )
  const spaces = ['g="camera/', 'c="container/', 'i="container/item/']
    .map((space) => ` xmlns:${space.replace('"', '"http://ns.google.com/photos/1.0/')}"`)
    .join('')
  return Buffer.from(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
      `<rdf:Description rdf:about=""${spaces}${attributes('g', camera)}>` +
      `<c:Directory><rdf:Seq>${list.join('')}</rdf:Seq></c:Directory>` +
      '</rdf:Description></rdf:RDF></x:xmpmeta>',
  )
}
