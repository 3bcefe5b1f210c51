import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { day as dayName } from '../../../src/gallery/base/format.ts'
import { language, locale } from '../../../src/gallery/base/text.ts'
import {
  dayOf,
  isSameMonth,
  monthKey,
  secondsOf,
  secondsOfMonth,
  shortDay,
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

  test('a day without its year is written like the day with it', () => {
    for (const tag of ['en', 'de'] as const) {
      language.value = tag
      const full = dayName(at('2018-07-13T12:00'))
      assert.match(full, / 2018$/, locale.value)
      assert.equal(shortDay(day('2018-07-13')), full.replace(/,? 2018$/, ''))
    }
    assert.equal(shortDay(day('2018-07-13')), 'Freitag, 13. Juli')
  })

  test('months are named as the timeline names them', () => {
    assert.equal(monthKey(day('2018-07-31')), '2018-07')
    assert.equal(secondsOfMonth('2018-07'), at('2018-07-01T00:00'))
    assert.equal(isSameMonth(day('2018-07-31'), day('2018-07-01')), true)
    assert.equal(isSameMonth(day('2018-07-31'), day('2017-07-31')), false)
  })
})
