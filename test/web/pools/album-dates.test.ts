import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { language } from '../../../src/gallery/base/text.ts'
import { datesBetween } from '../../../src/gallery/pools/album-dates.ts'

after(() => {
  language.value = 'en'
})

const at = (time: string, flags = 0) => ({ t: Date.parse(`${time}Z`) / 1000, flags })

describe('the dates of an album', () => {
  it('are those of its first and its last file, as far as they are known', () => {
    language.value = 'de'
    const dates = (...ends: Parameters<typeof datesBetween>) =>
      datesBetween(...ends).replaceAll(/\s/g, ' ')
    const [day, month, year] = [64, 128, 192]
    const first = at('1987-12-31T12:00:00', day)
    assert.equal(dates(at('1987-12-30T08:00:00'), first), '30.–31. Dezember 1987')
    const whole = at('1987-12-31T23:59:59', year)
    assert.equal(dates(whole, whole), '1987')
    assert.equal(dates(first, whole), '31. Dezember 1987 – 1987')
    const june = at('1988-06-30T23:59:59', month)
    assert.equal(dates(whole, june), '1987 – Juni 1988')
  })
})
