import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutFiles } from '../../../../src/gallery/grid/engine.ts'

const bucket = (key: string, count: number) => ({ key, count, ratio: count, cursor: null })
const time = (text: string) => Date.parse(`${text}Z`) / 1000

describe('the months of files, some of which are gone', () => {
  test('are of the local clock, and have as many fewer', () => {
    const times = [time('2018-07-01T00:00:00'), time('2018-06-30T23:59:59')]
    assert.deepEqual(withoutFiles([bucket('2018-07', 4), bucket('2018-06', 1)], times), [
      { ...bucket('2018-07', 3), ratio: 4 },
      { ...bucket('2018-06', 0), ratio: 1 },
    ])
  })

  test('lose from their next part what the first has not got', () => {
    const times = ['2018-07-02', '2018-07-03', '2018-07-04'].map((day) => time(`${day}T12:00:00`))
    const parts = [bucket('2018-07', 2), bucket('2018-07', 5)]
    assert.deepEqual(
      withoutFiles(parts, times).map(({ count }) => count),
      [0, 4],
    )
  })
})
