import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { language } from '../../../src/gallery/base/text.ts'
import {
  dayOf,
  monthKey,
  nameOfDays,
  nameOfMonth,
  secondsOf,
  secondsOfMonth,
  timeIn,
} from '../../../src/gallery/grid/days.ts'

const at = (text: string) => Date.parse(`${text}Z`) / 1000
const day = (text: string) => dayOf(at(`${text}T00:00`))

after(() => {
  language.value = 'en'
})

describe('days by local time', () => {
  test('a day ends with its last second, before 1970 too', () => {
    assert.equal(dayOf(at('2018-07-14T00:00')), dayOf(at('2018-07-14T23:59:59')))
    assert.equal(dayOf(at('2018-07-15T00:00')), day('2018-07-14') + 1)
    assert.equal(dayOf(at('1969-12-31T23:59:59')), -1)
    assert.equal(secondsOf(day('2018-07-14')), at('2018-07-14T00:00'))
  })

  test('a day has its year, and days in a row are named by the first and the last', () => {
    const name = (one: string, other = one) =>
      nameOfDays(day(one), day(other)).replaceAll(/\s/g, ' ')
    assert.match(name('2018-07-13'), /Friday, 13 July 2018|Friday, July 13, 2018/)
    language.value = 'de'
    assert.equal(name('2018-07-13'), 'Freitag, 13. Juli 2018')
    assert.equal(name('2018-07-12', '2018-07-14'), '12.–14. Juli 2018')
    assert.equal(name('2018-08-02', '2018-07-30'), '30. Juli – 2. August 2018')
    assert.equal(name('2018-12-30', '2019-01-02'), '30. Dezember 2018 – 2. Januar 2019')
  })

  test('a month or a year known alone is a day of its own, behind the last one', () => {
    const last = at('1987-12-31T23:59:59')
    const [precise, month, year] = [64, 128, 192].map((flags) => dayOf(timeIn(last, flags)))
    assert.equal(precise, day('1987-12-31'))
    assert.ok(month! > precise! && year! > month! && year! < precise! + 1)
    language.value = 'en'
    assert.deepEqual(
      [month!, year!].map((one) => [nameOfDays(one, one), monthKey(one)]),
      [
        ['December 1987', '1987-12'],
        ['1987', '1987'],
      ],
    )
    language.value = 'de'
    assert.equal(nameOfDays(month!, month!), 'Dezember 1987')
    const early = dayOf(timeIn(at('1950-06-30T23:59:59'), 128))
    assert.equal(nameOfDays(early, early), 'Juni 1950')
    assert.deepEqual(['1950-06', '1950'].map(nameOfMonth), ['Juni 1950', '1950'])
    assert.equal(monthKey(dayOf(timeIn(at('1950-12-31T23:59:59'), 192))), '1950')
  })

  test('months are named as the timeline names them', () => {
    assert.equal(monthKey(day('2018-07-31')), '2018-07')
    assert.equal(secondsOfMonth('2018-07'), at('2018-07-01T00:00'))
  })
})
