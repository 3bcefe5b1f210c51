import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { zonesOf } from '../../../src/web/app/bulk/zones.ts'

const NOON = Date.parse('2018-07-14T12:00:00Z') / 1000

describe('a clock that is set', () => {
  it('is that of each file, so that files of other zones are moved', async () => {
    const asked: unknown[] = []
    const zones = await zonesOf(
      ['utc', 'rome', 'athens', 'rome 2', 'lima'],
      '2018-07-14T12:00:00.000Z',
      async (query) => {
        asked.push(query)
        return query.cursor === undefined
          ? {
              ids: ['utc', 'rome', 'stranger'],
              t: [NOON, NOON + 7200, NOON + 7200],
              next_cursor: 'c',
            }
          : {
              ids: ['athens', 'rome 2', 'lima'],
              t: [NOON + 10_800, NOON + 7200, NOON - 18_000],
              next_cursor: null,
            }
      },
    )
    assert.deepEqual(Object.fromEntries(zones), {
      '-120': ['rome', 'rome 2'],
      '-180': ['athens'],
      '300': ['lima'],
    })
    const range = { from: '2018-07-14T12:00:00.000Z', to: '2018-07-14T12:00:00.001Z' }
    assert.deepEqual(asked, [range, { ...range, cursor: 'c' }])
  })
})
