import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Condition, type Expression, parseFilter } from '../../../src/files/find/parse.ts'
import {
  isOrAt,
  leavesOf,
  limitOf,
  printFilter,
  readFilter,
  rejoined,
  sentenceOf,
  without,
  withoutLast,
  withSteps,
} from '../../../src/gallery/filter/edit.ts'
import { filterWithin, splitPlaces } from '../../../src/gallery/filter/places.ts'

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
      const item = { kind: 'condition', condition: tag(name) } as const
      expression = withSteps(expression, [{ ...joint, item }])
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

  it('are joined by or instead of and, and the other way round, where no brackets are', () => {
    const turn = (text: string) => {
      const expression = read(text)!
      return leavesOf(expression).map(({ path }) =>
        isOrAt(expression, path) === null ? null : say(rejoined(expression, path)),
      )
    }
    assert.deepEqual(turn('Arezzo & holiday & ! work'), [
      null,
      'Arezzo or holiday and not work',
      'Arezzo and holiday or not work',
    ])
    assert.deepEqual(turn('Arezzo | holiday | work'), [
      null,
      'Arezzo and holiday or work',
      'Arezzo or holiday and work',
    ])
    assert.deepEqual(turn('Arezzo & ( holiday | work )'), [
      null,
      'Arezzo or holiday or work',
      'Arezzo and holiday and work',
    ])
    assert.deepEqual(turn('Arezzo | holiday & work'), [null, null, null])
    assert.deepEqual(turn('! ( Arezzo & work ) & snow'), [null, null, null])
  })

  it('are one for two conditions that bound the days', () => {
    const span = '{r=1,&,d>=2019,&,d<=2021-05}'
    const expression = readFilter(span).expression!
    const [, days] = leavesOf(expression)
    assert.deepEqual(days!.condition, {
      kind: 'fact',
      token: 'd>=2019,&,d<=2021-05',
      fact: { of: 'days', from: Date.UTC(2019, 0), to: Date.UTC(2021, 5) },
      negated: false,
    })
    assert.equal(printFilter(expression), span)
    assert.equal(printFilter(without(expression, days!.path)), '{r=1}')
    const sort = { sort: 'created', order: 'desc' } as const
    assert.deepEqual(withoutLast({ ...sort, filter: span }), { filter: '{r=1}' })
    for (const [text, count] of [
      ['{!,(,d>=2019,&,d<=2021,)}', 1],
      ['{r=1,|,d>=2019,&,d<=2021}', 2],
      ['{d>=2019,&,r=1,&,d<=2021}', 3],
      ['{d>=2021,&,d<=2019}', 2],
    ] as const) {
      const { expression: read } = readFilter(text)
      assert.equal(leavesOf(read!).length, count, text)
      assert.deepEqual(readFilter(printFilter(read!)).expression, read)
    }
  })

  it('of other days replace those that no picture can have with them', () => {
    const added = (before: string, text: string, joint = AND) => {
      const item = readFilter(text).expression!
      return printFilter(withSteps(readFilter(before).expression!, [{ ...joint, item }]))
    }
    assert.equal(added('{r=1,&,d=2018}', '{d=2019}'), '{r=1,&,d=2019}')
    assert.equal(added('{d>=2015,&,d<=2018}', '{d=2019-05}'), '{d=2019-05}')
    assert.equal(added('{d=2018}', '{d=2018-05}'), '{d=2018,&,d=2018-05}')
    assert.equal(added('{d>=2018}', '{d<=2019}'), '{d>=2018,&,d<=2019}')
    assert.equal(added('{d=2018}', '{d=2019}', OR), '{d=2018,|,d=2019}')
    assert.equal(added('{d=2018}', '{d=2019}', NOT), '{d=2018,&,!,d=2019}')
    assert.equal(added('{d=2018,|,r=1}', '{d=2019}'), '{(,d=2018,|,r=1,),&,d=2019}')
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

describe('the places of a filter', () => {
  const split = (filter: string) => {
    const { cells, rest } = splitPlaces(parseFilter(filter).expression ?? null)
    return [cells, printFilter(rest)]
  }
  it('are split off where every result is in one of them', () => {
    assert.deepEqual(split(''), [[], ''])
    assert.deepEqual(split('{g~u2}'), [['u2'], ''])
    assert.deepEqual(split('{m~image/%,&,(,g~u2,|,g~spv,)}'), [['u2', 'spv'], '{m~image/%}'])
    assert.deepEqual(split('{r=1,&,g=1,&,f=1}'), [[''], '{r=1,&,f=1}'])
    for (const whole of ['{!,g~u2}', '{g~u2,|,f=1}', '{g=0}', '{!,(,g~u2,|,g~spv,)}']) {
      assert.deepEqual(split(whole), [[], whole])
    }
  })

  it('are added to it', () => {
    const add = (filter: string, cells: string[]) =>
      filterWithin(parseFilter(filter).expression ?? null, cells)
    assert.equal(add('', ['u2']), '{g~u2}')
    assert.equal(add('', []), '')
    assert.equal(add('{f=1}', ['']), '{f=1,&,g=1}')
    assert.equal(add('{f=1,|,r=1}', ['u2', 'spv']), '{(,f=1,|,r=1,),&,(,g~u2,|,g~spv,)}')
  })
})
