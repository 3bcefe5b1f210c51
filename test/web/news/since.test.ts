import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { language } from '../../../src/gallery/base/text.ts'
import { sinceWhen } from '../../../src/gallery/news/since.ts'
import { news } from '../../../src/gallery/text/news.ts'

afterEach(() => {
  language.value = 'en'
})

const now = new Date(2026, 10, 26, 18, 0)
const at = (...[year, month, day, hour]: [number, number, number, number]) =>
  sinceWhen(new Date(year, month, day, hour, 5).toISOString(), now)

it('what is new is so since a time of today, a day of this week, or a date', () => {
  const times: [number, number, number, number][] = [
    [2026, 10, 26, 9],
    [2026, 10, 24, 9],
    [2026, 10, 3, 9],
    [2025, 11, 3, 9],
  ]
  language.value = 'de'
  assert.deepEqual(
    times.map((time) => at(...time)),
    ['seit 09:05 Uhr', 'seit Dienstag', 'seit dem 3. November', 'seit dem 3. Dezember 2025'],
  )
  assert.equal(news().isNew(1, 'seit Dienstag', ['Oma']), '1 neues Foto seit Dienstag, von Oma')
  language.value = 'en'
  assert.equal(at(...times[1]!), 'since Tuesday')
  const names = ['Mother', 'Jonas']
  assert.equal(
    news().isNew(12, at(...times[1]!), names),
    '12 new for you since Tuesday, from Mother and Jonas',
  )
})
