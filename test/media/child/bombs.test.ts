import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { type Decoder, startDecoder } from '../../../src/media/decoder/decoder.ts'
import { findFfmpeg } from '../../../src/media/ffmpeg.ts'
import { sniff } from '../../../src/media/sniff.ts'
import { gifBomb, pngBomb } from '../../support/media/bombs.ts'
import { filmBytes } from '../../support/media/film.ts'
import { temporaryFolder, without, withoutEncoder } from '../../support/media/media.ts'
import { phoneHeic } from '../../support/media/samples.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { writeApngFrames, writeWebpFrames } from '../../torture/bombs/animations.ts'
import {
  writeEmptyPackets,
  writeManyBoxes,
  writeManyTracks,
  writeNestedLists,
  writeNestedSegments,
} from '../../torture/bombs/films.ts'
import { writeProfile } from '../../torture/bombs/pngs.ts'
import { writeChain } from '../../torture/bombs/tiffs.ts'

/** Megabytes that the decoder may have taken at any time. */
const MEMORY = 450

describe('a bomb', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let decoder: Decoder
  const children: number[] = []
  before(async () => {
    folder = await temporaryFolder()
    const debug = (message: string, fields?: Record<string, unknown>) =>
      void (
        message === 'decoder ready' &&
        fields?.child === 'healthy' &&
        children.push(Number(fields?.pid))
      )
    const silent = () => {}
    decoder = startDecoder({
      log: { debug, info: silent, warn: silent, error: silent },
      ffmpeg: await findFfmpeg('ffmpeg'),
    })
  })
  after(async () => {
    await decoder.close()
    await folder.remove()
  })

  /** Derives the file, with an ordinary picture beside them, and returns what became of them. */
  const explodeAs = async (name: string, write: (path: string) => Promise<void>) => {
    const path = join(folder.path, name)
    await write(path)
    const plain = join(folder.path, 'plain.png')
    await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } }).toFile(plain)
    const derive = (path: string, mime_type: string) =>
      decoder.derive({ path, mime_type, thumbnailPath: `${path}.jpg` })
    const { mime_type } = (await sniff(path))!
    const results = await Promise.all([derive(path, mime_type), derive(plain, 'image/png')])
    assert.equal(results[1].state, 'made')
    await isModest()
    return results[0].state
  }
  const explode = (name: string, bytes: Uint8Array) =>
    explodeAs(name, (path) => writeFile(path, bytes))
  /** One child did all that others do beside it, and never took much. */
  const isModest = async () => {
    assert.equal(children.length, 1)
    if (process.platform !== 'linux') return
    const status = await readFile(`/proc/${children[0]}/status`, 'utf8')
    const megabytes = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1000
    assert.ok(megabytes < MEMORY, `${megabytes} MB`)
  }

  it('of 900 million pixels in a hundred kilobytes fails', async () => {
    const png = await pngBomb(30_000, 30_000)
    assert.ok(png.length < 120_000)
    assert.equal(await explode('large.png', png), 'failed')
  })

  it('of 256 million pixels is shrunk row by row', async () => {
    assert.equal(await explode('rows.png', await pngBomb(16_000, 16_000)), 'made')
  })

  it('that would have to be held whole fails', async () => {
    const rgba16 = { interlaced: true, depth: 16, colour: 6, present: 1_000_000 }
    assert.equal(await explode('whole.png', await pngBomb(16_000, 16_000, rgba16)), 'failed')
  })

  it('of a million frames shows the first one', async () => {
    assert.equal(await explode('frames.gif', gifBomb(1_000_000, 1000)), 'made')
    const write = (path: string) => writeWebpFrames(path, 100_000, 1000)
    assert.equal(await explodeAs('frames.webp', write), 'made')
    assert.equal(await explodeAs('frames.png', (path) => writeApngFrames(path, 10_000, 64)), 'made')
  })

  it('whose profile is large shows its picture', async () => {
    assert.equal(await explodeAs('profile.png', (path) => writeProfile(path, 500_000_000)), 'made')
  })

  it('of a hundred thousand directories shows the first one', async () => {
    assert.equal(await explodeAs('chain.tif', (path) => writeChain(path, 100_000)), 'made')
  })

  it('that is a film without end and without a picture fails', async () => {
    const empty = Buffer.alloc(188, 0xff)
    empty.set([0x47, 0x1f, 0xff, 0x10])
    assert.equal(await explode('endless.mts', Buffer.alloc(188 * 200_000, empty)), 'failed')
    const header = Buffer.from('1a45dfa387428284', 'hex')
    const segment = Buffer.from('1853806701ffffffffffffff', 'hex')
    const cluster = Buffer.from('1f43b67501ffffffffffffff', 'hex')
    const endless = [header, Buffer.from('webm'), segment, Buffer.alloc(10_000_000, cluster)]
    assert.equal(await explode('endless.webm', Buffer.concat(endless)), 'failed')
  })

  it('of parts that hold nothing fails', async () => {
    const films: [string, (path: string) => Promise<void>][] = [
      ['tracks.mp4', (path) => writeManyTracks(path, 5000)],
      ['boxes.mp4', (path) => writeManyBoxes(path, 300_000)],
      ['nested.webm', (path) => writeNestedSegments(path, 20_000)],
      ['lists.avi', (path) => writeNestedLists(path, 200_000)],
      ['empty.mts', (path) => writeEmptyPackets(path, 50_000)],
    ]
    for (const [name, write] of films) assert.equal(await explodeAs(name, write), 'failed', name)
  })

  it('that is only the beginning of a film fails', {
    skip: without('ffmpeg', '-version'),
  }, async () => {
    const film = await filmBytes('film.mp4', ['-c:v', 'mpeg4', '-movflags', 'faststart'])
    const index = film.indexOf('moov')
    for (const [name, end] of Object.entries({ 'a.mp4': 100, 'b.mp4': index + 500 })) {
      assert.equal(await explode(name, film.subarray(0, end)), 'failed')
    }
  })

  it('leaves room for the picture of a phone', { skip: withoutEncoder('libx265') }, async () => {
    assert.equal(await explode('phone.heic', await readFile(await phoneHeic())), 'made')
  })
})
