import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { span } from '../../../src/gallery/base/format.ts'
import { language } from '../../../src/gallery/base/text.ts'

const at = (day: string, time = '12:00') => Date.parse(`${day}T${time}Z`) / 1000

describe('the span of the dates of an album', () => {
  const before = language.value
  afterEach(() => {
    language.value = before
  })

  const SPANS = [
    ['2021-02-06', '2021-02-13', '6–13 February 2021', '6.–13. Februar 2021'],
    ['2021-02-27', '2021-03-02', '27 February – 2 March 2021', '27. Februar – 2. März 2021'],
    [
      '2020-12-30',
      '2021-01-02',
      '30 December 2020 – 2 January 2021',
      '30. Dezember 2020 – 2. Januar 2021',
    ],
    ['2021-02-06', '2021-02-06', '6 February 2021', '6. Februar 2021'],
  ] as const

  for (const [from, to, english, german] of SPANS) {
    it(`is ${english}, in both languages`, () => {
      const said = () =>
        span(at(from, '00:00'), at(to, '23:59')).replace(/[\u2009\u202f\u00a0]/g, ' ')
      language.value = 'en'
      assert.equal(said(), english)
      language.value = 'de'
      assert.equal(said(), german)
    })
  }
})
