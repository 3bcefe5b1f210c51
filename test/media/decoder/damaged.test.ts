import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { startDecoder } from '../../../src/media/decoder/decoder.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import {
  writeLongChunk,
  writeLongFragment,
  writeManyFragments,
  writeManyKeys,
  writeManyOffsets,
  writeManyPlaces,
  writeManyTimes,
} from '../../torture/bombs/counts.ts'

/** Each kept the decoder deaf until it was killed. */
describe('a file with a wrong number', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  const logged: string[] = []
  const hear = (message: string) => logged.push(message)
  const log = { debug: hear, info: hear, warn: hear, error: hear }
  const decoder = startDecoder({ log, silenceLimit: 3000 })
  before(async () => {
    folder = await temporaryFolder()
  })
  after(async () => {
    await decoder.close()
    await folder.remove()
  })
  const facts = { width: 64, height: 64, codec: 'avc', rotation: 0 }

  const films: [name: string, write: (path: string) => Promise<void>, duration?: number][] = [
    ['a chunk', writeLongChunk],
    ['times', writeManyTimes, 2],
    ['offsets', (path) => writeManyOffsets(path, 100), 2],
    ['a fragment', writeLongFragment],
    ['fragments', (path) => writeManyFragments(path, 1000, 2 ** 20)],
    ['places of fragments', (path) => writeManyPlaces(path, 1_000_000), 0.04],
    ['names of tags', (path) => writeManyKeys(path, true), 2],
    ['names of tags of QuickTime', (path) => writeManyKeys(path, false), 2],
  ]
  for (const [name, write, duration] of films) {
    it(`is read without ${name} where a film has too many`, async () => {
      const path = join(folder.path, 'film.mp4')
      await write(path)
      const read = await decoder.read({ path, mime_type: 'video/mp4' })
      assert.deepEqual(read?.facts?.exif, { ...facts, ...(duration && { duration }) })
      assert.ok(!logged.includes('decoder died'))
    })
  }

  it('has no EXIF behind a box of no length', async () => {
    const path = join(folder.path, 'picture.avif')
    const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
    const bytes = await picture.avif().toBuffer()
    bytes.writeUInt32BE(0, bytes.readUInt32BE(0))
    bytes.write('free', bytes.readUInt32BE(0) + 4)
    await writeFile(path, bytes)
    const read = await decoder.read({ path, mime_type: 'image/avif' })
    assert.deepEqual(read?.facts?.exif, {})
    assert.ok(!logged.includes('decoder died'))
  })
})
