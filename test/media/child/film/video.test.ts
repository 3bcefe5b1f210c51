import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { open, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readDuration, readVideo } from '../../../../src/media/child/film/video.ts'
import { firstDate } from '../../../../src/media/dates.ts'
import { madeFilm, madeOfFilm } from '../../../support/media/film.ts'
import { corpus, temporaryFolder, without, withoutCorpus } from '../../../support/media/media.ts'
import { madeOnce } from '../../../support/run-folder.ts'
import { after, before, describe, it } from '../../../support/test.ts'

const withoutFfmpeg = without('ffmpeg', '-version')
const TAKEN = Date.UTC(2024, 4, 6, 7, 8, 9)
const SIZE = { width: 96, height: 64 }
const FACTS = { duration: 2, width: 96, height: 64, rotation: 0 }

const NOTHING = { exif: {}, size: null, content_datetime: null }

const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}
/** An mvhd of a film that says when it was made, in seconds since 1904. */
const mvhd = (seconds: number, version = 0) => {
  const body = Buffer.alloc(version === 1 ? 112 : 100)
  body[0] = version
  if (version === 1) body.writeBigUInt64BE(BigInt(seconds), 4)
  else body.writeUInt32BE(seconds, 4)
  return box('mvhd', body)
}
const since1904 = (time: number) => (time - Date.UTC(1904, 0, 1)) / 1000

/** Returns what a film says, with its best date. */
async function filmAt(path: string, mime_type: string) {
  const { exif, dates, size } = await readVideo(path, mime_type)
  const date = firstDate(dates, { now: Date.now(), timeZone: 'Europe/Rome' })
  return { exif, size, content_datetime: date?.content_datetime ?? null }
}

describe('video', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  /** Two seconds of a test picture, as the options want it. */
  const filmOf = (name: string, ...options: string[]) =>
    madeFilm(name, options, 'testsrc=duration=2:size=96x64:rate=25')
  const save = async (name: string, ...parts: Buffer[]) => {
    const path = join(folder.path, name)
    await writeFile(path, Buffer.concat(parts))
    return path
  }
  const x264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']
  const taken = ['-metadata', 'creation_time=2024-05-06T07:08:09Z']

  it('tells length, size, codec and time of each container', { skip: withoutFfmpeg }, async () => {
    const mpeg4 = ['-c:v', 'mpeg4']
    const kinds: [string, string, string[], string, number | null][] = [
      ['a.mp4', 'video/mp4', [...x264, ...taken], 'avc', TAKEN],
      ['a.mov', 'video/quicktime', [...x264, ...taken], 'avc', TAKEN],
      ['a.m4v', 'video/x-m4v', [...x264, ...taken], 'avc', TAKEN],
      ['a.3gp', 'video/3gpp', [...mpeg4, ...taken], 'mp4v', TAKEN],
      ['a.mkv', 'video/x-matroska', [...x264, ...taken], 'avc', TAKEN],
      ['a.webm', 'video/webm', ['-c:v', 'libvpx', ...taken], 'vp8', TAKEN],
      ['a.mts', 'video/mp2t', [...x264, '-f', 'mpegts'], 'avc', null],
      ['a.avi', 'video/x-msvideo', mpeg4, 'FMP4', null],
    ]
    for (const [name, mime_type, options, codec, content_datetime] of kinds) {
      const found = await filmAt(await filmOf(name, ...options), mime_type)
      assert.deepEqual(found, { exif: { ...FACTS, codec }, size: SIZE, content_datetime }, name)
    }
  })

  it('tells how a phone was held', { skip: withoutFfmpeg }, async () => {
    const lying = await filmOf('lying.mp4', ...x264)
    const turn = ['-c', 'copy', '-metadata:s:v:0', 'rotate=90']
    const path = await madeOfFilm(lying, 'turned.mp4', turn)
    const entry = ['-show_entries', 'stream_side_data=rotation', '-of', 'default=nk=1:nw=1']
    const counter = Number(execFileSync('ffprobe', ['-v', 'error', ...entry, path]))
    const { exif, size } = await readVideo(path, 'video/mp4')
    assert.deepEqual(exif, { ...FACTS, codec: 'avc', rotation: (360 - counter) % 360 })
    assert.deepEqual(size, { width: 64, height: 96 })
  })

  it('prefers the date of QuickTime, with its zone', { skip: withoutFfmpeg }, async () => {
    const times: [string, number][] = [
      ['2024-05-06T12:08:09+0200', Date.UTC(2024, 4, 6, 10, 8, 9)],
      ['2024-05-06T12:08:09-05:30', Date.UTC(2024, 4, 6, 17, 38, 9)],
      ['2024-05-06T12:08:09Z', Date.UTC(2024, 4, 6, 12, 8, 9)],
      ['1904-01-01T00:00:00Z', TAKEN],
      ['2124-05-06T12:08:09Z', TAKEN],
      ['yesterday', TAKEN],
    ]
    for (const [date, expected] of times) {
      const metadata = ['-metadata', `com.apple.quicktime.creationdate=${date}`, ...taken]
      const path = await filmOf('dated.mov', ...x264, ...metadata, '-movflags', 'use_metadata_tags')
      assert.equal((await filmAt(path, 'video/quicktime')).content_datetime, expected, date)
    }
  })

  it('takes no time that is the fault of a clock', async () => {
    const tomorrow = Date.now() + 12 * 3_600_000
    const times: [number, number | null][] = [
      [0, null],
      [since1904(0), null],
      [since1904(TAKEN), TAKEN],
      // Counted from 1970.
      [TAKEN / 1000, TAKEN],
      [86_400, null],
      [since1904(Math.floor(tomorrow / 1000) * 1000), Math.floor(tomorrow / 1000) * 1000],
      [since1904(Date.now() + 49 * 3_600_000), null],
    ]
    for (const [seconds, expected] of times) {
      for (const version of [0, 1]) {
        const header = mvhd(Math.floor(seconds), version)
        const path = await save(
          'clock.mp4',
          box('ftyp', Buffer.from('isom\0\0\0\0')),
          box('moov', header),
        )
        assert.equal((await filmAt(path, 'video/mp4')).content_datetime, expected)
      }
    }
    const track = box('trak', box('tkhd', mvhd(since1904(TAKEN)).subarray(8)))
    const path = await save('track.mp4', box('free'), box('moov', mvhd(0), track))
    assert.equal((await filmAt(path, 'video/mp4')).content_datetime, TAKEN)
  })

  it('has the day of its tag beside a time that no clock shows', async () => {
    const header = mvhd(0, 1)
    header.fill(0xff, 12, 20)
    const text = '2024-05-06'
    const day = box('\u00a9day', Buffer.from([0, text.length, 0, 0]), Buffer.from(text))
    const parts = [box('ftyp', Buffer.from('isom\0\0\0\0')), box('moov', header, box('udta', day))]
    const { dates } = await readVideo(await save('wild.mp4', ...parts), 'video/mp4')
    assert.deepEqual(
      dates.map(({ clock, precision }) => [clock, precision]),
      [[Date.UTC(2024, 4, 6, 12), 'day']],
    )
  })

  it('says nothing of what it can not read', async () => {
    for (const mime_type of [
      'video/mp4',
      'video/webm',
      'video/mp2t',
      'video/mpeg',
      'video/x-msvideo',
    ]) {
      for (const start of [
        '',
        '\0\0\0\x10ftypisom\0\0\0\0',
        '\x1aE\xdf\xa3',
        'RIFF\0\0\0\0AVI LIST',
      ]) {
        const noise = createHash('sha512')
          .update(start + mime_type)
          .digest()
        const path = await save('noise', Buffer.from(start, 'latin1'), noise, noise, noise)
        assert.deepEqual(await filmAt(path, mime_type), NOTHING)
      }
    }
  })

  it('reads little of a large file, and less of a lie', { skip: withoutFfmpeg }, async () => {
    const moovLast = await readFile(await filmOf('large.mp4', ...x264, ...taken))
    const moov = moovLast.subarray(moovLast.indexOf('moov') - 4)
    const gap = Buffer.alloc(16)
    gap.writeUInt32BE(1, 0)
    gap.write('mdat', 4, 'latin1')
    gap.writeBigUInt64BE(5_000_000_000n, 8)
    const path = await save('sparse.mp4', box('ftyp', Buffer.from('isom\0\0\0\0')), gap)
    const file = await open(path, 'r+')
    await file.write(moov, 0, moov.length, 16 + 5_000_000_000)
    await file.close()
    const found = await filmAt(path, 'video/mp4')
    const exif = { ...FACTS, codec: 'avc' }
    assert.deepEqual(found, { exif, size: SIZE, content_datetime: TAKEN })

    const lie = Buffer.alloc(8)
    lie.writeUInt32BE(2_000_000_000, 0)
    lie.write('moov', 4, 'latin1')
    const lying = await save('lie.mp4', box('ftyp', Buffer.from('isom\0\0\0\0')), lie)
    await truncate(lying, 2_000_000_000)
    const before = process.memoryUsage().rss
    assert.deepEqual(await filmAt(lying, 'video/mp4'), NOTHING)
    assert.ok(process.memoryUsage().rss - before < 100_000_000)
  })

  it('loses no more than the tags to a cover that is too large', {
    skip: withoutFfmpeg,
  }, async () => {
    const cover = await madeOnce('cover', 'of a film', (path) => writeFile(path, 'a small one'))
    const attach = ['-attach', cover, '-metadata:s:t', 'mimetype=image/jpeg']
    const film = await readFile(await filmOf('covered.mkv', ...x264, ...taken, ...attach))
    const facts = { exif: { ...FACTS, codec: 'avc' }, size: SIZE, content_datetime: TAKEN }
    const id = Buffer.from('1941a469', 'hex')
    // Where the attachments are listed, where they lie, and where positions are counted from.
    const listed = film.indexOf(Buffer.concat([Buffer.from('53ab84', 'hex'), id])) + id.length + 3
    const old = film.lastIndexOf(id)
    const start = film.indexOf(Buffer.from('18538067', 'hex')) + 12
    assert.equal(film.toString('hex', listed, listed + 3), '53ac82')
    // They become a void of the same length, and others lie behind everything.
    film.writeUInt32BE(0x1000_0000 + (film[old + 4]! & 0x7f), old + 1)
    film[old] = 0xec
    film.writeUInt16BE(film.length - start, listed + 3)
    film.write('01ffffffffffffff', start - 8, 'hex')
    const head = Buffer.concat([id, Buffer.from('0100000002800000', 'hex')])
    const path = await save('far.mkv', film, head)
    await truncate(path, film.length + head.length + 0x2800000)
    assert.deepEqual(await filmAt(path, 'video/x-matroska'), facts)

    // The index of an MP4 is read as a whole, so all is lost but the time.
    const moovLast = await readFile(await filmOf('covered.mp4', ...x264, ...taken))
    const moov = moovLast.indexOf('moov') - 4
    const large = box('moov', moovLast.subarray(moov + 8), box('udta', Buffer.alloc(40_000_000)))
    const other = await save('large-moov.mp4', moovLast.subarray(0, moov), large)
    assert.deepEqual(await filmAt(other, 'video/mp4'), { ...NOTHING, content_datetime: TAKEN })
  })

  it('knows the length of the sample film', { skip: withoutCorpus }, async () => {
    assert.equal(await readDuration(corpus('video', 'doorknob.mp4')), 4.309)
    const { exif } = await readVideo(corpus('video', 'doorknob.mp4'), 'video/mp4')
    assert.deepEqual(exif, { duration: 4.309, width: 1280, height: 720, codec: 'avc', rotation: 0 })
  })
})
