import assert from 'node:assert/strict'
import sharp, { type Exif } from 'sharp'
import { runBackground } from '../../../src/background/run.ts'
import { townsSource } from '../../../src/base/paths.ts'
import { cameraName } from '../../../src/files/places/camera.ts'
import { geohashOf } from '../../../src/files/places/geohash.ts'
import { TOWNS_VERSION } from '../../../src/files/places/towns.ts'
import { form } from '../../support/harness.ts'
import { filmBytes } from '../../support/media/film.ts'
import { without } from '../../support/media/media.ts'
import { eachWithOldLibrary } from '../../support/old-library.ts'
import { describe, it } from '../../support/test.ts'

const old = eachWithOldLibrary()
const NICE = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '43/1 42/1 0/1',
  GPSLongitudeRef: 'E',
  GPSLongitude: '7/1 15/1 0/1',
}
const ZERO = { ...NICE, GPSLatitude: '0/1 0/1 0/1', GPSLongitude: '0/1 0/1 0/1' }
const CANON = { Make: 'Canon', Model: 'Canon EOS 5D' }

const picture = (exif: Exif, width = 30) =>
  sharp({ create: { width, height: 20, channels: 3, background: '#48c' } })
    .withExif(exif)
    .jpeg()
    .toBuffer()

/** What is stored of all files, in the order of their creation. */
const stored = () =>
  old.library.deps.db.all(
    `SELECT geohash, town, name AS camera FROM files f LEFT JOIN file_positions p ON p.file_rid = f.rid
     LEFT JOIN file_cameras c ON c.file_rid = f.rid LEFT JOIN cameras ON cameras.rid = camera_rid ORDER BY f.rid`,
  )
const AT_NICE = { geohash: 'spv0sgr6', town: 'FR.93.Gambetta' }

describe('where a file was taken, and by which camera', () => {
  it('is stored with an upload, as far as the EXIF tells', async () => {
    await old.upload(await picture({ IFD0: CANON, IFD3: NICE }))
    await old.upload(
      await picture({ IFD0: { Make: 'NIKON CORPORATION', Model: 'E950' }, IFD3: ZERO }),
    )
    await old.upload(await picture({}))
    assert.deepEqual(stored(), [
      { ...AT_NICE, camera: 'Canon EOS 5D' },
      { geohash: null, town: null, camera: 'NIKON CORPORATION E950' },
      { geohash: null, town: null, camera: null },
    ])
  })

  it('is answered with the file, and with cells that are asked for places', async () => {
    const at = await old.upload(await picture({ IFD3: NICE }))
    const none = await old.upload(await picture({}))
    const again = await old.upload(await picture({ IFD3: NICE }, 40))
    const region_name = "Provence-Alpes-Côte d'Azur"
    const place = { country: 'FR', region: '93', region_name, town: 'Gambetta' }
    assert.deepEqual(at.place, place)
    assert.deepEqual((await old.get(at.id)).place, place)
    assert.equal((await old.get(none.id)).place, null)
    const cells = async (query: string) =>
      (await old.library.call('GET', `/files/cells?order=asc&${query}`, old.ann)).body
    const { ids, p, places } = await cells('places=1')
    assert.deepEqual(
      { ids, p, places },
      {
        ids: [at.id, none.id, again.id],
        p: [0, null, 0],
        places: [place],
      },
    )
    assert.equal('p' in (await cells('')), false)
    const found = async (filter: string) =>
      (await cells(new URLSearchParams({ filter }).toString())).ids
    assert.deepEqual(await found('{l=FR.93.Gambetta,&,g~spv0}'), [at.id, again.id])
    assert.deepEqual(await found('{g=0}'), [none.id])
  })

  it('is renewed with a content that replaces another, and gone with the file', async () => {
    const { id } = await old.upload(await picture({ IFD0: CANON, IFD3: NICE }))
    const put = async (exif: Exif) =>
      old.library.call('PUT', `/files/${id}/content`, {
        ...old.ann,
        body: form(await picture(exif, 40), 'x.jpg'),
      })
    await put({ IFD0: { Model: 'X100' } })
    assert.deepEqual(stored(), [{ geohash: null, town: null, camera: 'X100' }])
    await put({ IFD3: NICE })
    assert.deepEqual(stored(), [{ ...AT_NICE, camera: null }])
    await old.library.call('DELETE', `/files/${id}`, old.ann)
    await old.library.call('DELETE', `/files/${id}/permanent`, old.ann)
    const { db } = old.library.deps
    assert.deepEqual(db.all('SELECT * FROM file_positions'), [])
  })

  it('is stored of a film', async (t) => {
    if (without('ffmpeg', '-version')) return t.skip('there is no ffmpeg')
    const tags = ['-metadata', 'location=+43.7000+007.2500/', '-metadata', 'make=Apple']
    await old.upload(await filmBytes('film.mp4', ['-c:v', 'mpeg4', ...tags]), 'film.mp4')
    const [film] = stored() as { geohash: string; town: string }[]
    assert.deepEqual({ geohash: film?.geohash, town: film?.town }, AT_NICE)
  })

  it('is given to older files once, and again when the towns are of another release', async () => {
    const { db } = old.library.deps
    await old.upload(await picture({ IFD0: CANON, IFD3: NICE }))
    await old.upload(await picture({}))
    const before = stored()
    const run = () => runBackground(old.library.deps).over
    const forget = () => db.run('DELETE FROM file_positions')
    forget()
    db.run('DELETE FROM file_cameras')
    await run()
    assert.deepEqual(stored(), before)
    forget()
    await run()
    assert.deepEqual(db.all('SELECT * FROM file_positions'), [])
    db.run("UPDATE background_work SET version = '1.1.63' WHERE name = 'captures'")
    await run()
    assert.deepEqual(stored(), before)
  })

  it('has towns of the release that the background names', () => {
    assert.equal(TOWNS_VERSION, townsSource().version)
  })
})

describe('a camera’s name', () => {
  it('has the make once, and no spaces that say nothing', () => {
    const cases: [unknown, unknown, string][] = [
      ['Canon', 'Canon EOS 5D', 'Canon EOS 5D'],
      ['NIKON CORPORATION', 'NIKON D70', 'NIKON D70'],
      ['Apple', 'iPhone 12', 'Apple iPhone 12'],
      [' FUJIFILM ', 'FinePix   S5 ', 'FUJIFILM FinePix S5'],
      ['Sony', undefined, 'Sony'],
      [undefined, 'X100', 'X100'],
      [5, [1], ''],
      ['Canon', 'a'.repeat(200 - 6), `Canon ${'a'.repeat(200 - 6)}`],
      ['Canon', 'a'.repeat(200 - 5), ''],
    ]
    for (const [Make, Model, name] of cases) assert.equal(cameraName({ Make, Model }), name)
  })
})

describe('a geohash', () => {
  it('is that of other programs', () => {
    // The examples of Wikipedia's article and of PostGIS's manual.
    assert.equal(geohashOf(57.64911, 10.40744, 11), 'u4pruydqqvj')
    assert.equal(geohashOf(48, -126, 20), 'c0w3hf1s70w3hf1s70w3')
    assert.equal(geohashOf(48, -126, 5), 'c0w3h')
    assert.equal(geohashOf(42.6, -5.6, 5), 'ezs42')
  })
})
