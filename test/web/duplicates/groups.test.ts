import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  apart,
  distanceOf,
  type Group,
  groupByHand,
  groupOf,
  nextPair,
  renewed,
  upcoming,
  withChosen,
  without,
} from '../../../src/gallery/duplicates/groups.ts'
import { fileOf } from '../support/files.ts'

const [small, large, middle] = [
  fileOf(1, { width: 400, height: 300 }),
  fileOf(2, { width: 4000, height: 3000 }),
  fileOf(3, { width: 1600, height: 1200 }),
]
const link = (a: { id: string }, b: { id: string }, distance = 2) => ({
  a: a.id,
  b: b.id,
  distance,
})
const cluster = ({
  files = [small, large, middle],
  distances,
}: {
  files?: (typeof small)[]
  distances: NonNullable<Group['distances']>
}) => groupOf({ ids: files.map(({ id }) => id), files, distances })

/** The widths of the pair that is next. */
const shown = (group: Group) => {
  const pair = nextPair(group)
  return pair && [pair.left.width, pair.right.width]
}

describe('a group of files that look alike', () => {
  it('begins with the best of those that look alike, on the left', () => {
    const whole = cluster({
      distances: [link(small, large), link(small, middle), link(large, middle, 5)],
    })
    assert.deepEqual(shown(whole), [4000, 1600])
    assert.equal(distanceOf(whole, nextPair(whole)!), 5)
    const chain = cluster({ distances: [link(small, middle), link(small, large)] })
    assert.deepEqual(shown(chain), [4000, 400])
    assert.equal(distanceOf(chain, { left: large, right: middle }), null)
  })

  it('says nothing of how alike files are that people brought together', () => {
    const group = groupByHand([small, large, middle])
    assert.deepEqual(shown(group), [400, 4000])
    assert.equal(distanceOf(group, nextPair(group)!), undefined)
    assert.equal(distanceOf(group, { left: large, right: middle }), undefined)
    assert.deepEqual(shown(apart(group, { left: small, right: large })), [400, 1600])
    assert.equal(nextPair(without(group, new Set([small.id]))), null)
  })

  it('goes on with what is left, and ends when no two are', () => {
    const whole = cluster({
      distances: [link(small, large), link(small, middle), link(large, middle)],
    })
    const merged = without(whole, new Set([middle.id]))
    assert.deepEqual(shown(merged), [4000, 400])
    assert.equal(nextPair(without(merged, new Set([large.id]))), null)
    const differing = apart(whole, { left: middle, right: large })
    assert.deepEqual(shown(differing), [4000, 400])
    assert.deepEqual(shown(apart(differing, { left: large, right: small })), [1600, 400])
  })

  it('keeps its order when one of its files has changed', () => {
    const group = cluster({ distances: [link(small, large)] })
    const better = { ...small, width: 9000, height: 9000 }
    assert.deepEqual(
      renewed(group, better).files.map(({ width }) => width),
      [4000, 1600, 9000],
    )
  })

  it('shows any two by their digits', () => {
    const group = cluster({ distances: [link(large, middle)] })
    const first = { left: large, right: middle }
    const third = withChosen(group, first, 2)!
    assert.deepEqual([third.left, third.right], [large, small])
    const turned = withChosen(group, first, 1)!
    assert.deepEqual([turned.left, turned.right], [middle, large])
    const last = withChosen(group, turned, 2)!
    assert.deepEqual([last.left, last.right], [middle, small])
    assert.equal(withChosen(group, first, 3), null)
  })

  it('tells the files that may come next, whatever is decided', () => {
    const [other, another] = [fileOf(8), fileOf(9)]
    const groups = [
      cluster({ distances: [link(small, middle), link(large, middle)] }),
      cluster({ files: [other, another], distances: [link(other, another)] }),
      cluster({ files: [fileOf(10), fileOf(11)], distances: [link(fileOf(10), fileOf(11))] }),
    ]
    const next = upcoming(groups, { left: large, right: middle })
    assert.deepEqual(next.map(({ id }) => id).sort(), [small.id, other.id, another.id].sort())
  })
})
