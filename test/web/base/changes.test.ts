import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../../../src/gallery/base/error.ts'
import { createChanges } from '../../../src/gallery/base/undo/changes.ts'

/** A server that undoes operations, but for those that fail. */
function open() {
  const undone: number[] = []
  const failing = new Map<number, ApiError>()
  let told = 0
  const changes = createChanges(
    async (operation) => {
      await Promise.resolve()
      const error = failing.get(operation)
      if (error) throw error
      undone.push(operation)
      return 1
    },
    () => {
      told++
    },
  )
  const undoLast = () => changes.takeBack(async () => changes.last())
  return { changes, undone, failing, undoLast, told: () => told }
}

describe('changes that are taken back', () => {
  test('the last operation of the last change is undone first', async () => {
    const { changes, undone, undoLast } = open()
    changes.remember(1)
    changes.remember([2, 3])
    assert.equal(await undoLast(), 2)
    assert.equal(await undoLast(), 1)
    assert.equal(await undoLast(), null)
    assert.deepEqual(undone, [3, 2, 1])
  })

  test('a change that was told of late stands where the server made it', async () => {
    const { changes, undone, undoLast } = open()
    changes.remember(1)
    changes.remember([4, 5])
    changes.remember(3)
    while ((await undoLast()) !== null);
    assert.deepEqual(undone, [5, 4, 3, 1])
  })

  test('what shows the files hears of it once, and of what a failure leaves, too', async () => {
    const { changes, failing, undoLast, told } = open()
    changes.remember([1, 2, 3])
    failing.set(1, new ApiError(0, 'no_connection'))
    await assert.rejects(undoLast())
    assert.equal(told(), 1)
    await assert.rejects(undoLast())
    assert.equal(told(), 1)
    failing.clear()
    await undoLast()
    assert.equal(told(), 2)
  })

  test('two wishes at once take back two changes, one after the other', async () => {
    const { changes, undone, undoLast } = open()
    changes.remember(1)
    changes.remember([2, 3])
    await Promise.all([undoLast(), undoLast()])
    assert.deepEqual(undone, [3, 2, 1])
  })

  test('a change that is wanted back twice is taken back once', async () => {
    const { changes, undone } = open()
    changes.remember(1)
    const again = () => changes.takeBack(async () => 1)
    assert.deepEqual(await Promise.all([again(), again()]), [1, null])
    assert.deepEqual(undone, [1])
  })

  test('what a failure leaves is taken back next, before older changes', async () => {
    const { changes, undone, failing, undoLast } = open()
    changes.remember(1)
    changes.remember([2, 3, 4])
    failing.set(3, new ApiError(0, 'no_connection'))
    await assert.rejects(undoLast(), { code: 'no_connection' })
    assert.deepEqual(undone, [4])
    failing.clear()
    assert.equal(await undoLast(), 2)
    assert.deepEqual(undone, [4, 3, 2])
    assert.equal(await undoLast(), 1)
  })

  test('what belongs to a change is told once all of it is taken back', async () => {
    const { changes, failing, undoLast } = open()
    let backs = 0
    changes.remember([1, 2], () => backs++)
    failing.set(1, new ApiError(0, 'no_connection'))
    await assert.rejects(undoLast())
    assert.equal(backs, 0)
    failing.clear()
    await undoLast()
    assert.equal(backs, 1)
  })

  test('it is told, too, when somebody else has taken part of it back, but not when nothing was', async () => {
    const { changes, failing, undoLast } = open()
    const backs: string[] = []
    changes.remember(3, () => backs.push('kept'))
    changes.remember([4, 5], () => backs.push('of both'))
    for (const operation of [3, 4]) failing.set(operation, new ApiError(409, 'conflict'))
    await assert.rejects(undoLast())
    assert.deepEqual(backs, ['of both'])
    await assert.rejects(undoLast())
    assert.deepEqual(backs, ['of both'])
  })

  test('what can never be taken back does not stand in the way of the rest', async () => {
    const { changes, undone, failing, undoLast } = open()
    changes.remember(1)
    changes.remember([2, 3])
    failing.set(3, new ApiError(409, 'conflict'))
    await assert.rejects(undoLast(), { status: 409 })
    await undoLast()
    await undoLast()
    assert.deepEqual(undone, [2, 1])
  })
})
