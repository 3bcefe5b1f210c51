import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { combine, countFiles, filesOf, hasFile, setOf } from '../../../src/files/file-set.ts'
import { readExpression } from '../../../src/files/find/list.ts'
import { buildTree, like, type Tree } from '../../../src/files/find/tree.ts'
import { fc } from '../../support/property.ts'

const TYPES = ['image/jpeg', 'image/png', 'video/mp4', 'video/x-m4v']
const NAMES = { tagsOf: () => [], pool: () => null, mimeTypes: TYPES, rawTypes: [] }
const id = (tag: number) => `018f0000-0000-7000-8000-${String(tag).padStart(12, '0')}`
const UNTAGGED = 't=00000000-0000-0000-0000-000000000000'

/** The tree of a filter in which tags are numbers; those from 900 on the viewer may not see. */
function treeOf(filter: string): Tree {
  const spelled = filter
    .replaceAll(/\d+/g, (tag) => `t=${id(Number(tag))}`)
    .replaceAll('U', UNTAGGED)
    .replaceAll('R', 'r=1')
    .replaceAll(' ', ',')
  return buildTree(readExpression(`{${spelled}}`)!, {
    tag: (uuid) => (Number(uuid.slice(-12)) < 900 ? Number(uuid.slice(-12)) : null),
    ...NAMES,
  })
}

const any = (...tags: number[]): Tree => ({ kind: 'tags', match: 'any', tags, negated: false })
const all = (...tags: number[]): Tree => ({ ...any(...tags), match: 'all' }) as Tree
const no = (tree: Tree): Tree => ({ ...tree, negated: true }) as Tree
const mime = (...types: string[]): Tree => ({ kind: 'mime', types })
const review = (needed: boolean): Tree => ({
  kind: 'trait',
  trait: { of: 'review' },
  negated: !needed,
})
const never: Tree = { kind: 'never' }
const always: Tree = { kind: 'always' }

describe('the tree of a filter', () => {
  it('has NOT at its leaves only', () => {
    const cases: [string, Tree][] = [
      ['! ( 1 & R )', { kind: 'or', items: [no(any(1)), review(false)] }],
      ['! ( 1 | R )', { kind: 'and', items: [no(any(1)), review(false)] }],
      ['! ( 1 & ! ( 2 | R ) )', { kind: 'or', items: [any(2), no(any(1)), review(true)] }],
      ['! U', { kind: 'untagged', negated: true }],
      ['! ! 1', any(1)],
    ]
    for (const [filter, tree] of cases) assert.deepEqual(treeOf(filter), tree, filter)
  })

  it('folds the tags of one AND or OR into one leaf', () => {
    const cases: [string, Tree][] = [
      ['1 | 2 | 3', any(1, 2, 3)],
      ['1 & 2 & 3', all(1, 2, 3)],
      ['1 & 1', any(1)],
      ['1 | ( 2 | ( 3 | 1 ) )', any(1, 2, 3)],
      ['! 1 & ! 2', no(any(1, 2))],
      ['! 1 | ! 2', no(all(1, 2))],
      ['! ( 1 | 2 )', no(any(1, 2))],
      ['! ( 1 & 2 )', no(all(1, 2))],
      ['! ( 1 | 2 ) & ! 3', no(any(1, 2, 3))],
      ['1 & ! 2 & 3', { kind: 'and', items: [all(1, 3), no(any(2))] }],
      ['( 1 | 2 ) & 3', { kind: 'and', items: [any(3), any(1, 2)] }],
      ['1 & 2 | 3 & 4', { kind: 'or', items: [all(1, 2), all(3, 4)] }],
    ]
    for (const [filter, tree] of cases) assert.deepEqual(treeOf(filter), tree, filter)
  })

  it('has each part of an AND or OR once', () => {
    const cases: [string, Tree][] = [
      ['1 & 2 | 2 & 1 | ( 1 & 2 )', all(1, 2)],
      ['R | R', review(true)],
      ['( R | 1 ) & ( R | 1 )', { kind: 'or', items: [any(1), review(true)] }],
      [
        'R & 1 | R & 1 | 2',
        { kind: 'or', items: [any(2), { kind: 'and', items: [any(1), review(true)] }] },
      ],
      ['R | ! R', { kind: 'or', items: [review(true), review(false)] }],
    ]
    for (const [filter, tree] of cases) assert.deepEqual(treeOf(filter), tree, filter)
  })

  it('drops what always or never holds', () => {
    const cases: [string, Tree][] = [
      ['900', never],
      ['! 900', always],
      ['1 & 900', never],
      ['1 | 900', any(1)],
      ['1 | ! 900', always],
      ['1 & ! 900', any(1)],
      ['900 | 901', never],
      ['( 1 | 900 ) & ( 2 | ! 901 )', any(1)],
    ]
    for (const [filter, tree] of cases) assert.deepEqual(treeOf(filter), tree, filter)
  })

  it('knows MIME types by name', () => {
    const cases: [string, Tree][] = [
      ['m=image/png', mime('image/png')],
      ['m=image/PNG', never],
      ['! m=image/png', mime('image/jpeg', 'video/mp4', 'video/x-m4v')],
      ['! m=text/plain', always],
      ['m~video/%', mime('video/mp4', 'video/x-m4v')],
      ['m~%', always],
      ['! m~image/_peg', mime('image/png', 'video/mp4', 'video/x-m4v')],
    ]
    const names = { ...NAMES, tag: () => null }
    for (const [filter, tree] of cases) {
      const expression = readExpression(`{${filter.replaceAll(' ', ',')}}`)!
      assert.deepEqual(buildTree(expression, names), tree, filter)
    }
  })

  it('matches patterns as LIKE does, letter for letter', () => {
    const pattern = fc.array(fc.constantFrom('a', 'b', '/', '%', '_', '.'), { maxLength: 8 })
    const text = fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 8 })
    fc.assert(
      fc.property(pattern, text, (parts, letters) => {
        const source = parts.map((one) => (one === '%' ? '.*' : one === '_' ? '.' : `\\${one}`))
        const escaped = source.map((one) => (/^\\[ab]$/.test(one) ? one.slice(1) : one)).join('')
        const expected = new RegExp(`^${escaped}$`).test(letters.join(''))
        assert.equal(like(parts.join(''), letters.join('')), expected)
      }),
      { numRuns: 2000 },
    )
    assert.equal(like('%a%a%a%a%a%a%a%a%b', 'a'.repeat(200)), false)
  })
})

describe('sets of files', () => {
  const rids = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 120 })
  const WORDS = (300 >>> 5) + 1
  const sorted = (files: Iterable<number>) => [...files].sort((a, b) => a - b)

  it('hold what was put in', () => {
    fc.assert(
      fc.property(rids, fc.integer({ min: 1, max: 400 }), (files, other) => {
        const set = setOf(files)
        assert.deepEqual(filesOf(set), sorted(files))
        assert.equal(countFiles(set), files.length)
        assert.equal(hasFile(set, other), files.includes(other))
      }),
    )
    assert.deepEqual(filesOf(setOf([])), [])
    assert.equal(setOf([]).length, 1)
  })

  it('unite and intersect like any sets, of whatever lengths', () => {
    fc.assert(
      fc.property(fc.array(rids, { minLength: 1, maxLength: 5 }), (lists) => {
        const sets = lists.map(setOf)
        const everything = new Set(lists.flat())
        const shared = [...everything].filter((rid) => lists.every((list) => list.includes(rid)))
        assert.deepEqual(filesOf(combine('or', sets, WORDS)), sorted(everything))
        assert.deepEqual(filesOf(combine('and', sets, WORDS)), sorted(shared))
        assert.deepEqual(
          sets.map((set) => filesOf(set)),
          lists.map(sorted),
          'and what is combined stays as it is',
        )
      }),
    )
  })
})
