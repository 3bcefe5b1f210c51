import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import type { CellPage, Timeline } from '../../../src/files/overview/schema.ts'
import { openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { setWalks } from '../../support/set-walks.ts'

describe('two months', () => {
  it('follow each other, though all files of the later one come before those of the other', async () => {
    const own = await openLibrary()
    try {
      const { id, token } = await own.join('admin', { is_admin: true })
      const [first, second] = write(own.deps.db, { now: 0 }, (tx) => {
        const made = addManyFiles(tx, 2, { owner: id })
        const update = 'UPDATE files SET content_datetime = ?, content_offset = ? WHERE rid = ?'
        tx.run(update, Date.UTC(2018, 5, 30, 20), 14 * 60, 1)
        tx.run(update, Date.UTC(2018, 5, 30, 21), 0, 2)
        return made
      })
      const { got } = setWalks(own, { admin: token })
      for (const order of ['asc', 'desc']) {
        const query = { sort: 'content_datetime', order }
        const { buckets } = await got<Timeline>('admin', '/files/timeline', query)
        const begun: unknown[] = []
        for (const { key, count, cursor } of buckets) {
          const { ids } = await got<CellPage>('admin', '/files/cells', { cursor, limit: 1 })
          begun.push([key, count, ids[0]])
        }
        const expected = [
          ['2018-06', 1, first],
          ['2018-07', 1, second],
        ]
        const descending = [
          ['2018-07', 1, second],
          ['2018-06', 1, first],
        ]
        assert.deepEqual(begun, order === 'asc' ? expected : descending)
      }
    } finally {
      await own.close()
    }
  })
})

describe('a month of more than 4,000 files', () => {
  it('is in parts, with a cursor for each', async () => {
    const own = await openLibrary()
    try {
      const { id, token } = await own.join('admin', { is_admin: true })
      const ids = write(own.deps.db, { now: 0 }, (tx) => addManyFiles(tx, 9001, { owner: id }))
      const inOrder = setWalks(own, { admin: token })
      for (const order of ['asc', 'desc']) {
        if (order === 'desc') ids.reverse()
        const query = { sort: 'content_datetime', order }
        const { total, buckets } = await inOrder.got<Timeline>('admin', '/files/timeline', query)
        assert.equal(total, 9001)
        const sizes = buckets.map(({ key, part, count, ratio }) => [key, part, count, ratio])
        assert.deepEqual(sizes, [
          ['1970-01', 0, 4000, 5333.33],
          ['1970-01', 1, 4000, 5333.33],
          ['1970-01', 2, 1001, 1334.67],
        ])
        for (const [part, { cursor }] of buckets.entries()) {
          const at = { cursor, limit: 2 }
          const { ids: shown } = await inOrder.got<CellPage>('admin', '/files/cells', at)
          assert.deepEqual(shown, ids.slice(part * 4000, part * 4000 + 2))
        }
      }
    } finally {
      await own.close()
    }
  })

  it('may take turns with another, file by file, and each part begins where those before it end', async () => {
    const own = await openLibrary()
    try {
      const { id, token } = await own.join('admin', { is_admin: true })
      const ids = write(own.deps.db, { now: 0 }, (tx) => {
        const made = addManyFiles(tx, 9001, { owner: id })
        // The files of every other one's zone are still of the year before.
        tx.run('UPDATE files SET content_offset = -60 WHERE rid % 2 = 0')
        return made
      })
      const inOrder = setWalks(own, { admin: token })
      for (const order of ['asc', 'desc']) {
        if (order === 'desc') ids.reverse()
        const query = { sort: 'content_datetime', order }
        const { buckets } = await inOrder.got<Timeline>('admin', '/files/timeline', query)
        const parts = [
          ['1969-12', 0, 4000],
          ['1969-12', 1, 500],
          ['1970-01', 0, 4000],
          ['1970-01', 1, 501],
        ]
        const expected = order === 'asc' ? parts : [...parts.slice(2), ...parts.slice(0, 2)]
        assert.deepEqual(
          buckets.map(({ key, part, count }) => [key, part, count]),
          expected,
        )
        let before = 0
        for (const { cursor, count } of buckets) {
          const at = { cursor, limit: 2 }
          const { ids: shown } = await inOrder.got<CellPage>('admin', '/files/cells', at)
          assert.deepEqual(shown, ids.slice(before, before + 2))
          before += count
        }
      }
    } finally {
      await own.close()
    }
  })
})
