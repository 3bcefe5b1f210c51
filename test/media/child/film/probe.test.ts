import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { readVideo } from '../../../../src/media/child/film/video.ts'
import { startDecoder } from '../../../../src/media/decoder/decoder.ts'
import { findFfmpeg } from '../../../../src/media/ffmpeg.ts'
import { fakeFfmpeg } from '../../../support/media/fake-ffmpeg.ts'
import { filmBytes, madeFilm } from '../../../support/media/film.ts'
import { box, boxesOf } from '../../../support/media/iso-film.ts'
import { temporaryFolder, without } from '../../../support/media/media.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { writeManyBoxes } from '../../../torture/bombs/films.ts'

const SHOWS = 'testsrc=duration=2:size=96x64:rate=25'
const SIZE = { width: 96, height: 64 }
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

describe('a film that the library can not read', { skip: without('ffmpeg', '-version') }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  const save = async (name: string, bytes: Buffer) => {
    const path = join(folder.path, name)
    await writeFile(path, bytes)
    return path
  }
  const mpeg = (name: string, ...options: string[]) => madeFilm(name, options, SHOWS)

  it('is told by ffprobe', async () => {
    const path = await mpeg('a.mpg', '-c:v', 'mpeg2video')
    const none = await readVideo(path, 'video/mpeg')
    assert.deepEqual([none.exif, none.size], [{}, null])
    const { exif, size } = await readVideo(path, 'video/mpeg', 'ffmpeg')
    assert.deepEqual(exif, { duration: 2, ...SIZE, codec: 'mpeg2video', rotation: 0 })
    assert.deepEqual(size, SIZE)
    const decoder = startDecoder({ log, ffmpeg: await findFfmpeg('ffmpeg') })
    try {
      const thumbnailPath = join(folder.path, 'a.jpg')
      const made = await decoder.derive({ path, mime_type: 'video/mpeg', thumbnailPath })
      assert.deepEqual(made.exif, exif)
      assert.deepEqual([made.state, made.looks?.duration], ['made', 2])
    } finally {
      await decoder.close()
    }
  })

  it('is turned and stretched as a player shows it', async () => {
    const stretched = `${SHOWS},setsar=2/1`
    const film = await filmBytes('wide.mov', ['-c:v', 'mpeg4'], stretched)
    const boxes = boxesOf(film)
    const moov = boxes.find(({ name }) => name === 'moov')!.bytes
    const turned = Buffer.from(moov)
    // The matrix of the track: a quarter clockwise.
    const matrix = turned.indexOf('tkhd') + 44
    for (const [n, value] of [0, 0x10000, 0, -0x10000, 0, 0].entries()) {
      turned.writeInt32BE(value, matrix + n * 4)
    }
    const length = Buffer.alloc(4)
    length.writeUInt32BE(turned.length)
    const packed = box(
      'moov',
      box('cmov', [box('dcom', Buffer.from('zlib')), box('cmvd', [length, deflateSync(turned)])]),
    )
    const others = boxes.filter(({ name }) => name !== 'moov').map(({ bytes }) => bytes)
    const path = await save('packed.mov', Buffer.concat([...others, packed]))
    const shown = ['-show_entries', 'stream_side_data=rotation', '-of', 'default=nk=1:nw=1']
    const counter = Number(execFileSync('ffprobe', ['-v', 'error', ...shown, path]))
    assert.equal((360 - counter) % 360, 90)
    const { exif, size } = await readVideo(path, 'video/quicktime', 'ffmpeg')
    assert.deepEqual(exif, { duration: 2, ...SIZE, codec: 'mpeg4', rotation: 90 })
    assert.deepEqual(size, { width: 64, height: 192 })
  })

  it('says nothing when ffprobe can not read it either, or there is none', async () => {
    const noise = await save('noise.mpg', Buffer.from('000001ba44000400', 'hex'))
    assert.deepEqual((await readVideo(noise, 'video/mpeg', 'ffmpeg')).exif, {})
    const path = await mpeg('a.mpg', '-c:v', 'mpeg2video')
    const alone = (await fakeFfmpeg(folder.path)).path
    for (const ffmpeg of [alone, '/usr/bin/another', join(folder.path, 'none', 'ffmpeg')]) {
      assert.deepEqual((await readVideo(path, 'video/mpeg', ffmpeg)).exif, {}, ffmpeg)
    }
  })

  it('is not asked about when it has too many boxes', async () => {
    const asked = join(folder.path, 'asked')
    const program = join(folder.path, 'ffprobe')
    await writeFile(program, `#!/bin/sh\necho >'${asked}'\n`, { mode: 0o755 })
    const bare = await save('bare.mp4', box('ftyp', Buffer.from('isom\0\0\0\0')))
    const ffmpeg = join(folder.path, 'ffmpeg')
    await readVideo(bare, 'video/mp4', ffmpeg)
    await assert.doesNotReject(readFile(asked))
    await rm(asked)
    const path = join(folder.path, 'boxes.mp4')
    await writeManyBoxes(path, 20_000)
    await readVideo(path, 'video/mp4', ffmpeg)
    await assert.rejects(readFile(asked))
  })
})
