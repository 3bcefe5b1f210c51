import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { jpegWith } from '../../support/dates/contents.ts'
import { assertError, inventory } from '../../support/files.ts'
import { picture as image } from '../../support/harness.ts'
import { type Folders, openFolders } from '../../support/import-folders.ts'
import { putFile, runImport } from '../../support/imports.ts'
import { jpegWith as jpegIn } from '../../support/media/embedded.ts'
import { madeFilm } from '../../support/media/film.ts'
import { withMore } from '../../support/media/iso-film.ts'
import { appleExif, IDENTIFIER, IDENTIFIER_KEY, keyBox } from '../../support/media/living.ts'
import { without } from '../../support/media/media.ts'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'

const skip = without('ffmpeg', '-version')
const PAIR = { pair: '1' }

let on: Folders
let ann: string
before(async () => {
  on = await openFolders()
  ann = (await on.library.join('Ann', { can_create: true })).token
})
after(() => on.close())
beforeEach(() => on.clear())

// Each pair is taken at a time of its own.
let shots = 0
/** Returns the picture and the film of a camera without marks, taken a second apart. */
async function shoot(camera = { Make: 'Acme', Model: 'One' }) {
  const minute = String(shots++).padStart(2, '0')
  const IFD2 = { DateTimeOriginal: `2021:06:07 08:${minute}:10`, OffsetTimeOriginal: '+02:00' }
  const time = `creation_time=2021-06-07T06:${minute}:11Z`
  const film = await madeFilm(
    'live.mov',
    ['-c:v', 'mpeg4', '-metadata', time],
    'testsrc=duration=2:size=32x32:rate=5',
  )
  const picture = await jpegWith({ exif: { IFD0: camera, IFD2 } }, shots)
  return { picture, film: readFileSync(film) }
}

const call = (method: string, path: string, body?: unknown, token = ann) =>
  on.library.call(method, path, { token, body })
const get = async (id: string, token = ann) =>
  (await call('GET', `/files/${id}`, undefined, token)).body
const pairs = () => on.library.deps.db.all('SELECT * FROM companions').length
const undo = async (operation: unknown, token = ann) =>
  (await call('POST', `/operations/${operation}/undo`, undefined, token)).body
const uploaded = async (bytes: Uint8Array, name: string, fields = {}) => {
  const answer = await on.library.upload(ann, bytes, name, fields)
  assert.equal(answer.status, 201, answer.text)
  return { ...answer.body, operation: answer.headers.get('Operation') }
}

describe('uploads of a picture and its film', { skip }, () => {
  it('make one of both, whichever comes first, if the second says so', async () => {
    for (const first of ['picture', 'film']) {
      const { picture, film } = await shoot()
      const sendPicture = (fields = {}) => uploaded(picture, 'IMG_1.JPG', fields)
      const sendFilm = (fields = {}) => uploaded(film, 'img_1.mov', fields)
      if (first === 'picture') {
        const { id } = await sendPicture()
        const second = await sendFilm(PAIR)
        assert.equal(second.companion_of, id)
        assert.equal((await get(id)).companion_of, null)
      } else {
        const { id } = await sendFilm(PAIR)
        assert.equal((await get(id)).companion_of, null)
        const second = await sendPicture(PAIR)
        assert.equal(second.companion_of, null)
        assert.equal((await get(id)).companion_of, second.id)
      }
    }
  })

  it('are recorded as a change of the film in the operation of the second, whose undo parts them', async () => {
    const { picture, film } = await shoot()
    const first = await uploaded(film, 'IMG_2.MOV')
    const second = await uploaded(picture, 'IMG_2.JPG', PAIR)
    const entries = on.library.deps.db.all<{ action: string; details: string }>(
      `SELECT action, details FROM audit_log WHERE operation = ?
       AND user_id = (SELECT id FROM users WHERE name = 'Ann') ORDER BY id`,
      second.operation,
    )
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['file_create', 'file_edit'],
    )
    const changes = { companion_of: { from: null, to: second.id } }
    assert.deepEqual(JSON.parse(entries[1]!.details), { changes })
    assert.equal((await undo(second.operation)).undone, 2)
    assert.equal((await get(first.id)).companion_of, null)
    assert.equal((await get(second.id)).is_deleted, true)
  })

  it('make one by the identifier in both, whatever their names and dates say', async () => {
    const note = appleExif({ 17: IDENTIFIER })
    const marked = jpegIn(Buffer.from(await image()), [[0xe1, 'Exif\0\0', note]])
    const { film } = await shoot()
    const picture = await uploaded(marked, 'edited.jpg')
    const other = withMore(film, keyBox(IDENTIFIER_KEY, IDENTIFIER.replace('0', '1'), false))
    assert.equal((await uploaded(other, 'edited.mov', PAIR)).companion_of, null)
    const same = withMore(film, keyBox(IDENTIFIER_KEY, IDENTIFIER, false))
    assert.equal((await uploaded(same, 'IMG_0.MOV', PAIR)).companion_of, picture.id)
  })

  it('stay two without the word, or with that of the first alone', async () => {
    for (const fields of [{}, { pair: '' }]) {
      const { picture, film } = await shoot()
      await uploaded(picture, 'IMG_3.JPG', PAIR)
      assert.equal((await uploaded(film, 'IMG_3.MOV', fields)).companion_of, null)
    }
  })

  it('stay two of two people', async () => {
    const { film } = await shoot()
    shots--
    const { picture } = await shoot()
    const bob = (await on.library.join('Bob', { can_create: true })).token
    const others = await on.library.upload(bob, picture, 'IMG_4.JPG', PAIR)
    assert.equal(others.status, 201)
    assert.equal((await uploaded(film, 'IMG_4.MOV', PAIR)).companion_of, null)
  })

  it('make one pair when both come at once', async () => {
    const before = pairs()
    for (let n = 0; n < 4; n++) {
      const { picture, film } = await shoot()
      await Promise.all([
        uploaded(picture, `IMG_5${n}.JPG`, PAIR),
        uploaded(film, `IMG_5${n}.MOV`, PAIR),
      ])
      assert.equal(pairs(), before + n + 1)
    }
  })

  it('make no pair of a file that was there already', async () => {
    const { picture, film } = await shoot()
    const there = await uploaded(picture, 'IMG_6.JPG')
    await uploaded(film, 'IMG_6.MOV')
    const state = [pairs(), inventory(on.library)]
    const again = await on.library.upload(ann, picture, 'IMG_6.JPG', {
      ...PAIR,
      on_duplicate: 'skip',
    })
    assert.deepEqual([again.status, again.body.id], [200, there.id])
    assert.deepEqual([pairs(), inventory(on.library)], state)
  })

  it('still make one when the server was restarted between them', async () => {
    const { picture, film } = await shoot()
    const { id } = await uploaded(picture, 'IMG_7.JPG', PAIR)
    await on.library.restart()
    assert.equal((await uploaded(film, 'IMG_7.MOV', PAIR)).companion_of, id)
  })

  it('refuse any other word', async () => {
    const { picture } = await shoot()
    for (const pair of ['0', 'true', '2']) {
      const answer = await on.library.upload(ann, picture, 'IMG_8.JPG', { pair })
      assertError(answer, 400, 'validation_error', ['pair'])
    }
  })
})

describe('an import of a picture and its film', { skip }, () => {
  const put = (path: string, bytes: Uint8Array, seconds: number) => {
    const [name, ...folders] = path.split('/').reverse()
    const folder = folders.length > 0 ? on.fill(folders.reverse().join('/'), 0) : on.base
    putFile(folder, name!, bytes, seconds)
  }
  const run = () => runImport(on.library, on.admin, undefined, { recursive: true })
  /** Returns the names of the films that were imported last, each with that of its picture. */
  const last = async (count: number) => {
    const { items } = (
      await call('GET', `/files?sort=created&order=desc&limit=${count}`, undefined, on.admin)
    ).body
    const pictures = new Map(
      items.map((file: { id: string; original_name: string }) => [file.id, file.original_name]),
    )
    return items
      .filter((file: { mime_type: string }) => file.mime_type.startsWith('video/'))
      .map((file: { companion_of: string }) => pictures.get(file.companion_of) ?? null)
  }

  it('makes one of both, in one folder, whichever is older', async () => {
    for (const seconds of [-1, 1]) {
      const { picture, film } = await shoot()
      put('a/IMG_1.JPG', picture, 0)
      put('a/IMG_1.MOV', film, seconds)
      await run()
      assert.deepEqual(await last(2), ['IMG_1.JPG'])
    }
  })

  it('leaves two what lies in two folders, even of one name', async () => {
    const { picture, film } = await shoot()
    put('a/x/IMG_2.JPG', picture, 0)
    put('b/x/IMG_2.MOV', film, 1)
    await run()
    assert.deepEqual(await last(2), [null])
  })

  it('tells those of two folders apart', async () => {
    const [one, other] = [await shoot(), await shoot()]
    for (const [n, folder] of ['a', 'b'].entries()) {
      put(`${folder}/IMG_3.JPG`, one.picture, n)
      put(`${folder}/IMG_3.MOV`, one.film, n + 2)
    }
    put('IMG_4.MOV', other.film, 5)
    put('IMG_4.JPG', other.picture, 6)
    await run()
    assert.deepEqual((await last(6)).toSorted(), ['IMG_3.JPG', 'IMG_3.JPG', 'IMG_4.JPG'])
  })

  it('leaves two what two runs brought, as when the first one was killed', async () => {
    const { picture, film } = await shoot()
    put('IMG_5.JPG', picture, 0)
    await run()
    await on.library.restart()
    put('IMG_5.MOV', film, 1)
    await run()
    assert.deepEqual(await last(2), [null])
  })

  it('is undone as a whole', async () => {
    const { picture, film } = await shoot()
    put('IMG_6.MOV', film, 0)
    put('IMG_6.JPG', picture, 1)
    const before = pairs()
    const answer = await call('POST', '/files/import', undefined, on.admin)
    const { operation } = JSON.parse(answer.text.trim().split('\n').at(-1)!)
    assert.equal(pairs(), before + 1)
    const { undone, kept } = await undo(operation, on.admin)
    assert.deepEqual([undone, kept, pairs()], [2, [], before])
  })
})
