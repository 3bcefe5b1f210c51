import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../../src/errors.ts'
import { parseFilter as parseOnServer } from '../../../src/files/filter/parse.ts'
import { parseFilter } from '../../../src/web/app/filter/parse.ts'
import { printFilter } from '../../../src/web/app/filter/print.ts'
import { filters, print } from '../../support/filter-trees.ts'
import { fc } from '../../support/property.ts'

const A = '018f0000-0000-7000-8000-00000000000a'
const B = '018f0000-0000-7000-8000-00000000000b'

/** The character at which the server says that a filter breaks, from 0; null for the end. */
function breakOnServer(filter: string): number | null | undefined {
  try {
    parseOnServer(filter)
    return undefined
  } catch (error) {
    assert.ok(error instanceof AppError)
    const place = /character (\d+)\)/.exec(error.details![0]!.message)
    return place ? Number(place[1]) - 1 : null
  }
}

/** Checks that both parsers say the same of a filter. */
function compare(filter: string) {
  const here = parseFilter(filter)
  const there = breakOnServer(filter)
  if (here.expression !== undefined) {
    assert.equal(there, undefined, filter)
    assert.deepEqual(here.expression, parseOnServer(filter), filter)
    return
  }
  const end = filter.trimEnd().length - 1
  assert.equal(here.broken.start, there === null ? end : there, filter)
}

describe('the filter language in the browser', () => {
  it('reads every filter as the server does', () => {
    fc.assert(
      fc.property(
        filters([A, B]),
        fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
        (tree, spaces) => compare(print(tree, spaces)),
      ),
      { numRuns: 300 },
    )
  })

  it('breaks where the server does', () => {
    const tokens = ['(', ')', '&', '|', '!', `t=${A}`, 'r=1', 'm~a%', 'm=', 't=x', 'x', '', ' r=0 ']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...tokens), { maxLength: 8 }), (list) => {
        compare(`{${list.join(',')}}`)
        compare(` {${list.join(',')}`)
      }),
      { numRuns: 1000 },
    )
    for (const filter of ['', '  ', '{}', ' { } ', 'x', '{', '}', `{${'!,'.repeat(500)}r=1}`]) {
      compare(filter)
    }
    for (const levels of [64, 65]) compare(`{${'(,'.repeat(levels)}r=1${',)'.repeat(levels)}}`)
  })

  it('marks the token that breaks it', () => {
    const cases: [string, string, string][] = [
      [`{t=${A},&,t=beach}`, 'no id', 't=beach'],
      ['{r=1,&,  R=1 }', 'unknown token', 'R=1'],
      ['{r=1,r=0}', 'operator expected', 'r=0'],
      ['{r=1,&,|,r=0}', 'condition expected', '|'],
      ['{(,r=1,(}', 'closing expected', '('],
      ['{(,r=1}', 'closing expected', ''],
      ['  beach', 'braces', 'beach'],
    ]
    for (const [filter, problem, marked] of cases) {
      const { broken } = parseFilter(filter) as { broken: Exclude<unknown, null> & Marked }
      assert.deepEqual([broken.problem, filter.slice(broken.start, broken.end)], [problem, marked])
    }
  })

  it('writes what it has read', () => {
    fc.assert(
      fc.property(filters([A, B]), (tree) => {
        const { expression } = parseFilter(print(tree))
        assert.ok(expression)
        assert.deepEqual(parseOnServer(printFilter(expression)), expression)
      }),
      { numRuns: 300 },
    )
    assert.equal(printFilter(null), '')
  })
})

interface Marked {
  problem: string
  start: number
  end: number
}
