import sharp, { type Exif } from 'sharp'

const EPOCH_1904 = Date.UTC(1904, 0, 1)

/** Returns a small JPEG with EXIF and properties of XMP, in another colour for each number. */
export async function jpegWith(
  { exif, xmp }: { exif?: Exif; xmp?: Record<string, string> },
  seed = 0,
): Promise<Buffer> {
  const background = { r: seed % 256, g: (seed * 7) % 256, b: 99 }
  let picture = sharp({ create: { width: 16, height: 12, channels: 3, background } })
  if (exif) picture = picture.withExif(exif)
  if (xmp) picture = picture.withXmp(xmpOf(xmp))
  return picture.jpeg().toBuffer()
}

function xmpOf(properties: Record<string, string>): string {
  const told = Object.entries(properties).map(([name, value]) => `${name}="${value}"`)
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" ${told.join(' ')}/></rdf:RDF></x:xmpmeta>`
}

/** Returns a JPEG whose EXIF has an entry without a type, its Make: version 3.0.0 read none of it. */
export async function jpegWithBadEntry(original: string, seed = 0): Promise<Buffer> {
  const exif = { IFD0: { Make: 'SONY' }, IFD2: { DateTimeOriginal: original } }
  const jpeg = await jpegWith({ exif }, seed)
  const tiff = jpeg.subarray(jpeg.indexOf('Exif\0\0') + 6)
  const directory = tiff.readUInt32LE(4)
  for (let n = 0; n < tiff.readUInt16LE(directory); n++) {
    const entry = directory + 2 + n * 12
    if (tiff.readUInt16LE(entry) === 0x10f) tiff.writeUInt16LE(0, entry + 2)
  }
  return jpeg
}

/** Returns the head of an MP4 that was made at a time in milliseconds. */
export function filmOf(created: number): Buffer {
  const body = Buffer.alloc(100)
  body.writeUInt32BE((created - EPOCH_1904) / 1000, 4)
  return Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0')), box('moov', box('mvhd', body))])
}

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}
