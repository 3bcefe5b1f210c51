import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPictureQueue } from '../../../../src/gallery/grid/thumbnails/pictures.ts'

const named = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `p${from + at}`)

function watched() {
  const underWay: string[] = []
  const log: string[] = []
  const queue = createPictureQueue({
    start(key) {
      underWay.push(key)
      log.push(`+${key}`)
    },
    stop(key) {
      underWay.splice(underWay.indexOf(key), 1)
      log.push(`-${key}`)
    },
  })
  const end = (key: string) => {
    underWay.splice(underWay.indexOf(key), 1)
    queue.ended(key)
  }
  return { queue, underWay, log, end }
}

describe('pictures', () => {
  test('at most 16 are under way, and the next one starts when one has come', () => {
    const { queue, underWay, end } = watched()
    queue.want(named(0, 40))
    assert.deepEqual(underWay, named(0, 16))
    end('p3')
    assert.deepEqual(underWay.slice(-2), ['p15', 'p16'])
    assert.equal(underWay.length, 16)
  })

  test('it is idle before any is wanted, and when all that are wanted have ended', () => {
    const { queue, end } = watched()
    assert.equal(queue.isIdle(), true)
    queue.want(named(0, 17))
    for (const key of named(0, 16)) {
      end(key)
      assert.equal(queue.isIdle(), false)
    }
    end('p16')
    assert.equal(queue.isIdle(), true)
  })

  test('what is no longer wanted is stopped, and what waited is dropped', () => {
    const { queue, underWay, log } = watched()
    queue.want(named(0, 40))
    queue.want(named(100, 103))
    assert.deepEqual(underWay, named(100, 103))
    assert.deepEqual(
      log.filter((line) => line.startsWith('-')),
      named(0, 16).map((key) => `-${key}`),
    )
  })

  test('what has just come into view is first, and what goes on stays under way', () => {
    const { queue, underWay, end } = watched()
    queue.want(named(0, 20))
    queue.want(named(4, 24))
    assert.deepEqual(underWay, [...named(4, 16), ...named(20, 24)])
    end('p4')
    assert.equal(underWay.at(-1), 'p16')
  })

  test('one that has come is not asked for again as long as it is in view', () => {
    const { queue, log, end } = watched()
    queue.want(['a', 'b'])
    end('a')
    queue.want(['a', 'b', 'c'])
    assert.deepEqual(log, ['+a', '+b', '+c'])
    queue.want(['c'])
    queue.want(['a'])
    assert.deepEqual(log, ['+a', '+b', '+c', '-b', '-c', '+a'])
  })

  test('one that comes after it was dropped opens no second place', () => {
    const { queue, underWay } = watched()
    queue.want(named(0, 20))
    queue.want(named(20, 60))
    queue.ended('p0')
    assert.equal(underWay.length, 16)
  })
})
