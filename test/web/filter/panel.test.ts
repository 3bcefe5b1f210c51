import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseFilter } from '../../../src/files/find/parse.ts'
import { printFilter, readFilter } from '../../../src/gallery/filter/edit.ts'
import {
  type Asked,
  DAYS,
  filterToCount,
  type Group,
  narrowed,
  readDays,
  readGroup,
  tapped,
  withDays,
  withGroup,
} from '../../../src/gallery/filter/panel/groups.ts'

const TAG = (n: number) => `t=018f0000-0000-7000-8000-00000000000${n}`
const TYPES: Group = { tokens: /^m/, match: 'any' }
const TAGS: Group = { tokens: /^t=/, match: 'all' }
const SIZES: Group = { tokens: /^b/, match: 'one' }
const read = (filter: string) => parseFilter(filter).expression ?? null

/** The filter after taps on values. */
function tap(filter: string, group: Group, ...tokens: string[]): string {
  return tokens.reduce((now, token) => {
    const expression = read(now)
    const { asked } = readGroup(expression, group)
    return printFilter(withGroup(expression, group, tapped(group, asked, token)))
  }, filter)
}

describe('a group of the panel', () => {
  it('has a value on, then excluded, then off', () => {
    const taps = ['{u=1}', '{u=1,&,m=image/png}', '{u=1,&,!,m=image/png}', '{u=1}']
    for (const [n, filter] of taps.slice(0, -1).entries())
      assert.equal(tap(filter, TYPES, 'm=image/png'), taps[n + 1])
  })

  it('joins several values by OR, those of tags by AND, and has one size', () => {
    const two = '{r=1,&,(,m=image/png,|,m=image/heic,)}'
    assert.equal(tap('{r=1}', TYPES, 'm=image/png', 'm=image/heic'), two)
    assert.equal(tap(two, TYPES, 'm=image/png'), '{r=1,&,m=image/heic,&,!,m=image/png}')
    assert.equal(tap('', TAGS, TAG(1), TAG(2), TAG(2)), `{${TAG(1)},&,!,${TAG(2)}}`)
    assert.equal(tap('', SIZES, 'b>5000000', 'b>20000000'), '{b>20000000}')
  })

  it('keeps its place in the filter, and leaves alone what else is asked', () => {
    const filter = '{m=image/png,&,r=1}'
    assert.equal(tap(filter, TYPES, 'm=image/gif'), '{(,m=image/png,|,m=image/gif,),&,r=1}')
    const other = `{(,m=image/png,|,r=1,)}`
    assert.deepEqual(readGroup(read(other), TYPES).asked, new Map())
    assert.equal(tap(other, TYPES, 'm=image/gif'), '{(,m=image/png,|,r=1,),&,m=image/gif}')
    const either = `{${TAG(1)},|,${TAG(2)}}`
    assert.equal(tap(either, TAGS, TAG(3)), `{(,${TAG(1)},|,${TAG(2)},),&,${TAG(3)}}`)
  })

  it('finds no more than before where the filter asks for several at once', () => {
    const both = '{m~image/%,&,m=image/png}'
    assert.deepEqual(readGroup(read(both), TYPES).asked, new Map([['m~image/%', 'is']]))
    assert.equal(tap(both, TYPES, 'm=video/mp4'), '{(,m~image/%,|,m=video/mp4,),&,m=image/png}')
    assert.equal(tap(both, TYPES, 'm~image/%'), '{!,m~image/%,&,m=image/png}')
    assert.equal(tap(both, TYPES, 'm~image/%', 'm~image/%'), '{m=image/png}')
    const sizes = '{b>5000000,&,b<20000000}'
    assert.equal(tap(sizes, SIZES, 'b>5000000', 'b>5000000'), '{b<20000000}')
    assert.equal(filterToCount(read(sizes), SIZES), '{b<20000000}')
  })

  it('is counted without its own conditions, but for the tags that a file has to have', () => {
    const filter = read(`{m=image/png,&,${TAG(1)},&,!,${TAG(2)},&,r=1}`)
    assert.equal(filterToCount(filter, TYPES), `{${TAG(1)},&,!,${TAG(2)},&,r=1}`)
    assert.equal(filterToCount(filter, TAGS), `{m=image/png,&,r=1,&,${TAG(1)}}`)
    assert.equal(filterToCount(read('{m=image/png}'), TYPES), '')
    assert.equal(filterToCount(read('{d>=2019,&,r=1,&,d<=2021}'), DAYS), '{r=1}')
    assert.equal(narrowed('{r=1,|,f=1}', ['u=1']), '{(,r=1,|,f=1,),&,u=1}')
    assert.equal(narrowed('', []), '')
  })
})

describe('the days of the panel', () => {
  const written: [from: string, to: string, filter: string][] = [
    ['2019-01-01', '2019-12-31', '{d=2019}'],
    ['2019-01-01', '2021-12-31', '{d>=2019,&,d<=2021}'],
    ['2019-02-01', '2019-02-28', '{d=2019-02}'],
    ['2019-01-01', '2019-02-28', '{d>=2019-01,&,d<=2019-02}'],
    ['2019-05-14', '2019-05-14', '{d=2019-05-14}'],
    ['2026-11-16', '2026-11-22', '{d>=2026-11-16,&,d<=2026-11-22}'],
    ['2019-01-01', '2019-05-14', '{d>=2019-01-01,&,d<=2019-05-14}'],
    ['2019-01-01', '', '{d>=2019}'],
    ['', '2020-02-29', '{d<=2020-02}'],
    ['', '', ''],
  ]

  it('are written as years, months or days, and read again', () => {
    for (const [from, to, filter] of written) {
      assert.equal(printFilter(withDays(null, { from, to })), filter)
      const asTheBoxReadsIt = readFilter('{d>=2018,&,d<=2019-05}').expression!
      assert.deepEqual(readDays(asTheBoxReadsIt), { from: '2018-01-01', to: '2019-05-31' })
      assert.deepEqual(readDays(read(filter)), { from, to })
    }
  })

  it('take the place of others, but not of excluded ones', () => {
    const filter = read('{d>2018,&,r=1,&,!,d=2020}')
    assert.deepEqual(readDays(filter), { from: '2019-01-01', to: '' })
    const next = withDays(filter, { from: '', to: '' })
    assert.equal(printFilter(next), '{!,d=2020,&,r=1}')
    const asked: [string, Asked][] = [['d=2020', 'not']]
    assert.deepEqual(readGroup(next, DAYS).asked, new Map(asked))
  })
})
