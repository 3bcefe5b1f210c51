import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import sharp from 'sharp'
import { blanked, type Edit } from '../../../../src/media/blanked.ts'
import { openBlanked } from '../../../../src/media/blanked-contents.ts'
import { inMemory, withBoundedFile } from '../../../../src/media/bounded-file.ts'
import { findPrivate, findPrivateIn } from '../../../../src/media/child/blank/find.ts'
import { decodeHeic } from '../../../../src/media/child/heic.ts'
import { openContents } from '../../../../src/media/contents.ts'
import { dataFolder } from '../../../../src/media/data-folder.ts'
import { type Decoder, startDecoder } from '../../../../src/media/decoder/decoder.ts'
import { streamFile } from '../../../../src/media/file-bytes.ts'
import { readRaw } from '../../../../src/media/raw.ts'
import { randomNumbers } from '../../../support/file-rows.ts'
import { filmBytes, madeOfFilm } from '../../../support/media/film.ts'
import { temporaryFolder, without, withoutEncoder } from '../../../support/media/media.ts'
import {
  edited,
  type Telling,
  tellingFiles,
  toldIn,
  toldToExiftool,
} from '../../../support/media/telling.ts'
import { SEED } from '../../../support/property.ts'
import { after, before, describe, it } from '../../../support/test.ts'

const withoutTools =
  without('exiftool', '-ver') || withoutEncoder('libx265') || withoutEncoder('libjxl')

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder.remove())

async function applied(path: string, edits: Edit[]): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const stream = blanked((range) => streamFile(path, range), edits)
  for await (const piece of await stream()) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Returns what a content shows, by another reader where there is one. */
async function shown(path: string, mime_type: string): Promise<string> {
  if (/heic/.test(mime_type)) return (await decodeHeic(path)).toString('base64')
  if (/^video|jxl/.test(mime_type)) {
    const streams = ['-map', '0:v', '-map', '0:a?', '-f', 'streamhash', '-hash', 'md5', '-']
    return execFileSync('ffmpeg', ['-v', 'error', '-i', path, ...streams]).toString()
  }
  if (/dng/.test(mime_type)) {
    const bytes = await readFile(path)
    const raw = await withBoundedFile(path, readRaw)
    const pictures = raw!.pictures.map(({ start, end }) => bytes.subarray(start, end))
    assert.equal(pictures.length, 2)
    return (await Promise.all(pictures.map(pixelsOf))).join()
  }
  return pixelsOf(path)
}

async function pixelsOf(picture: string | Buffer): Promise<string> {
  const { data, info } = await sharp(picture, { animated: true })
    .autoOrient()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return `${info.width} ${info.height} ${data.toString('base64')}`
}

describe('a content of each format', { skip: withoutTools }, () => {
  const made: { path: string; of: Telling; bytes: Buffer }[] = []
  let files: Telling[]
  before(async () => {
    files = await tellingFiles()
    for (const of of files) {
      const edits = await findPrivate(of.path, of.mime_type)
      if (edits === null) continue
      const path = join(folder.path, `blank-${basename(of.path)}`)
      const bytes = await applied(of.path, edits)
      await writeFile(path, bytes)
      made.push({ path, of, bytes })
    }
  })

  it('is understood', () => {
    const understood = made.map(({ of }) => basename(of.path))
    assert.deepEqual(
      understood,
      files.map(({ path }) => basename(path)),
    )
  })

  it('says what it should not before', async () => {
    const silent = []
    for (const { path } of files) if (toldIn(await readFile(path)).length < 2) silent.push(path)
    assert.deepEqual(silent, [])
  })

  it('holds none of it behind, and exiftool finds none', () => {
    const told = made.flatMap(({ path, bytes }) =>
      toldIn(bytes).map((what) => [basename(path), what]),
    )
    assert.deepEqual(told, [])
    assert.deepEqual(toldToExiftool(made.map(({ path }) => path)), [])
  })

  it('is as long, and shows the same', async () => {
    for (const { path, of } of made) {
      assert.equal((await stat(path)).size, (await stat(of.path)).size)
      const [before, after] = [await shown(of.path, of.mime_type), await shown(path, of.mime_type)]
      assert.ok(before === after, basename(of.path))
    }
  })

  it('is the same in every range', async () => {
    const random = randomNumbers(SEED)
    for (const { of, bytes } of made) {
      const edits = (await findPrivate(of.path, of.mime_type))!
      const stream = blanked((range) => streamFile(of.path, range), edits)
      for (let n = 0; n < 20; n++) {
        const start = random(bytes.length)
        const end = start + 1 + random(bytes.length - start)
        const buffer = Buffer.alloc(1 + random(3000))
        const pieces: Buffer[] = []
        for await (const piece of await stream({ start, end, buffer }))
          pieces.push(Buffer.from(piece))
        assert.ok(Buffer.concat(pieces).equals(bytes.subarray(start, end)))
      }
    }
  })

  it('has the same edits in the decoder', async () => {
    const decoder = startDecoder({ log: { debug() {}, info() {}, warn() {}, error() {} } })
    try {
      for (const { path, mime_type } of files) {
        const edits = await findPrivate(path, mime_type)
        assert.deepEqual(await decoder.blank({ path, mime_type }), { edits })
      }
      const cut = join(folder.path, 'cut.jpg')
      await writeFile(cut, (await readFile(files[0]!.path)).subarray(0, -100))
      assert.deepEqual(await decoder.blank({ path: cut, mime_type: 'image/jpeg' }), { edits: null })
      const path = join(folder.path, 'absent.jpg')
      await assert.rejects(decoder.blank({ path, mime_type: 'image/jpeg' }), { code: 'ENOENT' })
    } finally {
      await decoder.close()
    }
  })
})

describe('a content that can’t be read through', { skip: withoutTools }, () => {
  const of = async (mime_type: string, bytes: Uint8Array) =>
    findPrivateIn(inMemory(Buffer.from(bytes)), mime_type)
  const told = async (name: string) => {
    const files = await tellingFiles()
    return readFile(files.find(({ path }) => basename(path) === name)!.path)
  }

  it('has no edits: one that is cut off, or whose sums are wrong', async () => {
    for (const { path, mime_type } of await tellingFiles()) {
      const bytes = await readFile(path)
      // What is behind the end of these is not theirs; the last byte of a TIFF may be nobody's.
      const hasEnd = /(more\.png|(two|google|samsung|junk)\.jpg|\.(tif|dng))$/.test(path)
      if (!hasEnd) assert.equal(await of(mime_type, bytes.subarray(0, -1)), null, path)
      assert.equal(await of(mime_type, bytes.subarray(0, 200)), null, path)
      assert.equal(await of(mime_type, Buffer.alloc(0)), null, path)
    }
    const png = await told('told.png')
    png[png.indexOf('IDAT') + 10]! ^= 1
    assert.equal(await of('image/png', png), null)
  })

  it('has no edits beyond its end, wherever it says that its parts are', async () => {
    const bytes = await told('told.avif')
    const places = bytes.indexOf('iloc')
    const ends = places - 4 + bytes.readUInt32BE(places - 4)
    for (let at = places; at < ends; at++) {
      for (const bit of [1, 2, 4, 8, 16, 32, 64, 128]) {
        const odd = Buffer.from(bytes)
        odd[at]! ^= bit
        edited(odd, (await of('image/avif', odd)) ?? [])
      }
    }
  })

  it('has no edits: a film in fragments or of unknown length, a codestream, a RAW of a maker', async () => {
    const fragments = ['-c:v', 'libx264', '-movflags', 'frag_keyframe+empty_moov']
    assert.equal(await of('video/mp4', await filmBytes('cut.mp4', fragments)), null)
    const live = ['-c:v', 'libvpx', '-live', '1', '-f', 'webm']
    assert.equal(await of('video/webm', await filmBytes('live.webm', live)), null)
    const stream = await filmBytes('film.mts', ['-c:v', 'libx264'])
    assert.equal(await of('video/mp2t', stream), null)
    assert.equal(await of('image/jxl', Buffer.from([0xff, 0x0a, 0, 0])), null)
    assert.equal(await of('image/x-nikon-nef', await told('none.tif')), null)
  })

  it('has no edits: a film or a HEIF of pictures that are files of their own', async () => {
    const from = (await tellingFiles()).find(({ path }) => basename(path) === 'told.jpg')!.path
    for (const [name, type] of [
      ['copied.mov', 'video/quicktime'],
      ['copied.mp4', 'video/mp4'],
      ['copied.mkv', 'video/x-matroska'],
    ] as const) {
      const film = await readFile(await madeOfFilm(from, name, ['-c', 'copy']))
      assert.ok(toldIn(film).length > 0, name)
      assert.equal(await of(type, film), null, name)
      // Nor where a track doesn't say what it is coded in.
      const codec = film.indexOf('V_MJPEG')
      if (codec < 0) continue
      film[codec - 2] = 0xf7
      assert.equal(await of(type, film), null, name)
    }
    const heic = await told('told.heic')
    assert.notEqual(await of('image/heic', heic), null)
    heic.write('jpeg', heic.indexOf('hvc1', heic.indexOf('infe')), 'latin1')
    assert.equal(await of('image/heic', heic), null)
  })

  it('passes on that the disk can not be read, within a film in a picture too', async () => {
    const bytes = await told('google.jpg')
    const film = bytes.indexOf('ftyp')
    const file = inMemory(bytes)
    const read = (start: number, end: number) => {
      if (start > film) throw Object.assign(new Error('EIO'), { errno: -5, code: 'EIO' })
      return file.read(start, end)
    }
    await assert.rejects(findPrivateIn({ ...file, read }, 'image/jpeg'), { code: 'EIO' })
  })

  it('has no edits: a film with what a camcorder notes beside its pictures', async () => {
    const film = await filmBytes('film.mp4', ['-c:v', 'libx264', '-movflags', '+faststart'])
    assert.notEqual(await of('video/mp4', film), null)
    const note = Buffer.from('17ee8c60f84d11d98cd60800200c9a664d44504d', 'hex')
    note.copy(film, film.indexOf('mdat') + 100)
    assert.equal(await of('video/mp4', film), null)
  })
})

it('reads contents without what they tell, and looks into each once', {
  skip: withoutTools,
}, async () => {
  const decoder = startDecoder({ log: { debug() {}, info() {}, warn() {}, error() {} } })
  const looks: unknown[] = []
  const counted: Pick<Decoder, 'blank'> = {
    blank(input) {
      looks.push(input.by)
      return decoder.blank(input)
    },
  }
  try {
    const { content } = dataFolder(folder.path)
    const [first] = await tellingFiles()
    const [blob, cut, short] = ['ab'.repeat(16), 'cd'.repeat(16), 'ef'.repeat(16)]
    for (const name of [blob, cut, short]) await mkdir(dirname(content(name)), { recursive: true })
    const bytes = await readFile(first!.path)
    for (const name of [blob, short]) await writeFile(content(name), bytes)
    await writeFile(content(cut), bytes.subarray(0, 500))
    const { open } = openBlanked(openContents(folder.path), counted)
    const of = { mime_type: first!.mime_type, size: bytes.length }
    // As a player does, which asks for the end of a film while it still waits for the beginning.
    const both = await Promise.all([open({ blob, ...of }, 7), open({ blob, ...of }, 8)])
    const stream = both[1]!
    const pieces: Uint8Array[] = []
    for await (const piece of await stream()) pieces.push(piece)
    const edits = await findPrivate(first!.path, of.mime_type)
    assert.ok(Buffer.concat(pieces).equals(edited(bytes, edits!)))
    assert.notEqual(await open({ blob, ...of }, 7), null)
    assert.equal(await open({ blob: cut, ...of, size: 500 }, 7), null)
    assert.equal(await open({ blob: cut, ...of, size: 500 }, 7), null)
    // What was stored was longer, and the rest may tell more.
    assert.equal(await open({ blob: short, ...of, size: bytes.length + 1 }, 7), null)
    // For somebody, so that what is made again for nobody comes later.
    assert.deepEqual(looks, [7, 7])
  } finally {
    await decoder.close()
  }
})
