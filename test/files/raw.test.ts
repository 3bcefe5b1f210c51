import assert from 'node:assert/strict'
import sharp from 'sharp'
import { MIME_TYPES } from '../../src/media/sniff.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { losslessOf, RAWS, type RawPictures } from '../support/media/raws.ts'
import { after, before, describe, it } from '../support/test.ts'
import { type SignedInPage, send, signInToPage } from '../support/web-session.ts'

let library: Library
let page: SignedInPage
let pictures: RawPictures
before(async () => {
  library = await openLibrary()
  await library.addUser('Ann', { can_create: true })
  page = await signInToPage(library, 'Ann')
  const jpeg = (width: number, height: number) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    return sharp({ create: { width, height, channels: 3, background: '#888', noise } })
      .jpeg()
      .toBuffer()
  }
  const raw = losslessOf(await jpeg(2400, 1600))
  pictures = { large: await jpeg(2100, 1400), small: await jpeg(160, 120), raw }
})
after(() => library.close())

const JXL = Buffer.from('ff0afa1f', 'hex')
const add = async (bytes: Uint8Array, name = 'picture.raw') => {
  const { status, body } = await library.upload(page.access_token, bytes, name)
  assert.equal(status, 201)
  return body
}
const get = (path: string, headers = {}) =>
  library.fetchRaw('GET', path, { token: page.access_token, headers })
const ofPage = (id: string, kind: string) =>
  send(library, page.jar, 'GET', `/web/media/${page.media}/${id}/${kind}`)
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const sizeOf = async (response: Response) => {
  assert.equal(response.headers.get('Content-Type'), 'image/jpeg')
  const { autoOrient } = await sharp(await bytesOf(response)).metadata()
  return [autoOrient.width, autoOrient.height]
}

describe('a RAW', () => {
  it('is taken with its type and date, and shown by its largest picture', async () => {
    const alone = await add(pictures.large, 'alone.jpg')
    for (const [mime_type, make] of Object.entries(RAWS)) {
      const file = await add(make(pictures))
      assert.equal(file.mime_type, mime_type)
      assert.equal(file.mime_extension, MIME_TYPES.get(mime_type))
      assert.deepEqual([file.width, file.height, file.is_damaged], [2100, 1400, false], mime_type)
      assert.equal(file.phash, alone.phash, mime_type)
      if (mime_type !== 'image/x-fuji-raf') {
        assert.match(file.content_datetime, /^2021-03-04/, mime_type)
        assert.deepEqual([file.exif.latitude, file.exif.longitude], [48.5, 16.25])
      }
      assert.deepEqual(await sizeOf(await get(`/files/${file.id}/thumbnail`)), [320, 213])
      assert.deepEqual(await sizeOf(await get(`/files/${file.id}/preview`)), [1920, 1280])
      assert.deepEqual(await sizeOf(await ofPage(file.id, 'full')), [2100, 1400])
    }
  })

  it('is turned as it says', async () => {
    const bytes = RAWS['image/x-canon-cr2']!({ ...pictures, orientation: 6 })
    const file = await add(bytes)
    assert.deepEqual([file.width, file.height], [1400, 2100])
    assert.deepEqual(await sizeOf(await get(`/files/${file.id}/thumbnail`)), [213, 320])
    assert.deepEqual(await sizeOf(await ofPage(file.id, 'full')), [1400, 2100])
  })

  it('is downloaded as it came, and is never sent to be shown', async () => {
    const bytes = RAWS['image/x-sony-arw']!(pictures)
    const { id } = await add(bytes, 'sea.ARW')
    const path = `/files/${id}/content`
    for (const response of [await get(path), await ofPage(id, 'content')]) {
      assert.equal(response.headers.get('Content-Type'), 'application/octet-stream')
      assert.equal(response.headers.get('Content-Disposition'), 'attachment; filename="sea.ARW"')
      const ETag = response.headers.get('ETag')!
      assert.deepEqual(await bytesOf(response), bytes)
      assert.equal((await get(path, { 'If-None-Match': ETag })).status, 304)
    }
    const shown = await get(`${path}?inline=1`)
    assert.equal(shown.headers.get('Content-Disposition'), 'inline; filename="sea.ARW.jpg"')
    const etag = shown.headers.get('ETag')!
    assert.deepEqual(await sizeOf(shown), [1920, 1280])
    const again = await get(`${path}?inline=1`, { 'If-None-Match': etag })
    assert.equal(again.status, 304)
  })

  it('without a picture has the placeholder, and is not damaged', async () => {
    const none = Buffer.from('no picture')
    const bytes = RAWS['image/x-nikon-nef']!({ ...pictures, large: none, small: none })
    for (const content of [bytes, JXL]) {
      const file = await add(content)
      assert.deepEqual([file.width, file.phash, file.is_damaged], [null, null, false])
      for (const kind of ['thumbnail', 'preview']) {
        const response = await get(`/files/${file.id}/${kind}`)
        assert.equal(response.headers.get('ETag'), '"placeholder"')
      }
    }
  })

  it('seems damaged if its picture is broken', async () => {
    const large = Buffer.from(pictures.large)
    large.fill(0, Math.floor(large.length / 2))
    assert.equal((await add(RAWS['image/x-adobe-dng']!({ ...pictures, large }))).is_damaged, true)
  })
})

describe('JPEG XL', () => {
  it('is taken, and is never sent to be shown', async () => {
    const file = await add(JXL, 'sea.jxl')
    assert.deepEqual([file.mime_type, file.mime_extension], ['image/jxl', 'jxl'])
    const content = await ofPage(file.id, 'content')
    assert.equal(content.headers.get('Content-Type'), 'application/octet-stream')
    assert.deepEqual(await bytesOf(content), JXL)
  })

  it('says when it was taken', async () => {
    const box = (name: string, body: Uint8Array) => {
      const head = Buffer.alloc(8)
      head.writeUInt32BE(8 + body.length)
      head.write(name, 4, 'latin1')
      return Buffer.concat([head, body])
    }
    const told = { IFD2: { DateTimeOriginal: '2022:06:07 08:09:10' } }
    const { exif } = await sharp(await sharp(pictures.small).withExif(told).toBuffer()).metadata()
    const bytes = Buffer.concat([
      box('JXL ', Buffer.from('0d0a870a', 'hex')),
      box('ftyp', Buffer.from('jxl \0\0\0\0jxl ')),
      box('Exif', Buffer.concat([Buffer.alloc(4), exif!.subarray('Exif\0\0'.length)])),
      box('jxlc', JXL),
    ])
    const file = await add(bytes, 'sea.jxl')
    assert.equal(file.mime_type, 'image/jxl')
    assert.match(file.content_datetime, /^2022-06-07/)
  })
})
