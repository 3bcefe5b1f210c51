import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { MIME_TYPES, sniff } from '../../src/media/sniff.ts'
import { brokenFiles } from '../support/media/camera-files.ts'
import { withEachReadFailing } from '../support/media/failing-reads.ts'
import { WEBM } from '../support/media/fake-ffmpeg.ts'
import { madeFilm } from '../support/media/film.ts'
import { corpus, temporaryFolder, without, withoutCorpus } from '../support/media/media.ts'
import { madeOnce } from '../support/run-folder.ts'
import { after, before, describe, it } from '../support/test.ts'

const withoutFfmpeg = without('ffmpeg', '-version')
/** What films of ffmpeg show, and how they sound. */
const PICTURE = 'testsrc=duration=0.2:size=64x64:rate=10'
const SOUND = 'sine=duration=0.2'
const isoBrand = (brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from(`ftyp${brand}\0\0\0\0${brand}`)])
const transportStream = (offset: number, step: number) => {
  const packets = Buffer.alloc(offset + step * 10, 0xff)
  for (let i = offset; i < packets.length; i += step) packets[i] = 0x47
  return packets
}
const box = (type: string, ...content: Buffer[]) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.reduce((sum, part) => sum + part.length, 0), 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}
const ebml = (type: string) =>
  Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 + type.length + 3, 0x42, 0x82, 0x80 + type.length]),
    Buffer.from(type),
    Buffer.alloc(64),
  ])
/** A TIFF with one entry, whose directory lies after everything else. */
const tiff = (tag: number, gap = 0) => {
  const head = Buffer.from('II*\0\0\0\0\0')
  head.writeUInt32LE(8 + gap, 4)
  const directory = Buffer.alloc(18)
  directory.writeUInt16LE(1, 0)
  directory.writeUInt16LE(tag, 2)
  return Buffer.concat([head, Buffer.alloc(gap), directory])
}

describe('sniff', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  const sniffBytes = async (bytes: Uint8Array | string, name = 'upload') => {
    const path = join(folder.path, name)
    await writeFile(path, bytes)
    return sniff(path)
  }
  const accepts = async (bytes: Uint8Array, mime_type: string, name?: string) =>
    assert.deepEqual(
      await sniffBytes(bytes, name),
      { mime_type, mime_extension: MIME_TYPES.get(mime_type) },
      mime_type,
    )

  it('knows the types of the table by their first bytes', async () => {
    await accepts(isoBrand('heic'), 'image/heic')
    await accepts(isoBrand('hevc'), 'image/heic')
    await accepts(isoBrand('heis'), 'image/heic')
    await accepts(isoBrand('mif1'), 'image/heif')
    await accepts(isoBrand('msf1'), 'image/heif')
    await accepts(isoBrand('avif'), 'image/avif')
    await accepts(isoBrand('isom'), 'video/mp4')
    await accepts(isoBrand('qt  '), 'video/quicktime')
    await accepts(isoBrand('M4V '), 'video/x-m4v')
    await accepts(isoBrand('3gp5'), 'video/3gpp')
    await accepts(Buffer.from('\0\0\0\x08wide\0\0\0\x08mdat'), 'video/quicktime')
    await accepts(ebml('webm'), 'video/webm')
    await accepts(ebml('matroska'), 'video/x-matroska')
    await accepts(Buffer.from('RIFF\x24\0\0\0AVI LIST'), 'video/x-msvideo')
    await accepts(Buffer.from([0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1, 0, 0]), 'video/mpeg')
    await accepts(Buffer.from([0, 0, 1, 0xb3, 0x14, 0, 0xf0, 0x13]), 'video/mpeg')
    await accepts(transportStream(0, 188), 'video/mp2t')
    await accepts(transportStream(4, 192), 'video/mp2t')
    await accepts(tiff(256), 'image/tiff')
    await accepts(tiff(256, 100_000), 'image/tiff')
    await accepts(tiff(50_341), 'image/tiff')
    await accepts(tiff(50_706), 'image/x-adobe-dng')
    await accepts(tiff(50_706, 100_000), 'image/x-adobe-dng')
    await accepts(Buffer.from('II*\0\x10\0\0\0CR\x02\0\0\0\0\0'), 'image/x-canon-cr2')
    await accepts(isoBrand('crx '), 'image/x-canon-cr3')
    await accepts(Buffer.from('FUJIFILMCCD-RAW 0201'), 'image/x-fuji-raf')
    await accepts(Buffer.from([0xff, 0x0a, 0xfa, 0x1f]), 'image/jxl')
    await accepts(Buffer.from('\0\0\0\x0cJXL \r\n\x87\n', 'latin1'), 'image/jxl')
    await accepts(Buffer.from('MM\0+\0\x08\0\0\0\0\0\0\0\0\0\x10\0\0\0\0'), 'image/tiff')
  })

  it('knows pictures that sharp has written, whatever their name', async () => {
    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#a03' } })
    await accepts(await picture.clone().jpeg().toBuffer(), 'image/jpeg', 'a.txt')
    await accepts(await picture.clone().png().toBuffer(), 'image/png', 'b.jpg')
    await accepts(await picture.clone().gif().toBuffer(), 'image/gif', 'c.mp4')
    await accepts(await picture.clone().webp().toBuffer(), 'image/webp', 'd')
    await accepts(await picture.clone().avif().toBuffer(), 'image/avif', 'e.exe')
    await accepts(await picture.clone().tiff().toBuffer(), 'image/tiff', 'f.svg')
    for (const path of Object.values(await brokenFiles())) {
      await accepts(await readFile(path), 'image/jpeg', 'g.png')
    }
    const large = await sharp({
      create: { width: 200, height: 200, channels: 3, background: '#fff', noise: NOISE },
    })
      .tiff({ compression: 'none' })
      .toBuffer()
    await accepts(large, 'image/tiff')
  })

  it('finds the picture behind a long ancillary chunk of a PNG', async () => {
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#a03' } })
      .png()
      .toBuffer()
    const chunk = Buffer.alloc(300_012)
    chunk.writeUInt32BE(300_000, 0)
    chunk.write('teXt', 4)
    await accepts(Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]), 'image/png')
  })

  it('knows the files of ffmpeg', { skip: withoutFfmpeg }, async () => {
    const formats = [
      ['mp4', 'video/mp4'],
      ['mov', 'video/quicktime'],
      ['ipod', 'video/x-m4v'],
      ['3gp', 'video/3gpp'],
      ['webm', 'video/webm'],
      ['matroska', 'video/x-matroska'],
      ['avi', 'video/x-msvideo'],
      ['mpeg', 'video/mpeg'],
      ['mpeg2video', 'video/mpeg'],
      ['mpegts', 'video/mp2t'],
      ['apng', 'image/png'],
    ]
    const codecs: Record<string, string> = {
      webm: 'libvpx',
      apng: 'apng',
      mpeg2video: 'mpeg2video',
    }
    for (const [format, mime_type] of formats) {
      const codec = codecs[format!] ?? 'mpeg4'
      const path = await madeFilm(`film.${format}`, ['-c:v', codec, '-f', format!], PICTURE)
      assert.equal((await sniff(path))?.mime_type, mime_type, format)
    }
  })

  it('refuses the sound files of ffmpeg', { skip: withoutFfmpeg }, async () => {
    for (const name of ['sound.m4a', 'sound.ogg', 'sound.mp3', 'sound.wav', 'sound.flac']) {
      assert.equal(await sniff(await madeFilm(name, [], SOUND)), null, name)
    }
  })

  it('refuses films of ffmpeg that have no picture', { skip: withoutFfmpeg }, async () => {
    const words = '1\n00:00:00,000 --> 00:00:00,200\nWords\n'
    const subtitles = await madeOnce('words.srt', words, (path) => writeFile(path, words))
    const both = ['-f', 'lavfi', '-i', PICTURE, '-map', '0', '-map', '1']
    const aac = ['-c:a', 'aac']
    const kinds: [string, string, string[], string[]][] = [
      ['isom.mp4', 'video/mp4', ['-c:v', 'mpeg4'], aac],
      ['mp42.mp4', 'video/mp4', ['-c:v', 'mpeg4'], [...aac, '-brand', 'mp42']],
      ['first.mp4', 'video/mp4', ['-c:v', 'mpeg4'], [...aac, '-movflags', '+faststart']],
      ['parts.mp4', 'video/mp4', ['-c:v', 'mpeg4'], [...aac, '-movflags', '+empty_moov']],
      ['quick.mov', 'video/quicktime', ['-c:v', 'mpeg4'], aac],
      ['phone.3gp', 'video/3gpp', ['-c:v', 'mpeg4'], aac],
      ['web.webm', 'video/webm', ['-c:v', 'libvpx'], ['-c:a', 'libopus']],
      ['live.webm', 'video/webm', ['-c:v', 'libvpx'], ['-c:a', 'libopus', '-live', '1']],
      ['any.mkv', 'video/x-matroska', ['-c:v', 'mpeg4'], aac],
    ]
    for (const [name, mime_type, video, audio] of kinds) {
      assert.equal(await sniff(await madeFilm(name, audio, SOUND)), null, name)
      const film = await madeFilm(name, [...both, ...video, ...audio], SOUND)
      assert.equal((await sniff(film))?.mime_type, mime_type, name)
    }
    const spoken = ['-i', subtitles, '-map', '0', '-map', '1']
    assert.equal(await sniff(await madeFilm('spoken.mkv', spoken, SOUND)), null)
  })

  it('leaves the benefit of the doubt to a film whose tracks it can not read', async () => {
    const track = (handler: string) =>
      box('trak', box('mdia', box('mdhd', Buffer.alloc(24)), hdlr(handler)))
    const hdlr = (handler: string) => box('hdlr', Buffer.alloc(8), Buffer.from(handler, 'latin1'))
    const head = box('ftyp', Buffer.from('isom\0\0\0\0'))
    const sound = track('soun')
    const film = (...parts: Buffer[]) => Buffer.concat([head, box('moov', ...parts)])
    const doubtful: Record<string, Buffer> = {
      'no list': head,
      'an empty list': film(),
      'a list that is cut off': film(sound, track('vide')).subarray(0, -60),
      'a list that is cut off between tracks': film(sound, sound).subarray(0, -sound.length),
      'a torn track': film(sound, box('trak', box('mdia', Buffer.alloc(24)))),
      'a track of no kind': film(sound, box('trak')),
      'nonsense behind the sound': film(sound, Buffer.from('nonsense in here')),
      'a track that ends too late': film(sound, Buffer.from('\0\0\x10\0trak')),
      'a kind that nobody knows': film(sound, track('what')),
      'more parts than a film has': film(sound, ...new Array(2000).fill(box('free'))),
      'more than may be read': film(
        ...new Array(900).fill(box('trak', ...new Array(50).fill(box('free')))),
      ),
    }
    for (const [name, bytes] of Object.entries(doubtful)) {
      assert.equal((await sniffBytes(bytes))?.mime_type, 'video/mp4', name)
    }
    assert.equal(await sniffBytes(film(box('mvhd'), sound, track('text'))), null)
    assert.equal((await sniffBytes(film(track('pict'))))?.mime_type, 'video/mp4')
  })

  it('reads the types of tracks as numbers of any length', async () => {
    const element = (id: string, ...content: Buffer[]) => {
      const bytes = Buffer.concat(content)
      return Buffer.concat([Buffer.from(id, 'hex'), Buffer.of(0x80 + bytes.length), bytes])
    }
    const film = (...type: number[]) =>
      Buffer.concat([
        element('1a45dfa3', element('4282', Buffer.from('webm'))),
        element('18538067', element('1654ae6b', element('ae', element('83', Buffer.from(type))))),
      ])
    for (const video of [[1], [0, 1], [0, 0, 0, 0, 0, 1]]) {
      assert.equal((await sniffBytes(film(...video)))?.mime_type, 'video/webm')
    }
    for (const sound of [[2], [0, 2]]) assert.equal(await sniffBytes(film(...sound)), null)
  })

  it('knows the sample files', { skip: withoutCorpus }, async () => {
    const types = {
      'heic/iphone_13_pro_max.HEIC': 'image/heic',
      'photos/Irvine_CA.avif': 'image/avif',
      'tiff/Arbitro.tiff': 'image/tiff',
      'video/doorknob.mp4': 'video/mp4',
      'broken/image00971.jpg': 'image/jpeg',
    }
    for (const [name, mime_type] of Object.entries(types)) {
      await accepts(await readFile(corpus(name)), mime_type)
    }
  })

  it('refuses everything else, whatever its name', async () => {
    const refused: Record<string, Uint8Array | string> = {
      'empty.jpg': '',
      'one.jpg': '\xff',
      'svg.png': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
      'xml.svg': '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
      'html.jpg': '<!doctype html><title>GIF89a</title>',
      'pdf.jpg': '%PDF-1.7\n',
      'gifts.gif': 'GIFTS for Christmas',
      'free.mov': "I'm free, and the moov atom is not here",
      'green.ts': 'Green grows the grass, oh. '.repeat(200),
      'zip.jpg': Buffer.from('PK\x03\x04\x14\0\0\0\0\0'),
      'gz.png': gzipSync('x'.repeat(1000)),
      'mp3.mp4': Buffer.from([0xff, 0xfb, 0x90, 0x64, ...Buffer.alloc(400)]),
      'id3.mp4': Buffer.from('ID3\x03\0\0\0\0\0\x0a'),
      'wav.avi': Buffer.from('RIFF\x24\0\0\0WAVEfmt '),
      'bmp.jpg': Buffer.from('BM\x46\0\0\0\0\0\0\0\x36\0\0\0'),
      'ico.png': Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]),
      'psd.tif': Buffer.from('8BPS\0\x01'),
      'm4a.mp4': isoBrand('M4A '),
      '3g2.3gp': isoBrand('3g2a'),
      'rw2.tif': Buffer.from('IIU\0\x18\0\0\0'),
      'orf.tif': Buffer.from('IIRO\x08\0\0\0\0\0\0\0'),
      'text.orf': 'MMOR is short for memory',
      'jls.jpg': Buffer.from([0xff, 0xd8, 0xff, 0xf7, 0, 11]),
      'jxr.tif': Buffer.from('II\xbc\x01\x08\0\0\0', 'latin1'),
      'ebml.mkv': ebml('other'),
    }
    for (const [name, bytes] of Object.entries(refused)) {
      assert.equal(await sniffBytes(bytes, name), null, name)
    }
  })

  it('answers for any garbage', async () => {
    const starts = [
      '',
      '\xff\xd8\xff\xe1',
      '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR',
      'II*\0',
      'MM\0*',
      '\x1aE\xdf\xa3',
      '\0\0\0\x18ftyp',
      'RIFF\xff\xff\xff\xffWEBP',
      '\0\0\x01\xba',
    ]
    for (let i = 0; i < 270; i++) {
      const noise = Buffer.concat(
        [1, 2, 3].map((part) => createHash('sha512').update(`${i} ${part}`).digest()),
      )
      const found = await sniffBytes(
        Buffer.concat([Buffer.from(starts[i % starts.length]!, 'latin1'), noise]),
      )
      assert.ok(found === null || MIME_TYPES.get(found.mime_type) === found.mime_extension)
    }
  })

  it('holds no failure of the disk against a file', async () => {
    const path = join(folder.path, 'on a bad disk')
    const png = sharp({ create: { width: 8, height: 8, channels: 3, background: '#a03' } }).png()
    const files: [Uint8Array, string][] = [
      [await png.toBuffer(), 'image/png'],
      [WEBM, 'video/webm'],
    ]
    for (const [bytes, mime_type] of files) {
      await writeFile(path, bytes)
      const { result, reads } = await withEachReadFailing(
        'EIO',
        () => sniff(path),
        (failed) => assert.equal(failed.status === 'rejected' && failed.reason.code, 'EIO'),
      )
      assert.equal(result?.mime_type, mime_type)
      assert.ok(reads > 2, `${reads} reads`)
    }
  })
})

const NOISE = { type: 'gaussian', mean: 128, sigma: 40 } as const
