import assert from 'node:assert/strict'
import sharp from 'sharp'
import { after, before, describe, it } from '../../../support/test.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

/** Where towns are, in whole degrees and minutes. */
const TOWNS = {
  Nice: { GPSLatitude: '43/1 42/1 11/1', GPSLongitude: '7/1 15/1 58/1' },
  Antibes: { GPSLatitude: '43/1 34/1 53/1', GPSLongitude: '7/1 7/1 30/1' },
  Genoa: { GPSLatitude: '44/1 24/1 17/1', GPSLongitude: '8/1 56/1 40/1' },
}
const NORTH_EAST = { GPSLatitudeRef: 'N', GPSLongitudeRef: 'E' }

/** Days and places of pictures. */
const TAKEN = [
  ['2020-05-06', 'Nice'],
  ['2020-05-06', null],
  ['2020-05-06', 'Nice'],
  ['2020-05-05', 'Nice'],
  ['2020-05-05', 'Antibes'],
  ['2019-02-01', 'Nice'],
  ['2019-02-01', 'Genoa'],
  ['2018-02-01', null],
] as const

let gallery: OpenGallery

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 0, size: { width: 700, height: 2400 } })
  for (const [at, [day, town]] of TAKEN.entries()) {
    const create = { width: 600, height: 100 + at, channels: 3, background: '#4a9' } as const
    const IFD3 = town === null ? {} : { ...NORTH_EAST, ...TOWNS[town] }
    const bytes = await sharp({ create }).withExif({ IFD3 }).jpeg().toBuffer()
    const body = new FormData()
    body.set('content_datetime', `${day}T12:00:00Z`)
    body.set('file', new File([new Uint8Array(bytes)], `${at}.jpg`))
    await gallery.call('POST', '/files', body)
  }
})
after(() => gallery?.close())

describe('the headings of days', { skip: withoutChromium }, () => {
  it('say where the pictures were taken, by what their places have in common', async () => {
    const { page } = gallery
    await page.goto('/')
    await page.getByText('near Nice, France').waitFor()
    const headings = await page
      .locator('.day')
      .evaluateAll((days) =>
        days.map((day) => [
          day.querySelector('h2')?.textContent,
          day.querySelector('.where')?.textContent ?? null,
        ]),
      )
    assert.deepEqual(headings, [
      ['Wednesday, 6 May 2020', 'near Nice, France'],
      ['Tuesday, 5 May 2020', "Provence-Alpes-Côte d'Azur, France"],
      ['Friday, 1 February 2019', null],
      ['Thursday, 1 February 2018', null],
    ])
  })
})
