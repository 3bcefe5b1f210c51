import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readVideo } from '../../../../src/media/child/film/video.ts'
import { sniff } from '../../../../src/media/sniff.ts'
import { filmBytes } from '../../../support/media/film.ts'
import { beginningWith, box, boxesOf, dated } from '../../../support/media/iso-film.ts'
import { temporaryFolder, without } from '../../../support/media/media.ts'
import { after, before, describe, it } from '../../../support/test.ts'

const TAKEN = Date.UTC(2006, 6, 3, 9, 5, 6)

describe('a film that does not begin with ftyp', { skip: without('ffmpeg', '-version') }, () => {
  const x264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']
  const SHOWS = 'testsrc=duration=2:size=96x64:rate=10'
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let film: Buffer
  before(async () => {
    folder = await temporaryFolder()
    film = dated(await filmBytes('whole.mov', x264, SHOWS), TAKEN)
  })
  after(() => folder.remove())

  const read = async (bytes: Buffer) => {
    const path = join(folder.path, 'film.mov')
    await writeFile(path, bytes)
    assert.deepEqual(await sniff(path), { mime_type: 'video/quicktime', mime_extension: 'mov' })
    return readVideo(path, 'video/quicktime')
  }
  const assertTold = async (bytes: Buffer, what: string) => {
    const { exif, dates, size } = await read(bytes)
    assert.deepEqual(exif, { duration: 2, width: 96, height: 64, codec: 'avc', rotation: 0 }, what)
    assert.deepEqual(size, { width: 96, height: 64 }, what)
    assert.deepEqual(dates[0], { clock: TAKEN, offset: 0, source: 'video' }, what)
  }

  const FIRST = ['free', 'skip', 'wide', 'junk', 'pnot', 'PICT', 'pict', 'uuid']

  it('tells what any other does, whatever it begins with', async () => {
    for (const name of FIRST) {
      for (const isLong of [false, true]) {
        const room = box(name, Buffer.alloc(name === 'uuid' ? 40 : 12), isLong)
        await assertTold(beginningWith(film, room), `${name} ${isLong}`)
      }
      await assertTold(beginningWith(film, box(name), box(name)), `${name} of no length`)
    }
    const preview = box('pnot', Buffer.from('000000000000504943540001', 'hex'))
    await assertTold(beginningWith(film, preview, box('PICT', Buffer.alloc(700))), 'a preview')
    await assertTold(beginningWith(film), 'nothing')
  })

  it('has its samples before or behind its index', async () => {
    const boxes = boxesOf(film)
    const [samples, index] = ['mdat', 'moov'].map((name) => boxes.find((one) => one.name === name)!)
    for (const isLong of [false, true]) {
      const mdat = box('mdat', samples!.bytes.subarray(8), isLong)
      await assertTold(Buffer.concat([mdat, index!.bytes]), `mdat, moov ${isLong}`)
      await assertTold(Buffer.concat([index!.bytes, mdat]), `moov, mdat ${isLong}`)
    }
  })

  it('is the same as the one with it', async () => {
    const tags = {
      creationdate: '2022-08-09T10:11:12+0200',
      make: 'Apple',
      model: 'iPhone 12',
      'location.ISO6709': '+48.2082+016.3738+170.000/',
    }
    const told = Object.entries(tags).flatMap(([name, value]) => [
      '-metadata',
      `com.apple.quicktime.${name}=${value}`,
    ])
    const keys = ['-movflags', 'use_metadata_tags']
    const phone = await filmBytes('phone.mov', [...x264, ...told, ...keys], SHOWS)
    const found = await read(phone)
    assert.deepEqual(await read(beginningWith(phone)), found)
    assert.deepEqual(found.dates[0], {
      clock: Date.UTC(2022, 7, 9, 10, 11, 12),
      offset: 120,
      source: 'video',
    })
    const { Make, Model, latitude, longitude } = found.exif
    assert.deepEqual([Make, Model, latitude, longitude], ['Apple', 'iPhone 12', 48.2082, 16.3738])
  })

  it('is none when its first box has no end in it', async () => {
    const path = join(folder.path, 'text')
    for (const name of FIRST) {
      await writeFile(path, `So, ${name} is a word of this text`)
      assert.equal(await sniff(path), null, name)
    }
  })
})
