import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { ApiError, errorOf } from '../../../src/gallery/base/error.ts'
import { bytes, day, duration, moment, month, number } from '../../../src/gallery/base/format.ts'
import { LANGUAGES, language, plural, text } from '../../../src/gallery/base/text.ts'
import { problem } from '../../../src/gallery/text/problem.ts'

// On Node, the modules are JavaScript in another folder.
const TEXTS = new URL('../../../src/gallery/text/', import.meta.url)
const JULY_14 = Date.UTC(2018, 6, 14, 16, 3) / 1000

after(() => {
  language.value = 'en'
})

/** The names of words, without the words. Lists, such as those of synonyms, may have different lengths. */
function shapeOf(words: unknown): unknown {
  if (Array.isArray(words)) return 'list'
  if (typeof words !== 'object' || words === null) return typeof words
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [name, shapeOf(word)]))
}

describe('words', () => {
  it('follow the language', () => {
    const words = text({ en: { yes: 'yes' }, de: { yes: 'ja' } })
    language.value = 'en'
    assert.equal(words().yes, 'yes')
    language.value = 'de'
    assert.equal(words().yes, 'ja')
  })

  it('follow the number', () => {
    language.value = 'en'
    const forms = { one: '# file', other: '# files' }
    assert.deepEqual(
      [0, 1, 2, 12_345].map((count) => plural(count, forms)),
      ['0 files', '1 file', '2 files', '12,345 files'],
    )
    language.value = 'de'
    assert.equal(plural(12_345, { one: '# Datei', other: '# Dateien' }), '12.345 Dateien')
  })

  it('are there in each language for each feature', async () => {
    const names = readdirSync(TEXTS).filter((name) =>
      /^(?!keys|phrases|problem).*\.[jt]s$/.test(name),
    )
    for (const name of names) {
      const [words, ...others] = Object.values(await import(`${TEXTS}${name}`))
      assert.deepEqual(others, [], name)
      assert.ok(typeof words === 'function', name)
      const [english, ...rest] = LANGUAGES.map((one) => {
        language.value = one
        return shapeOf(words())
      })
      for (const other of rest) assert.deepEqual(other, english, name)
    }
  })
})

describe('numbers, sizes and dates', () => {
  it('are written as in English', () => {
    language.value = 'en'
    assert.equal(number(196_014), '196,014')
    assert.deepEqual([0, 1, 999].map(bytes), ['0 bytes', '1 byte', '999 bytes'])
    assert.deepEqual([1000, 812_400_000_000, 1_900_000_000].map(bytes), [
      '1 kB',
      '812 GB',
      '1.9 GB',
    ])
    assert.equal(month(JULY_14), 'July 2018')
    assert.match(day(JULY_14), /^Saturday,? (14 July|July 14,) 2018$/)
  })

  it('are written as in German', () => {
    language.value = 'de'
    assert.match(bytes(1_900_000_000), /^1,9\sGB$/)
    assert.equal(day(JULY_14), 'Samstag, 14. Juli 2018')
    assert.match(moment(JULY_14), /^14\. Juli 2018( um|,) 16:03$/)
  })

  it('tell how long a film is', () => {
    assert.deepEqual([0, 24.4, 83, 3723].map(duration), ['0:00', '0:24', '1:23', '1:02:03'])
  })
})

describe('an error', () => {
  const answer = (status: number, headers: Record<string, string> = {}) =>
    new Response(null, { status, headers })

  it('is told by its code and field, never in the words of the server', () => {
    language.value = 'en'
    const details = [{ field: 'name', message: 'is taken' }]
    const error = errorOf(answer(409), { code: 'conflict', message: 'Taken', details })
    assert.equal(problem(error), 'This name is already taken.')
    // Where that alone tells what is in the way, it is there.
    assert.equal(error.said, 'Taken')
    assert.equal(problem(errorOf(answer(403), { code: 'forbidden', message: 'No' })), FORBIDDEN)
    language.value = 'de'
    assert.equal(problem(error), 'Etwas mit diesem Namen gibt es schon.')
  })

  it('tells after how long another attempt makes sense', () => {
    language.value = 'en'
    const error = errorOf(answer(429, { 'retry-after': '7' }), { code: 'rate_limited' })
    assert.equal(problem(error), 'Too many attempts. Try again in 7 s.')
  })

  it('may come from something between here and the server', () => {
    language.value = 'en'
    const error = errorOf(answer(413), '<html>')
    assert.deepEqual([error.code, error.status], ['unknown', 413])
    assert.equal(
      problem(error),
      'Something in front of the server, perhaps a proxy, accepts only smaller files.',
    )
    assert.equal(
      problem(errorOf(answer(418), null)),
      'Something between here and the server answered 418.',
    )
  })

  it('of our own making is told as one, and reported to the browser', () => {
    language.value = 'en'
    const reported: unknown[] = []
    // Node has none.
    const former = globalThis.reportError
    globalThis.reportError = (error) => void reported.push(error)
    try {
      const mistake = new TypeError('a mistake')
      assert.equal(problem(mistake), 'Something went wrong on this page.')
      assert.deepEqual(reported, [mistake])
    } finally {
      globalThis.reportError = former
    }
    assert.equal(new ApiError(0, 'no_connection').message, '0 no_connection')
  })
})

const FORBIDDEN = 'You are not allowed to do that. Somebody may have changed your rights.'
