import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BoundedFile, withBoundedFile } from '../../../../src/media/bounded-file.ts'
import { readAviDates } from '../../../../src/media/child/film/avi.ts'
import { withinHeads } from '../../../../src/media/child/film/heads.ts'
import { readVideo, readVideoOf } from '../../../../src/media/child/film/video.ts'
import { madeFilm } from '../../../support/media/film.ts'
import { temporaryFolder, without, withoutEncoder } from '../../../support/media/media.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import {
  writeManyBoxes,
  writeManyClusters,
  writeManyTracks,
  writeNestedLists,
  writeNestedSegments,
} from '../../../torture/bombs/films.ts'

describe('the heads of a film', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  const written = async (name: string, write: (path: string) => Promise<void>) => {
    const path = join(folder.path, name)
    await write(path)
    return path
  }
  const read = async (path: string, mime_type: string) => {
    return (await readVideo(path, mime_type)).exif
  }
  /** Returns all that may be read of a film. */
  const bounded = (path: string) =>
    withBoundedFile(path, async (file) => {
      const head = await withinHeads(file)
      assert.ok(head.size <= file.size)
      return head.read(0, head.size)
    })

  it('are all read when there are few', async () => {
    const path = await written('few.mp4', (path) => writeManyTracks(path, 20))
    assert.deepEqual(await bounded(path), await readFile(path))
  })

  it('end with a whole track when there are too many', async () => {
    const path = await written('tracks.mp4', (path) => writeManyTracks(path, 5000))
    const head = await bounded(path)
    const whole = await readFile(path)
    const moov = whole.indexOf('moov') - 4
    // 15 boxes are looked at in every track; `ftyp`, `moov` and `mvhd` come before.
    const tracks = Math.floor((10_000 - 3) / 15)
    const length = whole.readUInt32BE(whole.indexOf('trak') - 4)
    assert.equal(head.length, moov + 8 + 108 + tracks * length)
    assert.equal(head.readUInt32BE(moov), head.length - moov)
    assert.deepEqual(head.subarray(moov + 4), whole.subarray(moov + 4, head.length))
  })

  it('tell of a film with 30,000 tracks what the first ones do', async () => {
    const path = await written('more.mp4', (path) => writeManyTracks(path, 30_000))
    const exif = await read(path, 'video/mp4')
    assert.deepEqual(exif, { duration: 2, width: 64, height: 64, codec: 'avc', rotation: 0 })
  })

  it('say nothing where there is nothing else', async () => {
    const path = await written('boxes.mp4', (path) => writeManyBoxes(path, 1_000_000))
    assert.equal((await bounded(path)).length, 24 + 9999 * 8)
    assert.deepEqual(await read(path, 'video/mp4'), {})
    const nested = await written('nested.webm', (path) => writeNestedSegments(path, 200_000))
    assert.deepEqual(await read(nested, 'video/webm'), {})
    const clusters = await written('clusters.webm', (path) => writeManyClusters(path, 1_000_000))
    assert.deepEqual(await read(clusters, 'video/webm'), {})
  })

  it('are not followed from list to list for ever', async () => {
    const path = await written('lists.avi', (path) => writeNestedLists(path, 20_000))
    const counted = { reads: 0 }
    await withBoundedFile(path, async ({ size, read }) => {
      const counting: BoundedFile = {
        size,
        read(start, end) {
          counted.reads++
          return read(start, end)
        },
      }
      assert.deepEqual(await readAviDates(counting), [])
    })
    assert.equal(counted.reads, 200)
  })

  it('are read in few pieces, however many the library asks for', async () => {
    const path = await written('pieces.webm', (path) => writeManyClusters(path, 1_000_000))
    const counted = { reads: 0 }
    await withBoundedFile(path, ({ size, read }) => {
      const counting: BoundedFile = {
        size,
        read(start, end) {
          counted.reads++
          return read(start, end)
        },
      }
      return readVideoOf(counting, 'video/webm')
    })
    assert.ok(counted.reads < 2000, `${counted.reads}`)
  })

  it('of films of hours are all read', {
    skip: without('ffmpeg', '-version') || withoutEncoder('libvpx'),
  }, async () => {
    const film = (name: string, seconds: number, ...options: string[]) =>
      madeFilm(name, options, `color=c=blue:size=32x32:rate=1:duration=${seconds}`)
    const pieces = ['-movflags', 'frag_every_frame+empty_moov+default_base_moof', '-c:v', 'mpeg4']
    const hour = await film('hour.mp4', 3600, ...pieces)
    assert.equal((await readFile(hour)).toString('latin1').split('moof').length > 3600, true)
    assert.equal((await read(hour, 'video/mp4')).duration, 3600)
    const vp8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '16', '-g', '1']
    const clusters = ['-cluster_time_limit', '1000']
    const two = await film('two.mkv', 7200, ...vp8, ...clusters)
    assert.equal((await read(two, 'video/x-matroska')).duration, 7200)
    // It has neither an index nor a length.
    const live = await film('live.webm', 7200, ...vp8, ...clusters, '-live', '1')
    assert.equal((await read(live, 'video/webm')).duration, 7200)
  })
})
