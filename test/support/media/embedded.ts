import { crc32, deflateSync } from 'node:zlib'
import { tiffBytes } from './tiff.ts'

/** Returns EXIF that says when a picture was taken, or nothing but how it lies. */
export function exifOf(date: string | null): Buffer {
  if (date === null) return tiffBytes({ ifd0: [] })
  return tiffBytes({ ifd0: [], exif: [[0x9003, 2, date]] })
}

/** Returns XMP with a property of EXIF's schema, under a prefix of its own. */
export function xmpOf(name: string, value: string, prefix = 'exif'): Buffer {
  const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
  const property = `xmlns:${prefix}="http://ns.adobe.com/exif/1.0/" ${prefix}:${name}="${value}"`
  const about = `<rdf:RDF ${rdf}><rdf:Description rdf:about="" ${property}/></rdf:RDF>`
  return Buffer.from(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${about}</x:xmpmeta>`)
}

/** Returns a record of IPTC's second kind, as IIM 4.2 describes it. */
export function iptcRecord(number: number, text: string): Buffer {
  const head = Buffer.from([0x1c, 2, number, 0, 0])
  head.writeUInt16BE(text.length, 3)
  return Buffer.concat([head, Buffer.from(text, 'latin1')])
}

/** Returns a resource of Photoshop. */
export function resource(number: number, name: string, bytes: Buffer): Buffer {
  const head = Buffer.from([...Buffer.from('8BIM'), number >> 8, number & 255, name.length])
  const rest = Buffer.alloc(1 - (name.length % 2) + 4)
  rest.writeUInt32BE(bytes.length, rest.length - 4)
  const end = Buffer.alloc(bytes.length % 2)
  return Buffer.concat([head, Buffer.from(name), rest, bytes, end])
}

/** Returns a JPEG with segments behind its first two bytes, each of a marker and what is in it. */
export function jpegWith(
  plain: Buffer,
  segments: [marker: number, ...parts: (string | Buffer)[]][],
) {
  const made = segments.map(([marker, ...parts]) => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')))
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(body.length + 2, 2)
    return Buffer.concat([head, body])
  })
  return Buffer.concat([plain.subarray(0, 2), ...made, plain.subarray(2)])
}

/** Returns a chunk of a PNG. */
function pngChunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** Returns a PNG with chunks behind its head, or behind its pixels. */
export function pngWith(plain: Buffer, chunks: [name: string, body: Buffer][], isLate = false) {
  const at = isLate ? plain.length - 12 : 33
  const made = chunks.map(([name, body]) => pngChunk(name, body))
  return Buffer.concat([plain.subarray(0, at), ...made, plain.subarray(at)])
}

/** Returns the same text of a PNG in each of the ways in which it can be written. */
export function pngTexts(keyword: string, text: Buffer): [name: string, body: Buffer][] {
  const key = Buffer.from(`${keyword}\0`)
  const itxt = (isDeflated: number) => Buffer.from([isDeflated, 0, ...Buffer.from('en\0key\0')])
  return [
    ['tEXt', Buffer.concat([key, text])],
    ['zTXt', Buffer.concat([key, Buffer.of(0), deflateSync(text)])],
    ['iTXt', Buffer.concat([key, itxt(0), text])],
    ['iTXt', Buffer.concat([key, itxt(1), deflateSync(text)])],
  ]
}

/** Returns a profile as ImageMagick writes it into a text of a PNG. */
export function rawProfile(name: string, bytes: Buffer): Buffer {
  const lines = bytes.toString('hex').replaceAll(/(.{72})/g, '$1\n')
  return Buffer.from(`\n${name}\n${String(bytes.length).padStart(8)}\n${lines}\n`)
}

/** Returns a WebP with chunks behind its pixels. */
export function webpWith(plain: Buffer, chunks: [name: string, body: Buffer][]): Buffer {
  const made = chunks.map(([name, body]) => {
    const head = Buffer.from(`${name}\0\0\0\0`)
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
  })
  const whole = Buffer.concat([plain, ...made])
  whole.writeUInt32LE(whole.length - 8, 4)
  return whole
}

/** Returns a GIF with XMP before or behind its frames, with or without lengths between its parts. */
export function gifWith(plain: Buffer, xmp: Buffer, { hasLengths = false, isLate = false } = {}) {
  const table = (plain[10]! & 0x80) === 0 ? 0 : 3 * 2 ** ((plain[10]! & 7) + 1)
  const end = Buffer.from([1, ...Array.from({ length: 256 }, (_, n) => 255 - n), 0])
  const parts = Array.from({ length: Math.ceil(xmp.length / 255) }, (_, n) => {
    const part = xmp.subarray(n * 255, (n + 1) * 255)
    return Buffer.concat([Buffer.of(part.length), part])
  })
  const body = hasLengths ? [...parts, Buffer.of(0)] : [xmp, end]
  const extension = Buffer.concat([Buffer.from('!\xff\x0bXMP DataXMP', 'latin1'), ...body])
  const at = isLate ? plain.length - 1 : 13 + table
  return Buffer.concat([plain.subarray(0, at), extension, plain.subarray(at)])
}
