import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Schemas } from '../../../src/client/index.ts'
import { language } from '../../../src/gallery/base/text.ts'
import {
  cameraOf,
  fileOf,
  inputOf,
  localTime,
  placeOf,
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

  it('gives the place as maps take it', () => {
    const exif = { latitude: 43.46744833333334, longitude: 11.885126666663888 }
    assert.equal(placeOf(file({ exif })), '43.46745, 11.88513')
    assert.equal(placeOf(file({ exif: { latitude: 43.4 } })), null)
  })
})
