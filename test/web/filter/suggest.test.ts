import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeRange, isJump, rangeOf } from '../../../src/gallery/filter/dates.ts'
import {
  type Keyword,
  meaningsOf,
  splitJoint,
  withSign,
} from '../../../src/gallery/filter/suggest.ts'
import { indexTags } from '../../../src/gallery/tag-box/match.ts'

const KEYWORDS: Keyword[] = [
  { words: ['type:picture', 'type:photo'], condition: { kind: 'mime_like', pattern: 'image/%' } },
  { words: ['type:video', 'type:film'], condition: { kind: 'mime_like', pattern: 'video/%' } },
  { words: ['is:new'], condition: { kind: 'review', needed: true } },
  { words: ['is:untagged'], condition: { kind: 'untagged' } },
]
const TAGS = indexTags(
  ['work', 'video evening', 'Arezzo', '2018 trip'].map((name) => ({ id: name, name })),
  () => 0,
)

/** What a text may mean, in short. */
const mean = (typed: string) =>
  meaningsOf(typed, TAGS, KEYWORDS, 'en').map((meaning) => {
    if (meaning.kind === 'tag') return `tag ${meaning.tag.name}`
    if (meaning.kind === 'keyword') return meaning.word
    return meaning.kind === 'range' ? `range ${meaning.range.from}` : `search ${meaning.text}`
  })

describe('what is typed into the filter bar', () => {
  it('is joined by - and |', () => {
    const cases: [string, boolean, boolean, string][] = [
      ['wo', false, false, 'wo'],
      ['-wo', false, true, 'wo'],
      ['! wo', false, true, 'wo'],
      ['| wo', true, false, 'wo'],
      ['|-wo-rk', true, true, 'wo-rk'],
    ]
    for (const [typed, or, negated, text] of cases) {
      assert.deepEqual(splitJoint(typed), { or, negated, text }, typed)
    }
  })

  it('may begin with a word for - or |', () => {
    const joints = { not: ['not', 'without'], or: ['or'] }
    const cases: [string, string | null][] = [
      ['not work', '-work'],
      [' Without  work trip', '-work trip'],
      ['or not work', '|-work'],
      ['or work', '|work'],
      ['not', null],
      ['not ', null],
      ['notes of work', null],
    ]
    for (const [typed, signed] of cases) assert.equal(withSign(typed, joints), signed, typed)
  })

  it('means the likeliest first', () => {
    assert.deepEqual(mean('type:v'), ['type:video', 'search type:v'])
    assert.deepEqual(mean('type:film'), ['type:video', 'search type:film'])
    assert.deepEqual(mean('vid'), ['tag video evening', 'type:video', 'search vid'])
    assert.deepEqual(mean('is:'), ['is:new', 'is:untagged', 'search is:'])
    assert.deepEqual(mean('are'), ['tag Arezzo', 'search are'])
    assert.deepEqual(mean('IMG_12'), ['search IMG_12'])
    assert.deepEqual(mean('"work"'), ['search work'])
    assert.deepEqual(mean('2018'), ['range 2018-01-01T00:00:00Z', 'tag 2018 trip', 'search 2018'])
    assert.deepEqual(mean('type:image/gif'), ['image/gif', 'search type:image/gif'])
    assert.deepEqual(mean(''), ['type:picture', 'type:video', 'is:new', 'is:untagged'])
  })

  it('is no name and no date after - and |, which join conditions', () => {
    assert.deepEqual(mean('-wo'), ['tag work'])
    assert.deepEqual(mean('|2018'), ['tag 2018 trip'])
    assert.deepEqual(mean('-"work"'), [])
  })
})

describe('dates in the filter bar', () => {
  it('are years, months, days and stretches', () => {
    const cases: [string, string | undefined, string | undefined][] = [
      ['2018', '2018-01-01', '2019-01-01'],
      ['2018-07', '2018-07-01', '2018-08-01'],
      ['2018-12', '2018-12-01', '2019-01-01'],
      ['2020-02-29', '2020-02-29', '2020-03-01'],
      ['July 2018', '2018-07-01', '2018-08-01'],
      ['14 jul 2018', '2018-07-14', '2018-07-15'],
      ['14. März 2018', '2018-03-14', '2018-03-15'],
      ['2018-07..2019', '2018-07-01', '2020-01-01'],
      ['2018-07..', '2018-07-01', undefined],
      ['..2018-07-14', undefined, '2018-07-15'],
      ['0099-12-31', '0099-12-31', '0100-01-01'],
    ]
    for (const [text, from, to] of cases) {
      const range = rangeOf(text, 'de')
      assert.deepEqual(
        [range?.from, range?.to],
        [from, to].map((day) => day && `${day}T00:00:00Z`),
      )
    }
  })

  it('are nothing else', () => {
    for (const text of [
      '',
      '..',
      '18',
      '2018-13',
      '2019-02-29',
      '2018-07-00',
      'Jux 2018',
      '1..2..3',
    ]) {
      assert.equal(rangeOf(text, 'en'), null, text)
    }
    assert.equal(rangeOf('2019..2018', 'en'), null)
    assert.equal(rangeOf('0000', 'en'), null)
  })

  it('are jumped to once they are whole', () => {
    const typed = [
      '2',
      '2018',
      '2018-0',
      '2018-07',
      '2018-07-1',
      '2018-07-14',
      '2018-7',
      'July 2018',
    ]
    assert.deepEqual(typed.filter(isJump), ['2018-07', '2018-07-14'])
  })

  it('are told in words', () => {
    const words = (text: string) => describeRange(rangeOf(text, 'en')!, 'en')
    assert.deepEqual(words('2018'), { words: '2018' })
    assert.deepEqual(words('2018-07'), { words: 'July 2018' })
    assert.deepEqual(words('2018-07-14'), { words: 'July 14, 2018' })
    assert.deepEqual(words('2018-07-14..'), { open: 'to', words: 'July 14, 2018' })
    assert.deepEqual(words('..2018-07-14'), { open: 'from', words: 'July 14, 2018' })
    assert.match(words('2018-07-01..2018-07-14').words, /^July 1\s–\s14, 2018$/)
  })
})
