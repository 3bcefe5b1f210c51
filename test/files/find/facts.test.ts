import assert from 'node:assert/strict'
import { DAY } from '../../../src/base/time.ts'
import { write } from '../../../src/db/write.ts'
import { costsOf } from '../../../src/files/find/costs.ts'
import { factOf } from '../../../src/files/find/facts.ts'
import { readList } from '../../../src/files/find/list.ts'
import { findNear } from '../../../src/files/find/near.ts'
import { ridsOf } from '../../../src/files/find/sources.ts'
import { filesWith } from '../../../src/files/find/traits.ts'
import { fileSeed, idAt, insertFiles } from '../../support/file-rows.ts'
import { openLibrary } from '../../support/harness.ts'
import { describe, it } from '../../support/test.ts'

const ID = '018f0000-0000-7000-8000-00000000000a'
const NONE = '00000000-0000-0000-0000-000000000000'
const at = (day: string) => Date.parse(`${day}T00:00:00Z`)

describe('a token about a fact', () => {
  it('says what it asks', () => {
    const cases: [string, object][] = [
      ['d=2019', { of: 'days', from: at('2019-01-01'), to: at('2020-01-01') }],
      ['d=2019-12', { of: 'days', from: at('2019-12-01'), to: at('2020-01-01') }],
      ['d=2020-02-29', { of: 'days', from: at('2020-02-29'), to: at('2020-03-01') }],
      ['d=0019', { of: 'days', from: at('0019-01-01'), to: at('0020-01-01') }],
      ['d<2019-05', { of: 'days', from: null, to: at('2019-05-01') }],
      ['d<=2019-05', { of: 'days', from: null, to: at('2019-06-01') }],
      ['d>2019-05-31', { of: 'days', from: at('2019-06-01'), to: null }],
      ['d>=2019', { of: 'days', from: at('2019-01-01'), to: null }],
      ['d~05', { of: 'yearly', month: 5, day: null }],
      ['d~02-29', { of: 'yearly', month: 2, day: 29 }],
      [`c=${ID.toUpperCase()}`, { of: 'category', id: ID }],
      [`p=${ID}`, { of: 'pool', id: ID }],
      ['u=7', { of: 'creator', id: 7 }],
      ['s=given', { of: 'source', source: 'given' }],
      ['g=1', { of: 'place' }],
      ['g~u2edk', { of: 'cell', cell: 'u2edk' }],
      ['l=FR', { of: 'town', town: 'FR' }],
      ['l=FR.93', { of: 'town', town: 'FR.93' }],
      ['l=FR.93.Le_Cannet-Rocheville', { of: 'town', town: 'FR.93.Le_Cannet-Rocheville' }],
      ['l=MC..Saint_Roman', { of: 'town', town: 'MC..Saint_Roman' }],
      ['l=US.MO.St._Louis', { of: 'town', town: 'US.MO.St._Louis' }],
      ['l=JP.13.東京', { of: 'town', town: 'JP.13.東京' }],
      ['k~%canon%', { of: 'camera', pattern: '%canon%' }],
      ['b>5000000', { of: 'bytes', sign: '>', than: 5_000_000 }],
      ['w<100', { of: 'pixels', sign: '<', than: 100 }],
      ['e>1.5', { of: 'seconds', sign: '>', than: 1.5 }],
      ['x=raw', { of: 'raw' }],
      ['n~%laughed=~ Ü_', { of: 'notes', pattern: '%laughed=~ Ü_' }],
    ]
    for (const [token, fact] of cases)
      assert.deepEqual(factOf(token), { fact, negated: false }, token)
    assert.deepEqual(factOf('g=0'), { fact: { of: 'place' }, negated: true })
    for (const [letter, of] of [
      ['c', 'category'],
      ['p', 'pool'],
    ]) {
      assert.deepEqual(factOf(`${letter}=${NONE}`), { fact: { of, id: null }, negated: true })
    }
  })

  it('is none where anything about it is wrong', () => {
    const wrong = [
      'd=19',
      'd=2019-13',
      'd=2019-02-29',
      'd=2019-5',
      'd=2019-05-',
      'd==2019',
      'd~2019',
      'd~02-30',
    ]
    wrong.push(
      'd~13',
      'd',
      'd=',
      'c=',
      'c=1',
      `c~${ID}`,
      `p>${ID}`,
      'u=',
      'u=-1',
      'u=007',
      'u=a',
      'u>1',
      's=',
      's=Given',
      ...['g=', 'g=2', 'g~', 'g~a', 'g~U2', 'g~u2edku2ed', 'g>1', 'g~0,1'],
      ...[
        'l=',
        'l=fr',
        'l=F',
        'l=FRA',
        'l=FR.93.',
        'l=FR.p',
        'l=FR.93.Ni*e',
        'l=FR.93.Le Cannet',
        'l~FR',
      ],
      ...['k=Canon', 'k~', `k~${'a'.repeat(257)}`],
    )
    wrong.push(
      's~given',
      'b=5',
      'b>',
      'b>-5',
      'b>5e3',
      'b>=5',
      'w>1.0000',
      'e<',
      'x=',
      'x=square',
      'x~raw',
      'y=1',
      'n=laughed',
      'n~',
      `n~${'a'.repeat(257)}`,
    )
    for (const token of wrong) assert.equal(factOf(token), null, token)
  })
})

describe('towns with `_`', () => {
  it('are found among the towns, not among all files of a country', async () => {
    const library = await openLibrary()
    const viewer = { id: 1, name: 'admin', is_admin: true, can_create: true }
    for (const town of ['FR.9_', 'FR.__.Nice', 'FR.93.Le_Cannet']) {
      const { sql, params } = ridsOf(filesWith({ of: 'town', town }, viewer))
      const [outer] = library.deps.db.all<{ detail: string }>(
        `EXPLAIN QUERY PLAN ${sql}`,
        ...params,
      )
      assert.equal(
        outer?.detail,
        'SEARCH q USING COVERING INDEX file_positions_town (town=?)',
        town,
      )
    }
    await library.close()
  })
})

describe('days', () => {
  const admin = { id: 1, name: 'admin', is_admin: true, can_create: true }
  const query = { order: 'desc', trash: false } as const

  it('are walked from where they begin, past none of the newer files', async () => {
    const library = await openLibrary()
    await library.addUser('admin', { is_admin: true })
    const { db } = library.deps
    const days = Array.from({ length: 2000 }, (_, n) => at('2020-01-01') - n * DAY)
    insertFiles(
      db,
      days.map((time, n) => fileSeed(idAt(1.7e12, n), { time })),
    )
    // There are 1,492 newer ones.
    const costs = { ...costsOf(db), first: 0, mostWalked: 80, mostSorted: 0, mostStreamed: 0 }
    for (const sort of ['timeline', 'content_datetime'] as const) {
      for (const filter of [
        '{d=2015-11}',
        '{d<2015-12,&,m=image/jpeg}',
        '{d=2015,&,d<2015-12,|,d=2014}',
      ]) {
        const { list } = readList(db, admin, { ...query, sort, filter })
        const walk = { list, place: null, direction: 'forward', limit: 30 } as const
        const found = findNear(db, walk, costs)?.map(({ key }) => key)
        const last = days.indexOf(at('2015-11-30'))
        assert.deepEqual(found, days.slice(last, last + 30), `${filter} by ${sort}`)
      }
    }
    await library.close()
  })

  it('are the same in the order of dates as in any other, at their ends and in every zone', async () => {
    const library = await openLibrary()
    await library.addUser('admin', { is_admin: true })
    const { db } = library.deps
    const middles = { day: '01-01T12:00', month: '01-15T12:00', year: '07-02T12:00' }
    const dates = ['1969', '1970', '1971'].flatMap((year) => [
      ...['01-01T00:00', '12-31T23:59'].map((time) => ({ time: `${year}-${time}`, known: null })),
      ...Object.entries(middles).map(([known, time]) => ({ time: `${year}-${time}`, known })),
    ])
    const seeds = dates.flatMap(({ time, known }) =>
      [-840, 0, 840].map((offset) => ({
        time: Date.parse(`${time}Z`) - offset * 60_000,
        known,
        offset,
      })),
    )
    insertFiles(
      db,
      seeds.map(({ time }, n) => fileSeed(idAt(1.7e12, n), { time })),
    )
    write(db, { now: 0 }, () => {
      for (const [n, { known, offset }] of seeds.entries()) {
        const set = 'UPDATE files SET date_precision = ?, content_offset = ? WHERE rid = ?'
        db.run(set, known, offset, n + 1)
      }
    })
    const found = (sort: 'created' | 'content_datetime' | 'timeline', filter: string) => {
      const { list } = readList(db, admin, { ...query, sort, filter })
      const walk = { list, place: null, direction: 'forward', limit: 100 } as const
      return findNear(db, walk)!.map(({ rid }) => rid)
    }
    for (const day of ['1970', '1970-01', '1970-01-01', '1969-12-31']) {
      for (const sign of ['=', '<', '<=', '>', '>=']) {
        for (const filter of [
          `{d${sign}${day}}`,
          `{!,d${sign}${day}}`,
          `{d${sign}${day},|,d=1971}`,
        ]) {
          const all = found('created', filter).sort((a, b) => a - b)
          assert.ok(all.length > 0, filter)
          for (const sort of ['content_datetime', 'timeline'] as const) {
            assert.deepEqual(
              found(sort, filter).sort((a, b) => a - b),
              all,
              `${filter} by ${sort}`,
            )
          }
        }
      }
    }
    await library.close()
  })
})

describe('many different facts', () => {
  it('are asked of a reader, and one of them any number of times is not', async () => {
    const library = await openLibrary()
    const viewer = { id: 1, name: 'admin', is_admin: true, can_create: true }
    const find = (tokens: string[]) => {
      const { list } = readList(library.deps.db, viewer, {
        filter: `{${tokens.join(',|,')}}`,
        trash: false,
      })
      const walk = { list, place: null, direction: 'forward', limit: 50 } as const
      return findNear(library.deps.db, walk)
    }
    const sizes = (count: number) => Array.from({ length: count }, (_, n) => `b>${n}`)
    assert.equal(find(sizes(9)), null)
    assert.deepEqual(find(sizes(8)), [])
    assert.deepEqual(find(Array(60).fill('(,b>1,&,!,r=1,)')), [])
    await library.close()
  })
})
