import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readVideo } from '../../../../src/media/child/film/video.ts'
import type { ReadDate } from '../../../../src/media/dates.ts'
import { filmBytes, madeOfFilm } from '../../../support/media/film.ts'
import { temporaryFolder, without } from '../../../support/media/media.ts'
import { madeOnce } from '../../../support/run-folder.ts'
import { after, before, describe, it } from '../../../support/test.ts'

const withoutFfmpeg = without('ffmpeg', '-version')
const withoutExiftool = without('exiftool', '-ver')

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder.remove())

const clock = (...time: [number, number, number, number, number, number?]) => Date.UTC(...time)
const dates = (found: ReadDate[]) => found.map((date) => [date.clock, date.offset, date.source])

describe('when an AVI was taken', () => {
  const chunk = (name: string, ...content: (Buffer | string)[]) => {
    const body = Buffer.concat(content.map((part) => Buffer.from(part)))
    const head = Buffer.alloc(8)
    head.write(name, 'latin1')
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body, Buffer.alloc(body.length & 1)])
  }
  const list = (name: string, ...content: Buffer[]) => chunk('LIST', name, ...content)
  const header = chunk('avih', Buffer.alloc(56))
  const stream = (...more: Buffer[]) =>
    list('strl', chunk('strh', Buffer.alloc(56)), chunk('strf', Buffer.alloc(40)), ...more)
  const save = async (name: string, ...content: Buffer[]) => {
    const path = join(folder.path, `${name}.avi`)
    const frames = list('movi', chunk('00dc', Buffer.alloc(5)))
    await writeFile(
      path,
      chunk('RIFF', 'AVI ', ...content, frames, chunk('idx1', Buffer.alloc(16))),
    )
    return path
  }
  const idit = (text: string) => chunk('IDIT', text)

  const SPELLED: [string, number, number | null][] = [
    ['Mon Mar 10 15:04:43 2003\n\0', clock(2003, 2, 10, 15, 4, 43), null],
    ['Sun Feb  2 09:08:07 2003\n\0', clock(2003, 1, 2, 9, 8, 7), null],
    ['2005:08:17 11:42:43', clock(2005, 7, 17, 11, 42, 43), null],
    ['2005:08:17 11:42:43+02:00', clock(2005, 7, 17, 11, 42, 43), 120],
    ['2001/ 1/27  1:42PM', clock(2001, 0, 27, 13, 42), null],
    ['2001/11/ 3 12:05AM', clock(2001, 10, 3, 0, 5), null],
    ['MON MAR 10 15:04:43 2003', clock(2003, 2, 10, 15, 4, 43), null],
    ['2005/11/28/ 09:19', clock(2005, 10, 28, 9, 19), null],
    ['2002/12/16 15:35:01', clock(2002, 11, 16, 15, 35, 1), null],
    ['2002-12-16  15:35:01\0\0', clock(2002, 11, 16, 15, 35, 1), null],
    ['2002-12-16  15:35:01 -0330', clock(2002, 11, 16, 15, 35, 1), -210],
  ]

  it('is told by its IDIT, however that is spelled', async () => {
    for (const [text, time, offset] of SPELLED) {
      const path = await save('spelled', list('hdrl', header, stream(), idit(text)))
      const film = await readVideo(path, 'video/x-msvideo')
      assert.deepEqual(dates(film.dates), [[time, offset, 'video']], text)
    }
  })

  it('is the same for exiftool', { skip: withoutExiftool }, async () => {
    // It takes midnight for noon, and reads no seconds behind slashes.
    const judged = SPELLED.filter(
      ([text, , offset]) => offset === null && !/AM$|\/.*:.*:/.test(text),
    )
    for (const [text, time] of judged) {
      const path = await save('judged', list('hdrl', header, stream(), idit(text)))
      const told = execFileSync('exiftool', ['-s3', '-DateTimeOriginal', path], {
        encoding: 'utf8',
      })
      const iso = new Date(time).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', ':')
      assert.equal(told.trim().padEnd(19, ':00'), iso, text)
    }
  })

  it('is found behind the frames, and in the data of a stream', async () => {
    const text = '2005:08:17 11:42:43'
    const taken = [[clock(2005, 7, 17, 11, 42, 43), null, 'video']]
    const behind = await save(
      'behind',
      list('hdrl', header, stream()),
      chunk('JUNK', 'x'),
      idit(text),
    )
    assert.deepEqual(dates((await readVideo(behind, 'video/x-msvideo')).dates), taken)
    const data = chunk('strd', 'CASI\x01\x02', idit(text))
    const hidden = await save('hidden', list('hdrl', header, stream(data)))
    assert.deepEqual(dates((await readVideo(hidden, 'video/x-msvideo')).dates), taken)
  })

  it('is not made up', async () => {
    const texts = ['', '\0', 'Mon Foo 10 15:04:43 2003', '2005:02:30 11:42:43', 'IDIT']
    for (const text of texts) {
      const path = await save('none', list('hdrl', header, stream(), idit(text)))
      assert.deepEqual((await readVideo(path, 'video/x-msvideo')).dates, [], text)
    }
    const endless = chunk('IDIT', '2005:08:17 11:42:43')
    endless.writeUInt32LE(0xffffffff, 4)
    const path = await save('endless', list('hdrl', header, stream(chunk('strd', endless))))
    assert.equal((await readVideo(path, 'video/x-msvideo')).dates.length, 1)
  })

  it('costs little of a file that only holds lists in lists, or much that is no date', async () => {
    const nested = Buffer.alloc(12 * 100_000)
    for (let at = 0; at < nested.length; at += 12) {
      nested.write('LIST', at, 'latin1')
      nested.writeUInt32LE(nested.length - at - 8, at + 4)
      nested.write('hdrl', at + 8, 'latin1')
    }
    const deep = await save('deep', nested)
    assert.deepEqual((await readVideo(deep, 'video/x-msvideo')).dates, [])
    const data = Array.from({ length: 600 }, () => chunk('strd', Buffer.alloc(65_536)))
    const wide = await save('wide', list('hdrl', header, ...data))
    const film = await readVideo(wide, 'video/x-msvideo')
    assert.deepEqual([film.dates, film.exif.rotation], [[], 0])
  })
})

describe('when a camcorder’s transport stream was taken', { skip: withoutFfmpeg }, () => {
  const UUID = Buffer.from('17ee8c60f84d11d98cd60800200c9a66', 'hex')
  let pictures: Buffer
  before(async () => {
    const coded = ['-c:v', 'libx264', '-bf', '0', '-pix_fmt', 'yuv420p', '-f', 'h264']
    pictures = await filmBytes('pictures.h264', coded, 'testsrc=duration=1:size=640x480:rate=5')
  })

  /** A unit of user data, in which no start of another unit seems to be. */
  const userData = (content: Buffer) => {
    const payload = Buffer.concat([UUID, content])
    const sizes = [...Array(Math.floor(payload.length / 255)).fill(255), payload.length % 255]
    const plain = Buffer.from([5, ...sizes, ...payload, 0x80])
    const escaped: number[] = []
    let zeros = 0
    for (const byte of plain) {
      if (zeros >= 2 && byte <= 3) {
        escaped.push(3)
        zeros = 0
      }
      escaped.push(byte)
      zeros = byte === 0 ? zeros + 1 : 0
    }
    return Buffer.from([0, 0, 0, 1, 0x06, ...escaped])
  }
  const mdpm = (packs: number[][]) =>
    userData(Buffer.concat([Buffer.from('MDPM'), Buffer.from([packs.length, ...packs.flat()])]))
  const taken = (zone: number) => [
    [0x13, 0, 0, 0, 0],
    [0x18, zone, 0x20, 0x11, 0x07],
    [0x19, 0x03, 0x00, 0x00, 0x09],
  ]
  const film = async (unit: Buffer, ...options: string[]) => {
    // Before the first picture, behind what describes all of them.
    const at = pictures.indexOf(Buffer.from([0, 0, 1, 0x65]))
    const start = pictures[at - 1] === 0 ? at - 1 : at
    const parts = [pictures.subarray(0, start), unit, pictures.subarray(start)]
    const raw = await madeOnce('dated.h264', ['unit', unit.toString('hex')], (path) =>
      writeFile(path, Buffer.concat(parts)),
    )
    const made = ['-c', 'copy', '-bsf:v', 'setts=ts=N*18000', '-f', 'mpegts', ...options]
    return madeOfFilm(raw, 'dated.mts', made)
  }
  const CARD = ['-mpegts_m2ts_mode', '1']
  const TIME = clock(2011, 6, 3, 0, 0, 9)
  const ZONES: [number, number | null, string][] = [
    [0x02, 60, '+01:00'],
    [0x00, 0, '+00:00'],
    [0x2a, -300, '-05:00'],
    [0x0b, 330, '+05:30'],
    [0x42, 120, '+01:00 DST'],
  ]

  it('is told by its MDPM, with its zone', async () => {
    for (const [zone, offset, shown] of ZONES) {
      const path = await film(mdpm(taken(zone)), ...CARD)
      const { dates: found } = await readVideo(path, 'video/mp2t')
      assert.deepEqual(dates(found), [[TIME, offset, 'video']], shown)
      if (withoutExiftool) continue
      const told = execFileSync('exiftool', ['-s3', '-DateTimeOriginal', path], {
        encoding: 'utf8',
      })
      assert.equal(told.trim(), `2011:07:03 00:00:09${shown}`)
    }
    const { dates: found } = await readVideo(await film(mdpm(taken(0xff)), ...CARD), 'video/mp2t')
    assert.deepEqual(dates(found), [[TIME, null, 'video']])
  })

  it('is told in packets without times, too', async () => {
    const path = await film(mdpm(taken(0x02)))
    assert.deepEqual(dates((await readVideo(path, 'video/mp2t')).dates), [[TIME, 60, 'video']])
  })

  it('is not made up', async () => {
    const units = {
      'no time': mdpm(taken(2).slice(0, 2)),
      'no number': mdpm([
        [0x18, 2, 0xff, 0xff, 0xff],
        [0x19, 0xff, 0xff, 0xff, 0xff],
      ]),
      'cut off': userData(Buffer.from('MDPM')),
      another: userData(Buffer.from('something else')),
    }
    for (const [name, unit] of Object.entries(units)) {
      const path = await film(unit, ...CARD)
      assert.deepEqual((await readVideo(path, 'video/mp2t')).dates, [], name)
    }
  })
})
