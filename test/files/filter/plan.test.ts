import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  combine,
  countFiles,
  type FileSet,
  filesOf,
  hasFile,
  setOf,
} from '../../../src/files/file-set.ts'
import { evaluate } from '../../../src/files/filter/evaluate.ts'
import { parseFilter } from '../../../src/files/filter/parse.ts'
import { choosePlan } from '../../../src/files/filter/plan.ts'
import { buildTree, like, type Tree } from '../../../src/files/filter/tree.ts'
import { fc } from '../../support/property.ts'

const TYPES = ['image/jpeg', 'image/png', 'video/mp4', 'video/x-m4v']
const id = (tag: number) => `018f0000-0000-7000-8000-${String(tag).padStart(12, '0')}`
const UNTAGGED = 't=00000000-0000-0000-0000-000000000000'

/** The tree of a filter in which tags are numbers; those from 900 on the viewer may not see. */
function treeOf(filter: string): Tree {
  const spelled = filter
    .replaceAll(/\d+/g, (tag) => `t=${id(Number(tag))}`)
    .replaceAll('U', UNTAGGED)
    .replaceAll('R', 'r=1')
    .replaceAll(' ', ',')
  return buildTree(parseFilter(`{${spelled}}`)!, {
    tag: (uuid) => (Number(uuid.slice(-12)) < 900 ? Number(uuid.slice(-12)) : null),
    mimeTypes: TYPES,
  })
}

const any = (...tags: number[]): Tree => ({ kind: 'tags', match: 'any', tags, negated: false })
const all = (...tags: number[]): Tree => ({ ...any(...tags), match: 'all' }) as Tree
const no = (tree: Tree): Tree => ({ ...tree, negated: true }) as Tree
const mime = (...types: string[]): Tree => ({ kind: 'mime', types })
const review = (needed: boolean): Tree => ({ kind: 'review', needed })
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
    const names = { tag: () => null, mimeTypes: TYPES }
    for (const [filter, tree] of cases) {
      const expression = parseFilter(`{${filter.replaceAll(' ', ',')}}`)!
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

describe('the plan of a list', () => {
  const COUNTS = new Map([
    [1, 50_000],
    [2, 20_000],
    [3, 3000],
    [4, 800],
    [5, 5],
    [6, 0],
    [7, 2001],
    [8, 2000],
  ])
  const planOf = (
    filter: string | null,
    confined = false,
    inPool: number | null = null,
    seesAll = true,
  ) =>
    choosePlan({
      tree: filter === null ? null : treeOf(filter),
      count: (tag) => COUNTS.get(tag) ?? 15_000,
      total: 100_000,
      confined,
      inPool,
      seesAll,
      limit: 51,
    })
  const sets = { way: 'sets' }
  const walkOr = (fallback: unknown) => ({ way: 'walk', rows: 5000, fallback })
  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

  it('walks where there is no filter', () => {
    assert.deepEqual(planOf(null), { way: 'plain' })
    assert.deepEqual(planOf('! 900'), { way: 'plain' })
  })

  it('walks only so far where there is no filter, but what the viewer may view', () => {
    const plan = walkOr({ way: 'visible' })
    assert.deepEqual(planOf(null, false, null, false), plan)
    assert.deepEqual(planOf('! 900', false, null, false), plan)
  })

  it('looks for nothing where a tag has no file or none may be seen', () => {
    for (const filter of ['900', '1 & 900', '6', '1 & 6', '6 & R & ! 1']) {
      assert.deepEqual(planOf(filter), { way: 'empty' }, filter)
    }
    assert.notDeepEqual(planOf('1 | 6'), { way: 'empty' })
  })

  it('drives from a rare tag that every match carries', () => {
    assert.deepEqual(planOf('5'), { way: 'drive', tag: 5 })
    assert.deepEqual(planOf('1 & 4 & ! 2'), { way: 'drive', tag: 4 })
    assert.deepEqual(planOf('( 1 | 2 ) & 5 & R'), { way: 'drive', tag: 5 })
    assert.deepEqual(planOf('8'), { way: 'drive', tag: 8 })
    for (const filter of ['7', '! 5', '4 | 5', '1 | 5 & 2']) {
      assert.notEqual(planOf(filter).way, 'drive', filter)
    }
  })

  it('walks so far and no farther for what is frequent', () => {
    for (const filter of ['1', '1 & 2', '! 5', '1 | 5', 'U', 'R', '! ( 4 | 5 )']) {
      assert.deepEqual(planOf(filter), walkOr(sets), filter)
    }
    assert.deepEqual(planOf(numbers(100, 250).join(' | ')), walkOr(sets))
  })

  it('combines sets where matches are too few to meet on a walk', () => {
    for (const filter of ['10 & 11 & 12', '3 & 7', '4 | 5']) {
      assert.deepEqual(planOf(filter), sets, filter)
    }
    assert.deepEqual(planOf(numbers(100, 250).join(' & ')), sets)
  })

  it('combines sets where more than eight leaves remain, however frequent or rare', () => {
    const pairs = (count: number) =>
      numbers(0, count)
        .map((i) => `${100 + 2 * i} & ${101 + 2 * i}`)
        .join(' | ')
    assert.equal(planOf(pairs(8)).way, 'walk')
    assert.deepEqual(planOf(pairs(9)), sets)
    assert.deepEqual(planOf(pairs(125)), sets)
    assert.deepEqual(planOf(`5 & ( ${pairs(9)} )`), sets)
    assert.deepEqual(planOf(pairs(9), true), sets)
    const clauses = numbers(0, 70).map((i) => `( ${100 + i} | ! ${200 + i} )`)
    assert.deepEqual(planOf(clauses.join(' & ')), sets)
    assert.deepEqual(planOf(Array(100).fill('R & 1').join(' | ')), planOf('R & 1'))
  })

  it('looks for the names when a walk does not find enough of them', () => {
    assert.deepEqual(planOf(null, true), walkOr({ way: 'confined' }))
    assert.deepEqual(planOf('1', true), walkOr({ way: 'confined' }))
    assert.deepEqual(planOf('5', true), { way: 'drive', tag: 5 })
    assert.deepEqual(planOf('4 | 5', true), { way: 'confined' })
  })

  it('begins with the files of a pool, unless another condition leaves fewer', () => {
    assert.deepEqual(planOf(null, false, 1000), { way: 'confined' })
    assert.deepEqual(planOf('1', false, 1000), { way: 'confined' })
    assert.deepEqual(planOf('5', false, 1000), { way: 'drive', tag: 5 })
    assert.deepEqual(planOf('6', false, 1000), { way: 'empty' })
  })

  it('meets the files of a large pool on a walk, or combines sets', () => {
    assert.deepEqual(planOf(null, false, 50_000), walkOr({ way: 'confined' }))
    assert.deepEqual(planOf('1', false, 50_000), walkOr(sets))
    assert.deepEqual(planOf('3', false, 10_000), sets)
    assert.deepEqual(planOf('5', false, 50_000), { way: 'drive', tag: 5 })
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

  it('answer a tree as a plain look at each file does', () => {
    const world = fc.record({
      tags: fc.tuple(rids, rids, rids, rids),
      types: fc.tuple(rids, rids),
      review: rids,
      untagged: rids,
    })
    const leaf = fc.oneof(
      fc.record({
        kind: fc.constant('tags' as const),
        match: fc.constantFrom('any' as const, 'all' as const),
        tags: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1 }),
        negated: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('untagged' as const), negated: fc.boolean() }),
      fc.record({
        kind: fc.constant('mime' as const),
        types: fc.uniqueArray(fc.constantFrom('0', '1'), { minLength: 1 }),
      }),
      fc.record({ kind: fc.constant('review' as const), needed: fc.boolean() }),
      fc.record({ kind: fc.constantFrom('always' as const, 'never' as const) }),
    )
    const { tree } = fc.letrec<{ tree: Tree; inner: Tree }>((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, leaf, tie('inner')),
      inner: fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        items: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
      }),
    }))
    fc.assert(
      fc.property(world, tree, ({ tags, types, review: reviewed, untagged }, tree) => {
        const matches = (node: Tree, rid: number): boolean => {
          switch (node.kind) {
            case 'always':
              return true
            case 'never':
              return false
            case 'tags': {
              const carries = (tag: number) => tags[tag]!.includes(rid)
              const found =
                node.match === 'any' ? node.tags.some(carries) : node.tags.every(carries)
              return found !== node.negated
            }
            case 'untagged':
              return untagged.includes(rid) !== node.negated
            case 'mime':
              return node.types.some((type) => types[Number(type)]!.includes(rid))
            case 'review':
              return reviewed.includes(rid) === node.needed
            case 'and':
              return node.items.every((item) => matches(item, rid))
            case 'or':
              return node.items.some((item) => matches(item, rid))
          }
        }
        const set: FileSet = evaluate(tree, {
          words: WORDS,
          tag: (tag) => setOf(tags[tag]!),
          trait: ({ column, value }) =>
            setOf(column === 'needs_review' ? reviewed : types[Number(value)]!),
          untagged: () => setOf(untagged),
        })
        for (let rid = 1; rid <= 300; rid++) assert.equal(hasFile(set, rid), matches(tree, rid))
      }),
      { numRuns: 200 },
    )
  })
})
