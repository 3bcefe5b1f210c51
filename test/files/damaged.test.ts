import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { rescan } from '../../src/duplicates/rescan/rescan.ts'
import { form, type Library, openLibrary } from '../support/harness.ts'
import { WEBM } from '../support/media/fake-ffmpeg.ts'

let library: Library
let token: string
let photo: Sharp
before(async () => {
  library = await openLibrary()
  token = (await library.join('Ann', { can_create: true })).token
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  photo = sharp({ create: { width: 900, height: 600, channels: 3, background: '#888', noise } })
})
after(() => library.close())

/** Returns the field of a File after the upload of a content, and as it is read afterwards. */
async function told(bytes: Uint8Array, name: string): Promise<boolean> {
  const { status, body } = await library.upload(token, bytes, name)
  assert.equal(status, 201, name)
  const read = await library.call('GET', `/files/${body.id}`, { token })
  assert.equal(read.body.is_damaged, body.is_damaged)
  return body.is_damaged
}

const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2))

function withBrokenMiddle(bytes: Buffer): Buffer {
  const broken = Buffer.from(bytes)
  for (let n = 0; n < 400; n++) broken[Math.floor(bytes.length / 2) + n] = n * 37
  return broken
}

describe('a picture', () => {
  it('seems damaged when a part of it is missing, whatever its format', async () => {
    const formats = {
      'cut.jpg': await photo.jpeg().toBuffer(),
      'cut in a later pass.jpg': await photo.jpeg({ progressive: true }).toBuffer(),
      'cut.png': await photo.png().toBuffer(),
      'cut.gif': await photo.gif().toBuffer(),
      'cut.webp': await photo.webp().toBuffer(),
    }
    for (const [name, bytes] of Object.entries(formats)) {
      assert.equal(await told(bytes, name), false, `all of ${name}`)
      assert.equal(await told(half(bytes), name), true, name)
    }
  })

  it('seems damaged when it is broken inside, or after its first bytes', async () => {
    assert.equal(await told(withBrokenMiddle(await photo.jpeg().toBuffer()), 'a.jpg'), true)
    assert.equal(await told(withBrokenMiddle(await photo.png().toBuffer()), 'a.png'), true)
    assert.equal(await told(Buffer.from('\xff\xd8\xff and no more', 'latin1'), 'b.jpg'), true)
  })

  it('still has the thumbnail of what is left', async () => {
    const { body } = await library.upload(token, half(await photo.jpeg().toBuffer()), 'cut.jpg')
    assert.deepEqual([body.is_damaged, body.width, body.height], [true, 900, 600])
    assert.notEqual(body.phash, null)
    const thumbnail = await library.fetchRaw('GET', `/files/${body.id}/thumbnail`, { token })
    assert.notEqual(thumbnail.headers.get('ETag'), '"placeholder"')
  })

  it('does not seem damaged by what some cameras write, or when nobody can tell', async () => {
    const jpeg = await photo.jpeg().toBuffer()
    // A byte too many before a marker.
    const marker = jpeg.indexOf(Buffer.from([0xff, 0xc4]))
    const padded = Buffer.concat([jpeg.subarray(0, marker), Buffer.alloc(1), jpeg.subarray(marker)])
    assert.equal(await told(padded, 'padded.jpg'), false)
    const longer = Buffer.concat([jpeg, Buffer.alloc(5000)])
    assert.equal(await told(longer, 'with a film behind it.jpg'), false)
    // There is no ffmpeg here.
    assert.equal(await told(WEBM, 'film.webm'), false)
  })

  it('is no longer damaged once its content is replaced by a whole one', async () => {
    const jpeg = await photo.jpeg({ quality: 70 }).toBuffer()
    const { body } = await library.upload(token, half(jpeg), 'cut.jpg')
    const whole = form(jpeg, 'whole.jpg')
    const replaced = await library.call('PUT', `/files/${body.id}/content`, { token, body: whole })
    assert.deepEqual([body.is_damaged, replaced.body.is_damaged], [true, false])
  })

  it('that could not be decoded at once tells it when it is', async () => {
    const { deps } = library
    const { body } = await library.upload(token, half(await photo.png().toBuffer()), 'cut.png')
    deps.db.run(
      `UPDATE file_details SET derivative_state = 'pending', is_damaged = 0
       WHERE file_rid = (SELECT max(rid) FROM files)`,
    )
    const rescans = await library.call('GET', `/files/${body.id}`, { token })
    assert.equal(rescans.body.is_damaged, false)
    for await (const _ of rescan(deps, { id: 0, name: 'system' })) {
      // Its end is what counts.
    }
    const read = await library.call('GET', `/files/${body.id}`, { token })
    assert.equal(read.body.is_damaged, true)
  })
})
