/** What a RAW of a family is made around: JPEGs, from the largest to the smallest. */
export interface RawPictures {
  large: Buffer
  small: Buffer
  /** The lossless JPEG of the raw itself. */
  raw: Buffer
  /** As TIFF 6.0 numbers it. */
  orientation?: number
  isLittle?: boolean
  xmp?: string
}

/** Bytes stand for their place; directories for theirs. */
type Value = string | number[] | Buffer | Directory[] | { inPlace: Buffer }
type Entry = [tag: number, type: number, value: Value]
type Directory = Entry[]

const [BYTE, TEXT, SHORT, LONG, BYTES] = [1, 2, 3, 4, 7]
const SIZES: Record<number, number> = {
  [BYTE]: 1,
  [TEXT]: 1,
  [SHORT]: 2,
  [LONG]: 4,
  [BYTES]: 1,
  13: 4,
}
const [CFA, RGB, YCBCR] = [32803, 2, 6]
const RATIONAL = 5

/** Writes directories one behind the other, each before what it points at. */
function structure(start: Buffer, isLittle: boolean, chain: Directory[], base = 0): Buffer {
  let out = start
  const number = (value: number, size: number) => {
    const bytes = Buffer.alloc(size)
    if (isLittle) bytes.writeUIntLE(value, 0, size)
    else bytes.writeUIntBE(value, 0, size)
    return bytes
  }
  const put = (bytes: Buffer) => {
    const at = out.length
    out = Buffer.concat([out, bytes, Buffer.alloc(bytes.length % 2)])
    return at - base
  }
  const putDirectory = (entries: Directory): number => {
    const sorted = entries.toSorted((a, b) => a[0] - b[0])
    const at = put(Buffer.alloc(2 + 12 * sorted.length + 4))
    number(sorted.length, 2).copy(out, base + at)
    for (const [n, [tag, type, value]] of sorted.entries()) {
      const bytes = bytesOf(type, value)
      const count = bytes.length / (SIZES[type] ?? 8)
      const place = bytes.length > 4 ? number(put(bytes), 4) : bytes
      const row = Buffer.concat([number(tag, 2), number(type, 2), number(count, 4), place])
      row.copy(out, base + at + 2 + 12 * n)
    }
    return at
  }
  const bytesOf = (type: number, value: Value): Buffer => {
    if (typeof value === 'string') return Buffer.from(`${value}\0`)
    if (Buffer.isBuffer(value)) return number(put(value), 4)
    if ('inPlace' in value) return value.inPlace
    const size = type === RATIONAL ? 4 : SIZES[type]!
    return Buffer.concat(
      value.map((one) => number(typeof one === 'number' ? one : putDirectory(one), size)),
    )
  }
  let link: number | null = null
  for (const entries of chain) {
    const at = putDirectory(entries)
    if (link !== null) number(at, 4).copy(out, link)
    link = base + at + 2 + 12 * entries.length
  }
  return out
}

/** Returns a TIFF whose first directory follows its head. */
function tiff(isLittle: boolean, version: string, chain: Directory[], mark = ''): Buffer {
  const head = Buffer.alloc(8 + mark.length)
  head.write(`${isLittle ? 'II' : 'MM'}${version}`, 'latin1')
  head[isLittle ? 'writeUInt32LE' : 'writeUInt32BE'](head.length, 4)
  head.write(mark, 8, 'latin1')
  return structure(head, isLittle, chain)
}

const exifOf = (more: Directory = []): Entry => [
  0x8769,
  LONG,
  [[[0x9003, TEXT, '2021:03:04 05:06:07'], ...more]],
]
const GPS: Entry = [
  0x8825,
  LONG,
  [
    [
      [1, TEXT, 'N'],
      [2, RATIONAL, [48, 1, 30, 1, 0, 1]],
      [3, TEXT, 'E'],
      [4, RATIONAL, [16, 1, 15, 1, 0, 1]],
    ],
  ],
]
const toldBy = (
  make: string,
  { orientation = 1, xmp }: Pick<RawPictures, 'orientation' | 'xmp'>,
  more: Directory = [],
): Directory => [
  ...(xmp === undefined ? [] : [[0x2bc, BYTE, { inPlace: Buffer.from(xmp) }] satisfies Entry]),
  [0x10f, TEXT, make],
  [0x110, TEXT, 'Model'],
  [0x112, SHORT, [orientation]],
  exifOf(more),
  GPS,
]
const strip = (compression: number, photometric: number, jpeg: Buffer): Directory => [
  [0x103, SHORT, [compression]],
  [0x106, SHORT, [photometric]],
  [0x111, LONG, jpeg],
  [0x117, LONG, [jpeg.length]],
]
const linked = (jpeg: Buffer): Directory => [
  [0x103, SHORT, [6]],
  [0x201, LONG, jpeg],
  [0x202, LONG, [jpeg.length]],
]
const pixels: Directory = strip(1, RGB, Buffer.alloc(192, 120))
const kind = (subfile: number): Entry => [0xfe, LONG, [subfile]]

function box(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, body])
}

const words = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, 4 * n)
  return bytes
}

/** Returns the boxes of a CR3: EXIF in structures of its own, a preview, and two tracks of one sample each. */
function cr3({ large, small, raw, ...told }: RawPictures): Buffer {
  const block = (entries: Directory) => tiff(true, '*\0', [entries])
  const { xmp = '', ...others } = told
  const entries = toldBy('Canon', others)
  const directory = (at: number) => (entries[at]![2] as Directory[])[0]!
  const canon = box(
    'uuid',
    Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex'),
    box('CMT1', block(entries.slice(0, 3))),
    box('CMT2', block(directory(3))),
    box('CMT4', block(directory(4))),
  )
  const xmpBox = box(
    'uuid',
    Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'),
    Buffer.from(xmp),
  )
  const preview = box(
    'uuid',
    Buffer.from('eaf42b5e1c984b88b9fbb7dc406e4d16', 'hex'),
    words(0, 1),
    box('PRVW', words(0, 0x10008, 0x80001, small.length), small),
  )
  const samples = [large, raw]
  const moovOf = (start: number) => {
    const tracks = samples.map((sample, n) => {
      const place = start + (n === 0 ? 0 : large.length)
      const table = box(
        'stbl',
        box(
          'stsd',
          words(0, 1),
          box('CRAW', Buffer.alloc(82), n === 0 ? box('JPEG', words(0)) : box('CMP1')),
        ),
        box('stsc', words(0, 1, 1, 1, 1)),
        box('stsz', words(0, 0, 1, sample.length)),
        box('co64', words(0, 1, 0, place)),
      )
      const handler = box('hdlr', words(0, 0), Buffer.from('vide'), Buffer.alloc(13))
      return box('trak', box('mdia', handler, box('minf', table)))
    })
    return box('moov', canon, ...tracks)
  }
  const before = (start: number) =>
    Buffer.concat([
      box('ftyp', Buffer.from('crx \0\0\0\x01crx isom')),
      moovOf(start),
      xmpBox,
      preview,
    ])
  const start = before(0).length + 8
  return Buffer.concat([before(start), box('mdat', ...samples)])
}

function raf({ large }: RawPictures): Buffer {
  const head = Buffer.alloc(160)
  head.write('FUJIFILMCCD-RAW 0201FF383501FinePix S5Pro', 'latin1')
  head.write('0100', 60, 'latin1')
  words(head.length, large.length, head.length + large.length, 8).copy(head, 84)
  return Buffer.concat([head, large, Buffer.alloc(8)])
}

/** The note of Olympus' cameras: places count from where it begins. */
function olympusNote(preview: Buffer): Buffer {
  const settings: Directory = [
    [0x100, LONG, [1]],
    [0x101, LONG, preview],
    [0x102, LONG, [preview.length]],
  ]
  return structure(Buffer.from('OLYMPUS\0II\x03\0', 'latin1'), true, [[[0x2020, 13, [settings]]]])
}

/** Returns a RAW of each family as its cameras lay it out, by the MIME type that it has. */
export const RAWS: Record<string, (pictures: RawPictures) => Buffer> = {
  'image/x-adobe-dng': ({ large, small, raw, isLittle = true, ...told }) =>
    tiff(isLittle, isLittle ? '*\0' : '\0*', [
      [
        ...toldBy('Maker', told),
        kind(1),
        ...pixels,
        [0xc612, BYTE, [1, 4, 0, 0]],
        [
          0x14a,
          LONG,
          [
            [kind(0), ...strip(7, CFA, raw)],
            [kind(1), ...strip(7, YCBCR, small)],
            [kind(1), ...strip(7, YCBCR, large)],
          ],
        ],
      ],
    ]),
  'image/x-canon-cr2': ({ large, small, raw, ...told }) =>
    tiff(
      true,
      '*\0',
      [
        [...toldBy('Canon', told), ...strip(6, YCBCR, large)],
        linked(small),
        pixels,
        strip(6, CFA, raw),
      ],
      'CR\x02\0\0\0\0\0',
    ),
  'image/x-canon-cr3': cr3,
  'image/x-nikon-nef': ({ large, small, raw, isLittle = false, ...told }) =>
    tiff(isLittle, isLittle ? '*\0' : '\0*', [
      [
        ...toldBy('NIKON CORPORATION', told),
        kind(1),
        ...pixels,
        [
          0x14a,
          LONG,
          [[kind(1), ...linked(large)], [kind(0), ...strip(34713, CFA, raw)], linked(small)],
        ],
      ],
    ]),
  'image/x-sony-arw': ({ large, small, raw, ...told }) =>
    tiff(true, '*\0', [
      [
        ...toldBy('SONY', told),
        kind(1),
        ...linked(large),
        [0x14a, LONG, [[kind(0), ...strip(32767, CFA, raw)]]],
      ],
      linked(small),
    ]),
  'image/x-olympus-orf': ({ large, raw, ...told }) =>
    tiff(true, 'RO', [
      [
        ...toldBy('OLYMPUS CORPORATION', told, [[0x927c, BYTES, { inPlace: olympusNote(large) }]]),
        ...strip(1, CFA, raw),
      ],
    ]),
  'image/x-fuji-raf': raf,
  'image/x-panasonic-rw2': ({ large, raw, ...told }) =>
    tiff(true, 'U\0', [
      [
        [1, BYTES, { inPlace: Buffer.from('0310') }],
        ...toldBy('Panasonic', told),
        [0x2e, BYTES, { inPlace: large }],
        [0x118, LONG, raw],
      ],
    ]),
  'image/x-pentax-pef': ({ large, small, raw, ...told }) =>
    tiff(false, '\0*', [
      [...toldBy('PENTAX', told), ...strip(65535, CFA, raw)],
      linked(small),
      linked(large),
    ]),
}

/** Returns a JPEG as the lossless one that some cameras store their raw as: it can't be decoded. */
export function losslessOf(jpeg: Buffer): Buffer {
  const bytes = Buffer.from(jpeg)
  bytes[bytes.indexOf(Buffer.of(0xff, 0xc0)) + 1] = 0xc3
  return bytes
}
