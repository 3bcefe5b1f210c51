import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import { insertPair } from '../../../src/files/companions/companion-queries.ts'
import type { ThisDay } from '../../../src/files/overview/schema.ts'
import { fileSeed, idAt, insertFiles } from '../../support/file-rows.ts'
import { assertError } from '../../support/files.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { ridOf } from '../../support/object-rows.ts'

type Person = Awaited<ReturnType<Library['join']>>

let library: Library
let ann: Person
let ben: Person
let made = 0

before(async () => {
  library = await openLibrary()
  ann = await library.join('ann', { can_create: true })
  ben = await library.join('ben')
})
after(() => library.close())

interface Of {
  owner?: number
  viewers?: number[]
  isPublic?: boolean
  trashed?: boolean
  /** Minutes by which the clock is ahead of UTC. */
  offset?: number
}

/** Adds a file that was taken at a local time, such as 2018-07-14T23:30, and returns its id. */
function taken(local: string, { offset, ...of }: Of = {}): string {
  const id = idAt(1.7e12 + made, made++)
  const time = Date.parse(`${local}Z`) - (offset ?? 0) * 60_000
  insertFiles(library.deps.db, [fileSeed(id, { owner: ann.id, ...of, time })])
  write(library.deps.db, { now: 0 }, (tx) => {
    tx.run(
      'UPDATE files SET content_offset = ? WHERE rid = (SELECT max(rid) FROM files)',
      offset ?? null,
    )
  })
  return id
}

async function thisDay(day: string, as: Person = ann, pairs = 0): Promise<ThisDay['years']> {
  const answer = await library.call('GET', `/files/this-day?day=${day}&pairs=${pairs}`, as)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.years
}

const idsOf = (years: ThisDay['years']) =>
  years.map(({ year, files, shown }) => [year, files, shown.map(({ id }) => id)])

describe('this day', () => {
  it('is by the year, the latest first, and ends before this year', async () => {
    const old = taken('2001-07-14T00:00')
    const evening = taken('2018-07-14T23:59:59')
    const morning = taken('2018-07-14T06:00')
    for (const other of ['2018-07-13T23:59:59', '2018-07-15T00:00', '2026-07-14T09:00'])
      taken(other)
    assert.deepEqual(idsOf(await thisDay('2026-07-14')), [
      [2018, 2, [morning, evening]],
      [2001, 1, [old]],
    ])
  })

  it('is that of the clock where the picture was taken', async () => {
    const kiribati = taken('2019-04-02T01:00', { offset: 14 * 60 })
    const baker = taken('2019-04-02T23:00', { offset: -12 * 60 })
    taken('2019-04-01T23:00', { offset: -12 * 60 })
    taken('2019-04-03T01:00', { offset: 14 * 60 })
    const [year, ...more] = await thisDay('2026-04-02')
    assert.deepEqual(more, [])
    assert.deepEqual(
      year!.shown.map(({ id }) => id),
      [kiribati, baker],
    )
    // The instants between which a list shows these two.
    assert.deepEqual(
      [year!.from, year!.to],
      ['2019-04-01T11:00:00.000Z', '2019-04-03T11:00:00.001Z'],
    )
  })

  it('shows three of many, from the whole day, and between its ends there are all', async () => {
    const all = Array.from({ length: 9 }, (_, n) => taken(`2020-08-09T1${n}:00`))
    const [year] = await thisDay('2026-08-09')
    assert.deepEqual(year, {
      year: 2020,
      files: 9,
      from: '2020-08-09T10:00:00.000Z',
      to: '2020-08-09T18:00:00.001Z',
      shown: await Promise.all([0, 3, 6].map((n) => versioned(all[n]!))),
    })
    const query = `from=${year!.from}&to=${year!.to}&sort=content_datetime&order=asc`
    const { body } = await library.call('GET', `/files/ids?${query}`, ann)
    assert.deepEqual(body.ids, all)
  })

  it('is the 29th of February in leap years alone', async () => {
    const leap = taken('2020-02-29T12:00')
    const day = taken('2021-02-28T12:00')
    const first = taken('2021-03-01T12:00')
    assert.deepEqual(idsOf(await thisDay('2024-02-29')), [[2020, 1, [leap]]])
    assert.deepEqual(idsOf(await thisDay('2024-02-28')), [[2021, 1, [day]]])
    assert.deepEqual(idsOf(await thisDay('2024-03-01')), [[2021, 1, [first]]])
  })

  it('leaves out the films of pictures of the day, where that is asked for', async () => {
    const viewers = [ben.id]
    const picture = taken('2018-05-04T10:00')
    const film = taken('2018-05-04T10:00:02', { viewers })
    const late = taken('2018-05-04T23:59:59', { viewers })
    const early = taken('2018-05-05T00:00:01', { viewers })
    const pair = (film_rid: number) => ({ film_rid, picture_rid: film_rid - 1 })
    write(library.deps.db, { now: 0 }, (tx) => {
      for (const id of [film, early]) insertPair(tx, pair(ridOf(tx, 'file', id)))
    })
    const shown = async (as: Person, pairs: number) => idsOf(await thisDay('2026-05-04', as, pairs))
    assert.deepEqual(await shown(ann, 0), [[2018, 3, [picture, film, late]]])
    assert.deepEqual(await shown(ann, 1), [[2018, 2, [picture, late]]])
    assert.deepEqual(await shown(ben, 1), [[2018, 2, [film, late]]])
    assert.deepEqual(idsOf(await thisDay('2026-05-05', ann, 1)), [[2018, 1, [early]]])
  })

  it("tells nothing of another's private files, nor of the trash", async () => {
    taken('2015-11-29T10:00')
    taken('2016-11-29T10:00', { trashed: true, isPublic: true })
    const shared = taken('2017-11-29T10:00', { viewers: [ben.id] })
    taken('2017-11-29T09:00')
    const open = taken('2014-11-29T10:00', { isPublic: true })
    const years = await thisDay('2026-11-29', ben)
    assert.deepEqual(idsOf(years), [
      [2017, 1, [shared]],
      [2014, 1, [open]],
    ])
    // Not even when they were taken.
    assert.equal(years[0]!.from, '2017-11-29T10:00:00.000Z')
  })

  it('goes back 100 years', async () => {
    taken('1925-12-24T18:00')
    const eve = taken('1926-12-24T18:00')
    assert.deepEqual(idsOf(await thisDay('2026-12-24')), [[1926, 1, [eve]]])
    assert.deepEqual(await thisDay('0001-12-24'), [])
  })

  it('has to be a day', async () => {
    for (const query of ['', '?day=07-14', '?day=2026-02-29', '?day=2026-07-14T00:00:00Z']) {
      const answer = await library.call('GET', `/files/this-day${query}`, ann)
      assertError(answer, 400, 'validation_error', ['day'])
    }
  })
})

async function versioned(id: string) {
  const { body } = await library.call('GET', `/files/${id}`, ann)
  return { id, version: body.version }
}
