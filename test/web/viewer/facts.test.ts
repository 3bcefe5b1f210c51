import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Schemas } from '../../../src/client/index.ts'
import { language } from '../../../src/gallery/base/text.ts'
import { whereOf } from '../../../src/gallery/parts/near.ts'
import {
  cameraOf,
  fileOf,
  filmBehind,
  inputOf,
  localTime,
  namesFrames,
  placeOf,
  precisionIn,
  standInOf,
  takenOf,
  timeOf,
} from '../../../src/gallery/viewer/facts.ts'

/** Returns a file with what a test is about. */
function file(parts: Partial<Schemas['File']>): Schemas['File'] {
  return { exif: {}, content_offset: null, ...parts } as Schemas['File']
}

describe('what the viewer says about a file', () => {
  before(() => {
    language.value = 'en'
  })

  it('shows the clock of the place where it was taken', () => {
    const taken = { content_datetime: '2018-07-14T22:30:05.000Z', content_offset: 120 }
    assert.equal(localTime(file(taken)) * 1000, Date.UTC(2018, 6, 15, 0, 30, 5))
    assert.equal(inputOf(file(taken)), '2018-07-15T00:30:05')
    assert.equal(inputOf(file({ ...taken, content_offset: null })), '2018-07-14T22:30:05')
  })

  it('keeps the zone of a date that is changed', () => {
    const at = (content_offset: number | null) => file({ content_offset })
    assert.equal(timeOf('2018-07-15T00:30:05', at(120)), '2018-07-15T00:30:05+02:00')
    assert.equal(timeOf('2018-07-15T00:30', at(-210)), '2018-07-15T00:30:00-03:30')
    assert.equal(timeOf('2018-07-15T00:30:05', at(null)), '2018-07-15T00:30:05Z')
    assert.equal(timeOf('', at(0)), null)
  })

  it('says of a date what is known of it, and takes as much', () => {
    const part = (date_precision: 'day' | 'month' | 'year') =>
      file({ content_datetime: '1987-06-05T10:00:00.000Z', content_offset: 120, date_precision })
    assert.deepEqual(
      (['year', 'month', 'day'] as const).map((precision) => [
        takenOf(part(precision)),
        inputOf(part(precision)),
        precisionIn(inputOf(part(precision))),
        timeOf(inputOf(part(precision)), part(precision)),
      ]),
      [
        ['1987', '1987', 'year', '1987-07-02T12:00:00+02:00'],
        ['June 1987', '1987-06', 'month', '1987-06-02T12:00:00+02:00'],
        ['5 June 1987', '1987-06-05', 'day', '1987-06-05T12:00:00+02:00'],
      ],
    )
    assert.equal(inputOf(part('year'), null), '1987-06-05T12:00:00')
    assert.equal(precisionIn('1987-06-05T12:00'), null)
    assert.deepEqual(
      ['0000', '198', '1987-13'].map((input) => timeOf(input, part('year'))),
      [null, null, null],
    )
    language.value = 'de'
    assert.deepEqual((['year', 'month', 'day'] as const).map(part).map(takenOf), [
      '1987',
      'Juni 1987',
      '5. Juni 1987',
    ])
    language.value = 'en'
  })

  it('names the camera once, and what it was set to', () => {
    const exif = {
      Make: 'NIKON CORPORATION',
      Model: 'NIKON D90',
      ExposureTime: 0.002,
      FNumber: 5.6,
      PhotographicSensitivity: 200,
      FocalLength: 35,
    }
    assert.equal(cameraOf(file({ exif })), 'NIKON D90 · 1/500 s · f/5.6 · ISO 200 · 35 mm')
    const long = { Make: 'Canon', Model: 'PowerShot A95', ExposureTime: 2.5 }
    assert.equal(cameraOf(file({ exif: long })), 'Canon PowerShot A95 · 2.5 s')
    assert.equal(cameraOf(file({ exif: { Model: 7, FNumber: 'f' } })), '')
  })

  it('names the file, its pixels and its size', () => {
    const known = { original_name: 'DSCF0013.JPG', width: 1280, height: 960, size: 811_000 }
    assert.equal(fileOf(file(known)), 'DSCF0013.JPG · 1.2 MP · 811 kB')
    const unknown = { original_name: null, mime_extension: 'heic', width: null, size: 2_100_000 }
    assert.equal(fileOf(file(unknown)), 'HEIC · 2.1 MB')
  })

  it('tells when a RAW holds a small picture or none, and when JPEG XL can’t be shown', () => {
    const raw = { mime_type: 'image/x-nikon-nef' }
    assert.deepEqual(standInOf(file({ ...raw, width: 120, height: 160 })), {
      width: 120,
      height: 160,
    })
    assert.equal(standInOf(file({ ...raw, width: 683, height: 1024 })), null)
    assert.equal(standInOf(file({ ...raw, width: null, height: null })), 'none')
    assert.equal(standInOf(file({ mime_type: 'image/jxl', width: null })), 'none')
    assert.equal(standInOf(file({ mime_type: 'image/jxl', width: 160, height: 120 })), null)
    assert.equal(standInOf(file({ mime_type: 'image/jpeg', width: 160, height: 120 })), null)
  })

  it('finds the film behind a picture by its bytes', () => {
    const exif = { Make: 'samsung', film_start: 3_120_045, film_length: 2_004_110 }
    assert.deepEqual(filmBehind(file({ exif })), { start: 3_120_045, length: 2_004_110 })
    assert.equal(filmBehind(file({ exif: { film_start: 3_120_045 } })), null)
    assert.equal(filmBehind(file({})), null)
  })

  it('gives the place as maps take it', () => {
    const exif = { latitude: 43.46744833333334, longitude: 11.885126666663888 }
    const position = '43.46745, 11.88513'
    const shown = placeOf(file({ exif }))
    assert.deepEqual(shown, {
      position,
      name: position,
      map: 'https://www.openstreetmap.org/?mlat=43.46745&mlon=11.88513#map=15/43.46745/11.88513',
    })
    assert.equal(placeOf(file({ exif: { latitude: 43.4 } })), null)
    const place = { country: 'IT', region: '16', region_name: 'Tuscany', town: 'Arezzo' }
    assert.deepEqual(placeOf(file({ exif, place })), { ...shown, name: 'near Arezzo, Italy' })
  })

  it('says in both languages where several files were taken, by what they have in common', () => {
    const nice = { country: 'FR', region: '93', region_name: 'Provence', town: 'Nice' }
    const paris = { country: 'FR', region: '11', region_name: 'Île-de-France', town: 'Paris' }
    const said = () => [
      whereOf([nice, null, { ...nice }]),
      whereOf([nice, { ...nice, town: 'Antibes' }]),
      whereOf([
        { ...nice, region_name: null },
        { ...nice, town: 'Antibes', region_name: null },
      ]),
      whereOf([nice, paris]),
      whereOf([nice, { ...paris, country: 'MC' }]),
      whereOf([null]),
    ]
    const english = ['near Nice, France', 'Provence, France', 'France', 'France', null, null]
    assert.deepEqual(said(), english)
    language.value = 'de'
    assert.deepEqual(said().slice(0, 3), [
      'bei Nice, Frankreich',
      'Provence, Frankreich',
      'Frankreich',
    ])
    language.value = 'en'
  })
})

/** Returns bytes that are written as text, each letter one. */
const head = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0)).buffer
const PNG = '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR'
const control = (frames: string) => `\0\0\0\x08acTL\0\0\0${frames}\0\0\0\0....`
const data = '\0\0\0\x04IDAT....'

describe('the head of a picture', () => {
  it('names the frames of a PNG before its pixels', () => {
    assert.equal(namesFrames(head(`${PNG}${control('\x04')}${data}`)), true)
    assert.equal(namesFrames(head(`${PNG}\0\0\0\x04iCCP....${control('\x02')}`)), true)
    assert.equal(namesFrames(head(`${PNG}${control('\x01')}${data}`)), false)
    assert.equal(namesFrames(head(`${PNG}${data}${control('\x04')}`)), false)
    assert.equal(namesFrames(head(PNG)), false)
  })

  it('names a sequence of AVIF by its brands', () => {
    assert.equal(namesFrames(head('\0\0\0\x18ftypavis\0\0\0\0avifmsf1')), true)
    assert.equal(namesFrames(head('\0\0\0\x18ftypavif\0\0\0\0mif1avis')), true)
    assert.equal(namesFrames(head('\0\0\0\x18ftypavif\0\0\0\0mif1miaf\0\0\0\0avis')), false)
  })
})
