import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BoundedFile, withBoundedFile, withinBounds } from '../../src/media/bounded-file.ts'
import { readVideo, readVideoOf } from '../../src/media/child/film/video.ts'
import { filmOf } from '../support/dates/contents.ts'
import { filmBytes } from '../support/media/film.ts'
import { without } from '../support/media/media.ts'
import { after, before, describe, it } from '../support/test.ts'

const MADE = Date.UTC(2019, 6, 1, 12)

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tagstead-bounded-'))
})
after(() => rmSync(folder, { recursive: true }))

const save = (name: string, content: string | Buffer) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const { errno: errnos } = constants

const errorOf = (code: 'EIO' | 'EACCES') =>
  Object.assign(new Error(`${code}: bad sector`), { code, errno: -errnos[code] })

/** A file on a disk that fails at some of its reads, by their number; and how many there were. */
function failingAt(isBad: (nth: number) => boolean, bytes: Buffer, code: 'EIO' | 'EACCES' = 'EIO') {
  const counted = { reads: 0 }
  const read = async (start: number, end: number) => {
    if (isBad(++counted.reads)) throw errorOf(code)
    return bytes.subarray(start, end)
  }
  return { counted, file: { size: bytes.length, read } satisfies BoundedFile }
}

describe('a file of which a limited amount is read', () => {
  it('is read up to the limit, that what is refused takes nothing of', async () => {
    const path = save('ten', '0123456789')
    const use = async (file: BoundedFile) => {
      await assert.rejects(file.read(0, 9), /more than may be read/)
      assert.equal(String(await file.read(0, 6)), '012345')
      await assert.rejects(file.read(0, 3), /more than may be read/)
      return String(await file.read(8, 100))
    }
    assert.equal(await withBoundedFile(path, use, 8), '89')
  })

  it('has the errors of its reader, when the disk met none', async () => {
    const path = save('some', 'some')
    await assert.rejects(
      withBoundedFile(path, async () => {
        throw new Error('broken')
      }),
      /^Error: broken$/,
    )
  })

  it('has the first error of the disk, whatever its reader makes of it', async () => {
    const swallow = async ({ read }: BoundedFile) => {
      await read(0, 1)
      return read(1, 2).catch(() => read(2, 3).catch(() => 'nothing'))
    }
    const replace = (file: BoundedFile) =>
      swallow(file).then(() => {
        throw new Error('broken')
      })
    for (const use of [swallow, replace]) {
      const { counted, file } = failingAt((nth) => nth > 1, Buffer.from('some'), 'EACCES')
      await assert.rejects(withinBounds<unknown>(file, use), { code: 'EACCES' })
      assert.equal(counted.reads, 3)
    }
    // A folder can be opened, but not read.
    const first = ({ read }: BoundedFile) => read(0, 1).catch(() => null)
    await assert.rejects(withBoundedFile(folder, first), { code: 'EISDIR' })
  })

  it('has no error of the disk at places that no file has', async () => {
    const path = save('places', 'places')
    for (const place of [-2, 0.5, Number.NaN]) {
      const use = async ({ read }: BoundedFile) => {
        await read(place, 3).catch(() => null)
        return String(await read(0, 2))
      }
      assert.equal(await withBoundedFile(path, use), 'pl', String(place))
    }
  })
})

describe('a film that the disk can not read', () => {
  /** Reads a film once for each of its reads, at which the disk fails. */
  async function assertThrown(bytes: Buffer, mime_type: string): Promise<void> {
    const whole = failingAt(() => false, bytes)
    await withinBounds(whole.file, (file) => readVideoOf(file, mime_type))
    assert.ok(whole.counted.reads > 1)
    for (let bad = 1; bad <= whole.counted.reads; bad++) {
      const { file } = failingAt((nth) => nth === bad, bytes)
      const reading = withinBounds(file, (bounded) => readVideoOf(bounded, mime_type))
      await assert.rejects(reading, { code: 'EIO' }, `read ${bad} of a ${mime_type}`)
    }
  }

  it('is not taken for one that says nothing, wherever that is', async () => {
    const film = filmOf(MADE)
    const { dates } = await readVideo(save('film.mp4', film), 'video/mp4')
    assert.deepEqual(dates, [{ clock: MADE, offset: 0, source: 'video' }])
    await assertThrown(film, 'video/mp4')
  })

  for (const [name, mime_type, ...options] of [
    ['film.mkv', 'video/x-matroska', '-c:v', 'libx264'],
    ['film.avi', 'video/x-msvideo', '-c:v', 'mjpeg'],
    ['film.mts', 'video/mp2t', '-c:v', 'mpeg2video'],
  ] as const) {
    it(`is not taken for one in ${name} either`, {
      skip: without('ffmpeg', '-version'),
    }, async () => {
      const shows = 'testsrc=duration=1:size=96x64:rate=5'
      await assertThrown(await filmBytes(name, options, shows), mime_type)
    })
  }
})
