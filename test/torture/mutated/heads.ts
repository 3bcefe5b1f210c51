import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  gifWith,
  iptcRecord,
  jpegWith,
  pngTexts,
  pngWith,
  rawProfile,
  resource,
  webpWith,
  xmpOf,
} from '../../support/media/embedded.ts'
import {
  box,
  dated,
  motorolaTiffOf,
  nikonEntry,
  tiffOf,
  withMore,
} from '../../support/media/iso-film.ts'
import { appleExif, IDENTIFIER, IDENTIFIER_KEY, keyBox } from '../../support/media/living.ts'
import type { Original } from './originals.ts'

const TIME = '2025:03:29 20:14:32'
const CLOCK = Date.UTC(2025, 2, 29, 20, 14, 32)
const CAMERA = { 271: 'Canon', 272: 'Model' }
const TAKEN = { 36867: TIME, 36881: '-03:30' }
const SOURCE = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:d=0.3:r=10']
const TEXT = Buffer.from(`${TIME}\0`)

/** Returns films whose containers say much, made in a folder. */
export function filmHeads(folder: string): Original[] {
  const film = (name: string, ...options: string[]) => {
    const path = join(folder, name)
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...SOURCE, ...options, path], { stdio: 'ignore' })
    return readFileSync(path)
  }
  const tags = (...told: string[]) => told.flatMap((tag) => ['-metadata', tag])
  const plain = dated(film('plain.mov', '-c:v', 'mpeg4'), CLOCK)
  const apple = tags(
    'com.apple.quicktime.creationdate=2025-03-29T20:14:32+0100',
    'com.apple.quicktime.make=Apple',
    'com.apple.quicktime.location.ISO6709=+27.5916+086.5640+8850/',
  )
  const movs = {
    'apple.mov': film('apple.mov', '-c:v', 'mpeg4', ...apple, '-movflags', 'use_metadata_tags'),
    ...Object.fromEntries(boxesOfMakers().map((more, n) => [n, withMore(plain, more)])),
    sony: Buffer.concat([plain, sony()]),
  }
  const others: Original[] = [
    { mime_type: 'video/x-msvideo', bytes: avi() },
    { mime_type: 'video/mp2t', bytes: film('camcorder.mts', ...camcorder()) },
    {
      mime_type: 'video/x-matroska',
      bytes: film('dated.mkv', '-c:v', 'mpeg4', ...tags(`DATE_RECORDED=${TIME}`)),
    },
  ]
  const named = Object.values(movs).map((bytes) => ({ mime_type: 'video/quicktime', bytes }))
  return [...named, ...others].map((original) => ({ ...original, isHead: true }))
}

/** What the makers of cameras put into `moov`. */
function boxesOfMakers(): Buffer[] {
  const canon = Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex')
  const notes = tiffOf(
    { ...CAMERA, 34665: 'next' },
    { 36867: TIME, 37500: 'notes' },
    {
      53: [16, 540, 6, 0],
    },
  )
  const lumix = motorolaTiffOf({ 271: 'Panasonic', 34665: 'next' }, TAKEN)
  const small = (tiff: Buffer) =>
    jpegWith(Buffer.from('ffd8ffd9', 'hex'), [[0xe1, 'Exif\0\0', tiff]])
  const keys = (isFull: boolean) => keyBox(IDENTIFIER_KEY, IDENTIFIER, isFull)
  const loci = Buffer.alloc(32)
  loci.write('name', 6)
  const nikon = [nikonEntry(1, 2, 6, Buffer.from('NIKON\0')), nikonEntry(0x12, 2, 20, TEXT)]
  return [
    keys(false),
    box('udta', keys(true)),
    box('udta', box('NCDT', box('NCTG', [...nikon, nikonEntry(0x19, 8, 1, Buffer.of(1, 224))]))),
    box('uuid', [
      canon,
      box('CMT1', tiffOf(CAMERA)),
      box('CMT2', tiffOf(TAKEN)),
      box('CMT3', tiffOf({ 53: [16, 120, 28, 60] })),
    ]),
    box('udta', box('CNTH', box('CNDA', small(notes)))),
    box('udta', box('PANA', [Buffer.alloc(0x400), small(lumix)])),
    box('udta', [
      box('loci', loci),
      box('©xyz', [Buffer.of(0, 18, 21, 199), Buffer.from('+27.5916+086.5640/')]),
    ]),
  ]
}

function sony(): Buffer {
  const text =
    '<?xml version="1.0"?><NonRealTimeMeta><CreationDate value="2025-03-29T20:14:32+01:00"/>' +
    '<Device manufacturer="Sony" modelName="Model"/></NonRealTimeMeta>'
  const kind = Buffer.concat([Buffer.alloc(8), Buffer.from('nrtm'), Buffer.alloc(13)])
  const xml = box('xml ', [Buffer.alloc(4), Buffer.from(text)])
  return box('meta', [Buffer.alloc(4), box('hdlr', kind), xml])
}

function avi(): Buffer {
  const chunk = (name: string, ...content: Buffer[]) => {
    const body = Buffer.concat(content)
    const head = Buffer.from(`${name}\0\0\0\0`)
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body, Buffer.alloc(body.length & 1)])
  }
  const list = (name: string, ...content: Buffer[]) => chunk('LIST', Buffer.from(name), ...content)
  const hidden = chunk('strd', Buffer.from('CASI'), chunk('IDIT', TEXT))
  const stream = list('strl', chunk('strh', Buffer.alloc(56)), hidden)
  const head = list('hdrl', chunk('avih', Buffer.alloc(56)), stream, chunk('IDIT', TEXT))
  return chunk('RIFF', Buffer.from('AVI '), head, list('INFO', chunk('ICRD', TEXT)))
}

/** A film with the packs of a camcorder's date and time. */
function camcorder(): string[] {
  const packs = '\x02\x18\x02\x20\x11\x07\x19\x03\x01\x01\x09'
  const data = `17ee8c60-f84d-11d9-8cd6-0800200c9a66+MDPM${packs}`
  const card = ['-f', 'mpegts', '-mpegts_m2ts_mode', '1']
  return ['-c:v', 'libx264', '-bsf:v', `h264_metadata=sei_user_data=${data}`, ...card]
}

/** Returns pictures around which programs have put much that they say. */
export function tellingPictures(
  plain: Record<'jpeg' | 'png' | 'webp' | 'gif', Buffer>,
): Original[] {
  const tiff = motorolaTiffOf({ ...CAMERA, 34665: 'next' }, TAKEN)
  const xmp = xmpOf('DateTimeOriginal', '2025-03-29T20:14:32')
  const iptc = Buffer.concat([iptcRecord(55, '20250329'), iptcRecord(60, '201432+0100')])
  const photoshop = Buffer.concat([resource(0x0404, '', iptc), resource(0x0422, '', tiff)])
  const jpeg = jpegWith(plain.jpeg, [
    [0xe1, 'Exif\0\0', tiff],
    [0xe1, 'http://ns.adobe.com/xap/1.0/\0', xmp],
    [0xed, 'Photoshop 3.0\0', photoshop],
  ])
  const texts = [
    ...pngTexts('XML:com.adobe.xmp', xmp),
    ...pngTexts('Raw profile type iptc', rawProfile('iptc', photoshop)),
    ...pngTexts('Creation Time', TEXT.subarray(0, -1)),
  ]
  const apple = appleExif({ 17: IDENTIFIER })
  const chunks: [string, Buffer][] = [
    ['EXIF', tiff],
    ['XMP ', xmp],
  ]
  return [
    { mime_type: 'image/jpeg', bytes: jpeg },
    { mime_type: 'image/jpeg', bytes: jpegWith(plain.jpeg, [[0xe1, 'Exif\0\0', apple]]) },
    { mime_type: 'image/jpeg', bytes: samsung(plain.jpeg) },
    { mime_type: 'image/jpeg', bytes: pixel(plain.jpeg) },
    { mime_type: 'image/png', bytes: pngWith(plain.png, [...texts, ['eXIf', tiff]]) },
    { mime_type: 'image/webp', bytes: webpWith(plain.webp, chunks) },
    { mime_type: 'image/gif', bytes: gifWith(plain.gif, xmp) },
  ]
}

/** A few bytes that begin as a film does. */
const FILM = Buffer.concat([
  box('ftyp', Buffer.from('mp42\0\0\0\0')),
  box('mdat', Buffer.alloc(64)),
])

/** Returns a picture with a film behind it, where a list at the end says so. */
function samsung(jpeg: Buffer): Buffer {
  const name = 'MotionPhoto_Data'
  const part = Buffer.concat([
    Buffer.from([0, 0, 0x30, 0x0a, name.length, 0, 0, 0]),
    Buffer.from(name),
    FILM,
  ])
  const list = Buffer.alloc(32)
  list.write('SEFH')
  list.writeUInt32LE(106, 4)
  list.writeUInt32LE(1, 8)
  part.copy(list, 12, 0, 4)
  list.writeUInt32LE(part.length, 16)
  list.writeUInt32LE(part.length, 20)
  list.writeUInt32LE(24, 24)
  list.write('SEFT', 28)
  return Buffer.concat([jpeg, part, list])
}

/** Returns a picture with a film behind it, where its XMP says so. */
function pixel(jpeg: Buffer): Buffer {
  const camera = 'http://ns.google.com/photos/1.0/camera/'
  const told = `GCamera:MicroVideo="1" GCamera:MicroVideoOffset="${FILM.length}" GCamera:MotionPhoto="1"`
  const about = `<rdf:Description rdf:about="" xmlns:GCamera="${camera}" ${told}/>`
  const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${rdf}>${about}</rdf:RDF></x:xmpmeta>`
  const head = 'http://ns.adobe.com/xap/1.0/\0'
  return Buffer.concat([jpegWith(jpeg, [[0xe1, head, xmp]]), FILM])
}
