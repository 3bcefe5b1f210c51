import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findYearsAgo } from '../../../src/gallery/review/years-ago.ts'

const NOW = new Date(2026, 6, 14, 12)

/** Files by when they were taken, all in UTC, of which two are told at once. */
function readerOf(...taken: string[]) {
  const files = taken.map((time, n) => ({ id: `f${n}`, time: Date.parse(time) }))
  const asked: string[] = []
  const read = async ({ from, to, cursor }: { from: string; to: string; cursor?: string }) => {
    asked.push(from.slice(0, 4))
    const range = files.filter(({ time }) => time >= Date.parse(from) && time < Date.parse(to))
    const start = Number(cursor ?? 0)
    const page = range.slice(start, start + 2)
    return {
      ids: page.map(({ id }) => id),
      t: page.map(({ time }) => time / 1000),
      v: page.map(({ id }) => `version of ${id}`),
      next_cursor: start + 2 < range.length ? String(start + 2) : null,
    }
  }
  return { read, asked }
}

describe('a picture of this day', () => {
  it('is that of the latest year', async () => {
    const { read, asked } = readerOf('2018-07-14T08:00Z', '2024-07-14T23:00Z')
    const found = await findYearsAgo(NOW, read)
    assert.deepEqual(found, { id: 'f1', version: 'version of f1', years: 2 })
    assert.deepEqual(asked, ['2025', '2024'])
  })

  it('is found behind those of the days about it', async () => {
    const before = Array.from({ length: 5 }, () => '2025-07-13T20:00Z')
    const { read } = readerOf(...before, '2025-07-14T01:00Z', '2025-07-15T01:00Z')
    assert.equal((await findYearsAgo(NOW, read))?.id, 'f5')
  })

  it('is none where there are only others', async () => {
    const { read, asked } = readerOf('2025-07-13T23:59Z', '2025-07-15T00:00Z', '2001-07-15T01:00Z')
    assert.equal(await findYearsAgo(NOW, read), null)
    assert.equal(new Set(asked).size, 25)
  })
})
