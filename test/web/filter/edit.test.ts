import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Condition, type Expression, parseFilter } from '../../../src/files/find/parse.ts'
import {
  joined,
  leavesOf,
  limitOf,
  printFilter,
  sentenceOf,
  without,
  withoutLast,
} from '../../../src/gallery/filter/edit.ts'

import { filters, print } from '../../support/filter-trees.ts'
import { fc } from '../../support/property.ts'

const NAMES = ['Arezzo', 'holiday', 'work', 'snow']
const idOf = (name: string) => `018f0000-0000-7000-8000-00000000000${NAMES.indexOf(name)}`
const tag = (name: string): Condition => ({ kind: 'tag', id: idOf(name) })

/** The expression of a filter whose tags are given by name. */
function read(text: string): Expression | null {
  const filter = text.replace(/[A-Za-z]{3,}/g, (name) => `t=${idOf(name)}`)
  return parseFilter(`{${filter.split(' ').join(',')}}`).expression ?? null
}

/** An expression as people read it. */
function say(expression: Expression | null): string {
  return sentenceOf(expression)
    .map((part) => {
      if (part.kind === 'word') return part.word
      if (part.kind === 'bracket') return part.text
      const { condition } = part
      return condition.kind === 'tag' ? NAMES[Number(condition.id.at(-1))] : condition.kind
    })
    .join(' ')
}

const AND = { or: false, negated: false }
const OR = { or: true, negated: false }
const NOT = { or: false, negated: true }

describe('what stands last', () => {
  const LISTING = { sort: 'content_datetime', order: 'desc' } as const

  it('is dates, then a name, then a condition, then a filter that breaks', () => {
    const filter = `{t=${idOf('snow')},&,!,t=${idOf('work')}}`
    const dates = { from: '2018-01-01T00:00:00Z', to: '2019-01-01T00:00:00Z' }
    const all = { ...LISTING, filter, search: 'lake', ...dates }
    assert.deepEqual(withoutLast(all), { from: '', to: '' })
    assert.deepEqual(withoutLast({ ...LISTING, filter, search: 'lake' }), { search: '' })
    assert.deepEqual(withoutLast({ ...LISTING, filter }), { filter: `{t=${idOf('snow')}}` })
    assert.deepEqual(withoutLast({ ...LISTING, filter: '{r=1}' }), { filter: '' })
    assert.deepEqual(withoutLast({ ...LISTING, filter: '{r=' }), { filter: '' })
  })

  it('is nothing when everything is shown', () => {
    assert.equal(withoutLast({ ...LISTING, filter: '', search: '' }), null)
  })
})

describe('a condition that limits everything', () => {
  const limit = (text: string) => limitOf(read(text), tag('snow'))

  it('is the whole filter, or joined to the rest by and, turned or not', () => {
    assert.deepEqual(limit('snow'), { condition: tag('snow'), negated: false, path: [] })
    assert.deepEqual(limit('! snow')?.path, [0])
    assert.deepEqual(limit('work & snow')?.path, [1])
    assert.deepEqual(limit('( work | holiday ) & ! snow')?.path, [1, 0])
    assert.equal(limit('work & ! snow')?.negated, true)
  })

  it('is none that is one of several', () => {
    assert.equal(limit('snow | work'), undefined)
    assert.equal(limit('! snow | work'), undefined)
    assert.equal(limit('work & ( snow | holiday )'), undefined)
    assert.equal(limit('! ( work & snow )'), undefined)
    assert.equal(limit('work'), undefined)
    assert.equal(limitOf(null, tag('snow')), undefined)
  })
})

describe('chips', () => {
  it('join to a sentence, in which or is nearer than and', () => {
    let expression: Expression | null = null
    const said: string[] = []
    for (const [name, joint] of [
      ['Arezzo', AND],
      ['holiday', OR],
      ['work', NOT],
      ['snow', { or: true, negated: true }],
    ] as const) {
      expression = joined(expression, tag(name), joint)
      said.push(say(expression))
    }
    assert.deepEqual(said, [
      'Arezzo',
      'Arezzo or holiday',
      'Arezzo or holiday and not work',
      'Arezzo or holiday and not work or not snow',
    ])
    assert.deepEqual(expression, read('( Arezzo | holiday ) & ( ! work | ! snow )'))
  })

  it('stand in brackets where the sentence would say something else', () => {
    const cases = [
      ['Arezzo | holiday & work', 'Arezzo or ( holiday and work )'],
      ['! ( Arezzo | holiday ) & work', 'not ( Arezzo or holiday ) and work'],
      ['Arezzo & ! ( holiday & work )', 'Arezzo and not ( holiday and work )'],
      ['Arezzo | ! holiday', 'Arezzo or not holiday'],
      ['! Arezzo', 'not Arezzo'],
      ['Arezzo & ( holiday | ( work & snow ) )', 'Arezzo and holiday or ( work and snow )'],
    ]
    assert.deepEqual(
      cases.map(([filter]) => say(read(filter!))),
      cases.map(([, sentence]) => sentence),
    )
  })

  it('are taken out one by one', () => {
    const expression = read('( Arezzo | holiday ) & ! work & ! ( snow & work )')
    const left = leavesOf(expression).map(({ path }) => say(without(expression, path)))
    assert.deepEqual(left, [
      'holiday and not work and not ( snow and work )',
      'Arezzo and not work and not ( snow and work )',
      'Arezzo or holiday and not ( snow and work )',
      'Arezzo or holiday and not work and not work',
      'Arezzo or holiday and not work and not snow',
    ])
    assert.equal(without(read('! work'), [0]), null)
  })

  it('are as many as the conditions, whatever the filter, and each can go', () => {
    fc.assert(
      fc.property(filters(NAMES.map(idOf)), (tree) => {
        let expression = parseFilter(print(tree)).expression ?? null
        const leaves = leavesOf(expression)
        const chips = sentenceOf(expression).flatMap((part) =>
          part.kind === 'chip'
            ? [{ condition: part.condition, negated: part.negated, path: part.path }]
            : [],
        )
        assert.deepEqual(chips, leaves)
        for (let left = leaves.length; left > 0; left--) {
          assert.equal(leavesOf(expression).length, left)
          expression = without(expression, leavesOf(expression).at(-1)!.path)
          // What is left is a filter again, and the same one when it is read.
          assert.deepEqual(
            leavesOf(parseFilter(printFilter(expression)).expression ?? null).length,
            left - 1,
          )
        }
        assert.equal(expression, null)
      }),
      { numRuns: 60 },
    )
  })
})
