import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  dayName,
  dayOf,
  isSameMonth,
  momentName,
  monthKey,
  monthName,
} from '../../../src/web/app/grid/days.ts'

const at = (text: string) => Date.parse(`${text}Z`) / 1000
const day = (text: string) => dayOf(at(`${text}T00:00`))

describe('days by local time', () => {
  test('a day ends with its last second, before 1970 too', () => {
    assert.equal(dayOf(at('2018-07-14T00:00')), dayOf(at('2018-07-14T23:59:59')))
    assert.equal(dayOf(at('2018-07-15T00:00')), day('2018-07-14') + 1)
    assert.equal(dayOf(at('1969-12-31T23:59:59')), -1)
  })

  test('a heading names the day, and the year where it is wanted', () => {
    // Editions of the Unicode data differ in the comma.
    assert.match(dayName(day('2018-07-14'), 'en', true), /^Saturday,? 14 July 2018$/)
    assert.match(dayName(day('2018-07-13'), 'en', false), /^Friday,? 13 July$/)
    assert.equal(dayName(day('2018-07-13'), 'de', true), 'Freitag, 13. Juli 2018')
  })

  test('months are told as the timeline tells them, and by name', () => {
    assert.equal(monthKey(day('2018-07-31')), '2018-07')
    assert.equal(monthName('2018-07', 'en'), 'July 2018')
    assert.equal(monthName('2018-03', 'de'), 'März 2018')
    assert.equal(isSameMonth(day('2018-07-31'), day('2018-07-01')), true)
    assert.equal(isSameMonth(day('2018-07-31'), day('2017-07-31')), false)
  })

  test('a moment is told by the clock of its place', () => {
    assert.equal(momentName(at('2018-07-14T14:05'), 'de'), '14. Juli 2018 um 14:05')
  })
})
