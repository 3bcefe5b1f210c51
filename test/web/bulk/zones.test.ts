import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Schemas } from '../../../src/client/index.ts'
import { zonesOf } from '../../../src/gallery/bulk/zones.ts'
import { localTime } from '../../../src/gallery/viewer/facts.ts'
import { form, openLibrary, picture } from '../../support/harness.ts'

const NOON = Date.parse('2018-07-14T12:00:00Z') / 1000

describe('a clock that is set', () => {
  it('is that of each file, so that files of other zones are moved', async () => {
    const asked: unknown[] = []
    const zones = await zonesOf(
      ['utc', 'rome', 'athens', 'rome 2', 'lima'],
      { instant: '2018-07-14T12:00:00.000Z', precision: null },
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

  it('shows the same time or day on each file of a library, and the zones stay', async () => {
    const library = await openLibrary()
    try {
      const ann = await library.join('Ann', { can_create: true })
      const ids: string[] = []
      for (const [seed, zone] of ['Z', '+02:00', '-05:00', '+13:00', '-12:45'].entries()) {
        const content_datetime = `2018-07-01T09:30:15${zone}`
        const body = form(await picture(seed), `${seed}.jpg`, { content_datetime })
        ids.push((await library.call('POST', '/files', { ...ann, body })).body.id)
      }
      const update = (body: object) => library.call('POST', '/files/bulk/update', { ...ann, body })
      const instant = '2018-07-14T12:00:00.000Z'
      for (const precision of [null, 'day'] as const) {
        const set = { content_datetime: instant, date_precision: precision }
        await update({ file_ids: ids, set })
        const zones = await zonesOf(ids, { instant, precision }, async (query) => {
          const search = new URLSearchParams({ ...query, sort: 'content_datetime', limit: '2' })
          return (await library.call('GET', `/files/cells?${search}`, ann)).body
        })
        for (const [shift_minutes, file_ids] of zones) await update({ file_ids, shift_minutes })
        const files: Schemas['File'][] = await Promise.all(
          ids.map(async (id) => (await library.call('GET', `/files/${id}`, ann)).body),
        )
        assert.deepEqual(
          files.map((file) => [localTime(file), file.content_offset, file.date_precision]),
          [null, 120, -300, 780, -765].map((offset) => [NOON, offset, precision]),
        )
      }
    } finally {
      await library.close()
    }
  })
})
