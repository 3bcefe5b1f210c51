import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { type Library, openLibrary } from '../../support/harness.ts'

describe('uploads while the decoder is killed', () => {
  let library: Library
  let token: string
  let large: Uint8Array

  before(async () => {
    library = await openLibrary({}, { silenceLimit: 2000 })
    token = (await library.join('ann', { can_create: true })).token
    // Large enough that the signal meets it while it is being decoded.
    large = await sharp({
      create: {
        width: 4000,
        height: 3000,
        channels: 3,
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
        background: '#000',
      },
    })
      .jpeg()
      .toBuffer()
  })
  after(() => library.close())

  /** The process that runs now and decodes what is no suspect. */
  const decoderPid = () =>
    library.logged
      .map(({ message, fields }) => (message === 'decoder ready' ? fields : undefined))
      .filter((fields) => fields?.child === 'healthy')
      .at(-1)?.pid as number

  for (const signal of ['SIGKILL', 'SIGSEGV', 'SIGSTOP'] as const) {
    it(`are all answered, with their thumbnails, after a ${signal}`, {
      timeout: 60_000,
    }, async () => {
      await library.upload(token, large)
      const uploads = Array.from({ length: 4 }, () => library.upload(token, large))
      process.kill(decoderPid(), signal)
      const answers = await Promise.all(uploads)
      for (const { status, body } of answers) {
        assert.equal(status, 201)
        assert.equal(typeof body.phash, 'number')
        const thumbnail = await library.fetchRaw('GET', `/files/${body.id}/thumbnail`, { token })
        const { width, height } = await sharp(await thumbnail.arrayBuffer()).metadata()
        assert.deepEqual({ width, height }, { width: 320, height: 240 })
      }
      const { status } = await library.upload(token, large)
      assert.equal(status, 201)
    })
  }
})
