import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'

/** How a phone writes a picture. */
export interface PhoneHeic {
  width: number
  height: number
  /** Of the tiles that it is cut into; the last ones reach beyond it. */
  tile: number
  /** Of a sample. */
  bits: 8 | 10
  /** As sharp returns it: the six bytes of its name, and a TIFF. */
  exif: Buffer
  /** Quarter turns against the clock by which it is shown. */
  turns?: 0 | 1 | 2 | 3
  /** The longer side of the thumbnail that is in it. */
  thumbnail?: number
  /** Code points of its primaries and its transfer, by default those of sRGB. */
  colours?: [primaries: number, transfer: number]
  xmp?: Buffer
}

/**
 * Writes a picture, of any format that ffmpeg reads, as phones write theirs: a grid of tiles of HEVC with
 * an EXIF item and a thumbnail. It needs an ffmpeg with libx265.
 */
export async function writePhoneHeic(path: string, source: string, how: PhoneHeic): Promise<void> {
  const {
    width,
    height,
    tile,
    bits,
    exif,
    turns = 0,
    thumbnail = 320,
    colours = [1, 13],
    xmp,
  } = how
  const [columns, rows] = [Math.ceil(width / tile), Math.ceil(height / tile)]
  const whole = `scale=${width}:${height}:out_range=full,pad=${columns * tile}:${rows * tile}`
  const tiles = encode(source, `${whole},untile=${columns}x${rows}`, bits)
  const small = encode(source, `scale=${thumbnail}:-2:out_range=full`, bits)
  const count = tiles.pictures.length
  const [gridId, smallId, exifId] = [count + 1, count + 2, count + 3]
  const tileIds = tiles.pictures.map((_, n) => n + 1)
  const items: Item[] = [
    ...tiles.pictures.map((bytes, n) => ({ id: n + 1, type: 'hvc1', bytes, isHidden: true })),
    {
      id: gridId,
      type: 'grid',
      bytes: Buffer.concat([Buffer.of(0, 1, rows - 1, columns - 1), u32(width, height)]),
    },
    { id: smallId, type: 'hvc1', bytes: small.pictures[0]! },
    { id: exifId, type: 'Exif', bytes: Buffer.concat([u32(6), exif]), isHidden: true },
    ...(xmp ? [{ id: exifId + 1, type: XMP, bytes: xmp, isHidden: true }] : []),
  ]
  const properties = [
    tiles.configuration,
    full('ispe', 0, u32(tile, tile)),
    full('ispe', 0, u32(width, height)),
    full('pixi', 0, Buffer.of(3, bits, bits, bits)),
    box('irot', Buffer.of(turns)),
    small.configuration,
    full('ispe', 0, u32(thumbnail, Math.round((thumbnail * height) / width))),
    // Of YCbCr all values are used.
    box('colr', Buffer.from('nclx'), u16(...colours, 6), Buffer.of(0x80)),
  ]
  const has: [id: number, properties: number[]][] = [
    ...tileIds.map((id): [number, number[]] => [id, [1, 2, 8]]),
    [gridId, [3, 4, 5, 8]],
    [smallId, [6, 7, 5, 8]],
  ]
  const meta = (start: number) =>
    full(
      'meta',
      0,
      full('hdlr', 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      full('pitm', 0, u16(gridId)),
      full('iinf', 0, u16(items.length), ...items.map(entryOf)),
      full(
        'iref',
        0,
        box('dimg', u16(gridId, count, ...tileIds)),
        box('thmb', u16(smallId, 1, gridId)),
        box('cdsc', u16(exifId, 1, gridId)),
        ...(xmp ? [box('cdsc', u16(exifId + 1, 1, gridId))] : []),
      ),
      box('iprp', box('ipco', ...properties), associations(has)),
      locations(items, start),
    )
  const brands = Buffer.from(
    `${bits === 8 ? 'heic' : 'heix'}\0\0\0\0mif1heic${bits === 8 ? '' : 'heix'}`,
  )
  const ftyp = box('ftyp', brands)
  const start = ftyp.length + meta(0).length + 8
  const mdat = box('mdat', ...items.map(({ bytes }) => bytes))
  await writeFile(path, Buffer.concat([ftyp, meta(start), mdat]))
}

// A type, no name, and what is in it.
const XMP = 'mime\0application/rdf+xml'

interface Item {
  id: number
  type: string
  bytes: Buffer
  isHidden?: boolean
}

function entryOf({ id, type, isHidden }: Item): Buffer {
  return box('infe', u32((2 << 24) | (isHidden ? 1 : 0)), u16(id, 0), Buffer.from(`${type}\0`))
}

/** Returns where each item is; the first one begins at `start`. */
function locations(items: Item[], start: number): Buffer {
  let at = start
  const places = items.map(({ id, bytes }) => {
    const place = Buffer.concat([u16(id, 0, 1), u32(at, bytes.length)])
    at += bytes.length
    return place
  })
  return full('iloc', 0, u16(0x4400, items.length), ...places)
}

function associations(has: [id: number, properties: number[]][]): Buffer {
  const entries = has.map(([id, its]) =>
    Buffer.concat([u16(id), Buffer.of(its.length, ...its.map((index) => 0x80 | index))]),
  )
  return full('ipma', 0, u32(has.length), ...entries)
}

const [VPS, SPS, PPS] = [32, 33, 34]

/** Returns what ffmpeg makes of a picture, each frame for itself, and how it is to be decoded. */
function encode(
  source: string,
  filter: string,
  bits: 8 | 10,
): { pictures: Buffer[]; configuration: Buffer } {
  const format = bits === 8 ? 'yuvj420p' : 'yuv420p10le'
  const x265 = 'crf=12:keyint=1:min-keyint=1:repeat-headers=1:info=0:range=full:log-level=error'
  const output = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', x265, '-f', 'hevc']
  const args = [
    '-v',
    'error',
    '-i',
    source,
    '-vf',
    `${filter},format=${format}`,
    ...output,
    'pipe:1',
  ]
  const stream = execFileSync('ffmpeg', args, {
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const units = unitsOf(stream)
  const first = (type: number) => units.find((unit) => typeOf(unit) === type)!
  const slices = units.filter((unit) => typeOf(unit) < VPS)
  const configuration = configurationOf([first(VPS), first(SPS), first(PPS)], bits)
  return { pictures: slices.map((unit) => Buffer.concat([u32(unit.length), unit])), configuration }
}

function typeOf(unit: Buffer): number {
  return (unit[0]! >> 1) & 63
}

/** Returns the units of a stream, between which there are start codes. */
function unitsOf(stream: Buffer): Buffer[] {
  const code = Buffer.of(0, 0, 1)
  const units: Buffer[] = []
  for (let at = stream.indexOf(code); at >= 0; ) {
    const next = stream.indexOf(code, at + 3)
    let end = next < 0 ? stream.length : next
    while (stream[end - 1] === 0) end--
    units.push(stream.subarray(at + 3, end))
    at = next
  }
  return units
}

function configurationOf(sets: Buffer[], bits: number): Buffer {
  // Where two zeros are followed by a third byte of at most 3, a 3 stands before that.
  const sps = Buffer.from(sets[1]!.toString('hex').replace(/((?:..)*?)000003/g, '$10000'), 'hex')
  const profile = sps.subarray(3, 15)
  const depth = 0xf8 | (bits - 8)
  const arrays = sets.map((unit) =>
    Buffer.concat([Buffer.of(0x80 | typeOf(unit)), u16(1, unit.length), unit]),
  )
  const fixed = Buffer.of(0xf0, 0, 0xfc, 0xfd, depth, depth, 0, 0, 0x0f, sets.length)
  return box('hvcC', Buffer.of(1), profile, fixed, ...arrays)
}

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * n)
  return bytes
}

function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [n, value] of values.entries()) bytes.writeUInt16BE(value, 2 * n)
  return bytes
}

function box(type: string, ...contents: Uint8Array[]): Buffer {
  const bytes = Buffer.concat(contents)
  return Buffer.concat([u32(8 + bytes.length), Buffer.from(type, 'latin1'), bytes])
}

function full(type: string, flags: number, ...contents: Uint8Array[]): Buffer {
  return box(type, u32(flags), ...contents)
}
