import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { applied, mergedCommon, type OnFiles } from '../../../src/web/app/tagging/change/edits.ts'
import { inSlices, slicesOf } from '../../../src/web/app/tagging/change/slices.ts'
import { followsOf } from '../../../src/web/app/tagging/rules.ts'

const follows = followsOf([
  { when_tag_id: 'Arezzo', then_tag_id: 'trip', is_active: true },
  { when_tag_id: 'trip', then_tag_id: 'holiday', is_active: true },
])
const hand = (id: string): OnFiles => ({ id, on: 'all', byRule: false })
const rule = (id: string): OnFiles => ({ id, on: 'all', byRule: true })

describe('tags that are being put on', () => {
  it('are there at once, with what comes along by rules', () => {
    const after = applied([hand('work')], [{ action: 'add', ids: ['Arezzo'] }], follows)
    assert.deepEqual(after, [hand('work'), hand('Arezzo'), rule('trip'), rule('holiday')])
  })

  it('leave those by hand that were, and complete those on some files', () => {
    const some: OnFiles = { id: 'trip', on: 'some', byRule: false }
    const after = applied([some], [{ action: 'add', ids: ['Arezzo'] }], follows)
    assert.deepEqual(after, [hand('trip'), hand('Arezzo'), rule('holiday')])
  })

  it('go one after the other, those that are taken off too', () => {
    const edits = [
      { action: 'add' as const, ids: ['Arezzo'] },
      { action: 'remove' as const, ids: ['trip', 'work'] },
      { action: 'add' as const, ids: ['trip'] },
    ]
    const after = applied([hand('work')], edits, follows)
    assert.deepEqual(after, [hand('Arezzo'), rule('holiday'), hand('trip')])
  })
})

describe('tags of many files', () => {
  it('are common when they are in each part, and partial when they are in one', () => {
    const parts = [
      { common_tag_ids: ['a', 'b'], partial_tag_ids: ['c'] },
      { common_tag_ids: ['a', 'c'], partial_tag_ids: ['d'] },
    ]
    assert.deepEqual(mergedCommon(parts), { common: ['a'], partial: ['b', 'c', 'd'] })
  })

  it('are changed in slices within the limits of the API', () => {
    const ids = Array.from({ length: 25_000 }, (_, id) => id)
    assert.deepEqual(
      slicesOf(ids).map(({ length }) => length),
      [10_000, 10_000, 5000],
    )
    assert.deepEqual(slicesOf(ids, 50)[0]!.length, 4000)
    assert.deepEqual(slicesOf(ids, 50).flat(), ids)
    assert.deepEqual(slicesOf([]), [])
  })

  it('are told of slice by slice, until it is ended or fails', async () => {
    const slices = [['a', 'b'], ['c'], ['d']]
    const run = async (stopAt: number, failAt: number) => {
      const stopping = new AbortController()
      const heard: number[] = []
      let number = 0
      const { error, ...outcome } = await inSlices(
        slices,
        async () => {
          if (++number === failAt) throw new Error('no')
          return number === 2 ? null : number
        },
        {
          signal: stopping.signal,
          onProgress(files) {
            heard.push(files)
            if (files >= stopAt) stopping.abort()
          },
        },
      )
      return { ...outcome, heard, hasFailed: error !== undefined }
    }
    assert.deepEqual(await run(9, 9), {
      operations: [1, 3],
      done: 4,
      heard: [2, 3, 4],
      hasFailed: false,
    })
    assert.deepEqual(await run(3, 9), {
      operations: [1],
      done: 3,
      heard: [2, 3],
      hasFailed: false,
    })
    assert.deepEqual(await run(9, 2), { operations: [1], done: 2, heard: [2], hasFailed: true })
  })
})
