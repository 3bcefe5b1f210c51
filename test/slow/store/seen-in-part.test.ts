import assert from 'node:assert/strict'
import { deriveStored } from '../../../src/files/content/derivatives.ts'
import { openBlanked } from '../../../src/media/blanked-contents.ts'
import { blobOf } from '../../support/files.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { filmBytes } from '../../support/media/film.ts'
import { box } from '../../support/media/iso-film.ts'
import { without } from '../../support/media/media.ts'
import { after, before, describe, it } from '../../support/test.ts'

const MiB = 2 ** 20
const FILLER = 45 * MiB
const MIDDLE = 35 * MiB
// What the store is asked for: the first and the last bytes, in pieces of at most 8 MiB.
const [BEGINNING, END] = [32 * MiB, 8 * MiB]

describe('a content that is larger than all copies of a store may be', () => {
  let library: Library
  let token: string
  before(async () => {
    library = await openLibrary({
      ...{ CONTENTS: 's3', CONTENTS_CACHE: '1MiB', FFMPEG_PATH: 'ffmpeg' },
    })
    token = (await library.join('Ann', { can_create: true })).token
  })
  after(() => library.close())

  const upload = async (bytes: Uint8Array, name: string) => {
    const { status, body, text } = await library.upload(token, bytes, name)
    assert.equal(status, 201, text)
    library.store!.asked.length = 0
    return { id: body.id as string, blob: blobOf(library.deps.db, body.id) }
  }
  /** Returns how many bytes the store was asked for since the upload, and by how many requests. */
  const read = () => {
    const ranges = library.store!.asked.flatMap(({ headers }) => headers.range ?? [])
    const sizes = ranges.map((range) => {
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range)!
      return Number(end) - Number(start) + 1
    })
    return { requests: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
  }

  it('says of a film what is in its first and its last bytes, and shows its picture', {
    skip: without('ffmpeg', '-version'),
  }, async () => {
    const options = ['-c:v', 'mpeg4', '-metadata', 'creation_time=2019-07-14T10:00:00Z']
    const film = await filmBytes('long.mp4', options)
    const moov = film.lastIndexOf('moov') - 4
    const filler = box('free', Buffer.alloc(FILLER))
    const bytes = Buffer.concat([film.subarray(0, moov), filler, film.subarray(moov)])
    const { id, blob } = await upload(bytes, 'long.mp4')
    const file = { blob, mime_type: 'video/mp4' }
    const { looks, dates, state } = await deriveStored(library.deps, file, { isSecondTry: false })
    assert.deepEqual(read(), { requests: 5, bytes: BEGINNING + END })
    assert.deepEqual([looks?.width, looks?.height, looks?.duration], [320, 240, 1])
    assert.equal(state, 'made')
    assert.match(JSON.stringify(dates), /2019-07-14|1563098400/)

    library.store!.asked.length = 0
    const range = { Range: `bytes=${MIDDLE}-${MIDDLE + 65_535}` }
    const seek = await library.fetchRaw('GET', `/files/${id}/content`, { token, headers: range })
    assert.equal(seek.status, 206)
    const sent = Buffer.from(await seek.arrayBuffer())
    assert.ok(sent.equals(bytes.subarray(MIDDLE, MIDDLE + 65_536)))
    assert.deepEqual(read(), { requests: 1, bytes: 65_536 })
  })

  it('is not seen through: a picture is not decoded, and nothing goes to strangers', async () => {
    const bytes = Buffer.concat([await picture(1), Buffer.alloc(FILLER)])
    const { blob } = await upload(bytes, 'large.jpg')
    const file = { blob, mime_type: 'image/jpeg' }
    const derived = await deriveStored(library.deps, file, { isSecondTry: false })
    const { looks, state, is_damaged } = derived
    assert.deepEqual([looks?.width, looks?.height, state, is_damaged], [48, 32, 'failed', false])
    assert.deepEqual(read(), { requests: 5, bytes: BEGINNING + END })
    const { storage, decoder } = library.deps
    assert.equal(await openBlanked(storage, decoder).open({ ...file, size: bytes.length }, 1), null)
  })
})
