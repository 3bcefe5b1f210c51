import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { describe, it } from 'node:test'
import { filmOf } from '../support/dates/contents.ts'
import { eachWithDatedLibrary, NOON } from '../support/dates/dated-library.ts'
import type { FileOf3 } from '../support/dates/old-files.ts'
import { picture } from '../support/harness.ts'
import { jpegWith } from '../support/media/embedded.ts'
import { withMore } from '../support/media/iso-film.ts'
import { appleExif, IDENTIFIER, IDENTIFIER_KEY, keyBox } from '../support/media/living.ts'

const OTHER = IDENTIFIER.replaceAll('0', 'F')

const dated = eachWithDatedLibrary()
const { add, call, get, onRead, pathOf, undo, run, operations } = dated

type Fields = Partial<FileOf3> & { identifier?: string | null }

const addPicture = async ({ identifier = IDENTIFIER, ...fields }: Fields = {}) => {
  const plain = Buffer.from(await picture())
  const note = appleExif(identifier === null ? {} : { 17: identifier })
  const bytes = jpegWith(plain, [[0xe1, 'Exif\0\0', note]])
  return add({ bytes, name: 'IMG_1.JPG', content_datetime: NOON, ...fields })
}
const addFilm = ({ identifier = IDENTIFIER, ...fields }: Fields = {}) => {
  const time = fields.content_datetime ?? NOON
  const keys = identifier === null ? [] : [keyBox(IDENTIFIER_KEY, identifier, false)]
  const bytes = withMore(filmOf(time), ...keys)
  const exif = { duration: 2.5 }
  return add({
    bytes,
    name: 'img_1.mov',
    mime_type: 'video/mp4',
    content_datetime: time,
    exif,
    ...fields,
  })
}
const companionOf = async (film: string) => (await get(film)).companion_of
/** Has the work on pairs done once more, as by a later version. */
const runAgain = async () => {
  dated.library.deps.db.run(
    "UPDATE background_work SET version = 'older' WHERE name = 'companions'",
  )
  await run()
}

describe('a picture and a film from before there were pairs', () => {
  it('become one by what their contents say, in one operation that can be undone', async () => {
    const pairs: [film: string, picture: string][] = []
    for (const n of [1, 2, 3]) {
      const identifier = IDENTIFIER.replaceAll('0', String(n))
      const image = await addPicture({ identifier, name: `IMG_${n}.JPG` })
      pairs.push([addFilm({ identifier, name: `IMG_${n}.MOV` }), image])
    }
    await run()
    for (const [film, image] of pairs) assert.equal(await companionOf(film), image)
    const [made, ...others] = operations()
    assert.deepEqual([made?.files, others], [3, []])
    assert.equal((await undo(made!.operation)).body.undone, 3)
    for (const [film] of pairs) assert.equal(await companionOf(film), null)
    await runAgain()
    for (const [film] of pairs) assert.equal(await companionOf(film), null)
  })

  it('stay two once somebody has taken them apart', async () => {
    const image = await addPicture()
    const film = addFilm()
    for (const companion_of of [image, null]) {
      assert.equal((await call('PATCH', `/files/${film}`, { companion_of })).status, 200)
    }
    await run()
    assert.equal(await companionOf(film), null)
  })

  it('stay two where one thing is not as it must be', async () => {
    const films: string[] = []
    const shot = async (n: number, ofPicture: Fields, ofFilm: Fields) => {
      const identifier = IDENTIFIER.replaceAll('0', String(n))
      await addPicture({ identifier, name: `IMG_${n}.JPG`, ...ofPicture })
      films.push(addFilm({ identifier, name: `IMG_${n}.MOV`, ...ofFilm }))
    }
    await shot(1, {}, { identifier: OTHER })
    await shot(2, { identifier: null }, {})
    await shot(3, {}, { identifier: null })
    await shot(4, { identifier: null }, { identifier: null })
    await shot(5, {}, { name: 'IMG_51.MOV' })
    await shot(6, {}, { content_datetime: NOON + 4000 })
    await shot(7, {}, { exif: { duration: 5.1 } })
    await shot(8, {}, { exif: {} })
    await shot(9, { is_deleted: true }, {})
    await addPicture({ identifier: IDENTIFIER.replaceAll('0', 'A'), name: 'IMG_10.HEIC' })
    films.push(addFilm({ identifier: IDENTIFIER.replaceAll('0', 'A'), name: 'IMG_10.MOV' }))
    await addPicture({ identifier: IDENTIFIER.replaceAll('0', 'A'), name: 'IMG_10.JPG' })
    await shot(11, {}, {})
    const bob = await dated.library.addUser('Bob')
    dated.library.deps.db.run(
      'UPDATE files SET creator_id = ? WHERE rid = (SELECT max(rid) FROM files)',
      bob,
    )
    await run()
    for (const [n, film] of films.entries()) assert.equal(await companionOf(film), null, String(n))
    assert.deepEqual(operations(), [])
  })

  it('are read only where name and date fit', async () => {
    await addPicture()
    addFilm()
    await addPicture({ name: 'alone.jpg' })
    addFilm({ name: 'alone.mov', content_datetime: NOON + 9000 })
    await run()
    const read: string[] = []
    onRead((input, next) => {
      read.push(input.mime_type)
      return next(input)
    })
    dated.library.deps.db.run('DELETE FROM companions')
    await runAgain()
    assert.deepEqual(read, ['video/mp4', 'image/jpeg'])
  })

  it('stay two where the picture’s content is lost, and hold up nothing', async () => {
    const lost = await addPicture()
    const film = addFilm()
    const image = await addPicture({ identifier: OTHER, name: 'IMG_2.JPG' })
    const other = addFilm({ identifier: OTHER, name: 'IMG_2.MOV' })
    rmSync(pathOf(lost))
    await run()
    assert.deepEqual([await companionOf(film), await companionOf(other)], [null, image])
  })
})
