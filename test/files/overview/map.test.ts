import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Db } from '../../../src/db/client.ts'
import { write } from '../../../src/db/write.ts'
import { insertPair } from '../../../src/files/companions/companion-queries.ts'
import type { FileMap } from '../../../src/files/overview/schema.ts'
import {
  type FileSeed,
  fileSeed,
  idAt,
  insertFiles,
  queryText,
  randomNumbers,
  sees,
} from '../../support/file-rows.ts'
import { assertError } from '../../support/files.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { insertPool, ridOf } from '../../support/object-rows.ts'

type Person = Awaited<ReturnType<Library['join']>>

const LETTERS = '0123456789bcdefghjkmnpqrstuvwxyz'
const POOL = idAt(1.6e12, 1)

let library: Library
let db: Db
let ann: Person
let ben: Person
/** Where each file was taken; those that are missing do not say it. */
const places = new Map<string, string>()
let files: FileSeed[]

before(async () => {
  library = await openLibrary()
  db = library.deps.db
  ann = await library.join('ann', { can_create: true })
  ben = await library.join('ben')
  const random = randomNumbers(3)
  files = Array.from({ length: 300 }, (_, n) =>
    fileSeed(idAt(1.7e12 + n, n), {
      owner: ann.id,
      type: random(4) === 0 ? 'video/mp4' : 'image/jpeg',
      isPublic: random(3) === 0,
      viewers: random(3) === 0 ? [ben.id] : [],
      trashed: random(8) === 0,
      time: Date.UTC(2000 + random(20), 1, 1),
    }),
  )
  insertFiles(db, files)
  // Many at few places, so that cells of each length have several.
  const letters = () => Array.from({ length: 8 }, (_, n) => LETTERS[random(n < 2 ? 3 : 2)]).join('')
  const placed = files.filter(() => random(6) > 0)
  putAt(placed.map(({ id }): [string, string] => [id, letters()]))
  write(db, { now: 0 }, () => {
    const half = files.filter((_, n) => n % 2 === 0).map(({ id }) => id)
    insertPool(db, { id: POOL, name: 'half', owner: ann.id, isPublic: true, files: half })
  })
})
after(() => library.close())

/** Says where files were taken: their ids, geohashes and towns. */
function putAt(positions: [id: string, geohash: string, town?: string][]): void {
  const insert = 'INSERT INTO file_positions (file_rid, geohash, town) VALUES (?, ?, ?)'
  write(db, { now: 0 }, (tx) => {
    for (const [id, geohash, town] of positions) {
      places.set(id, geohash)
      tx.run(insert, ridOf(db, 'file', id), geohash, town ?? null)
    }
  })
}

async function map(query: Record<string, string | number>, as: Person = ann): Promise<FileMap> {
  const answer = await library.call('GET', `/files/map?${queryText(query)}`, as)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** The cells of files, each with its count and the file that was added last, without any code of the server. */
function cellsOf(listed: FileSeed[], length: number, within = ['']) {
  const cells = new Map<string, { count: number; id: string }>()
  for (const { id } of listed) {
    const place = places.get(id)
    if (place === undefined || !within.some((cell) => place.startsWith(cell))) continue
    const cell = place.slice(0, length)
    cells.set(cell, { count: (cells.get(cell)?.count ?? 0) + 1, id })
  }
  const names = [...cells.keys()].sort()
  return {
    total: [...cells.values()].reduce((sum, { count }) => sum + count, 0),
    length,
    cells: names,
    counts: names.map((name) => cells.get(name)!.count),
    ids: names.map((name) => cells.get(name)!.id),
  }
}

const shown = ({ v: _, towns: __, ...rest }: FileMap) => rest
const usual = (one: FileSeed) => !one.trashed

describe('the map', () => {
  it('counts the files of each cell that the caller sees, of every length', async () => {
    const ofBen = files.filter((one) => usual(one) && sees(ben.id, one))
    assert.ok(ofBen.length > 50 && ofBen.length < files.filter(usual).length)
    for (let cells = 1; cells <= 8; cells++) {
      assert.deepEqual(shown(await map({ cells })), cellsOf(files.filter(usual), cells))
      assert.deepEqual(shown(await map({ cells }, ben)), cellsOf(ofBen, cells))
    }
    assert.deepEqual(await map({}), await map({ cells: 3 }))
  })

  it('counts only files within the cells that are named, each once', async () => {
    for (const [asked, within] of [
      ['0', ['0']],
      ['01,10,2', ['01', '10', '2']],
      ['10,1,100,01,10', ['1', '01']],
      ['zz', ['zz']],
      ['00000000,00000001', ['00000000', '00000001']],
    ] as const) {
      const expected = cellsOf(files.filter(usual), 4, [...within])
      assert.deepEqual(shown(await map({ cells: 4, within: asked })), expected, asked)
    }
  })

  it('follows filters, dates, pools and the trash', async () => {
    const time = { from: '2005-01-01T00:00:00Z', to: '2010-01-01T00:00:00Z' }
    const isOfTime = (one: FileSeed) =>
      one.time >= Date.parse(time.from) && one.time < Date.parse(time.to)
    const lists: [Record<string, string>, (one: FileSeed, n: number) => boolean][] = [
      [{ filter: '{m~video/%}' }, (one) => usual(one) && one.type === 'video/mp4'],
      [{ ...time, sort: 'content_datetime' }, (one) => usual(one) && isOfTime(one)],
      [{ pool: POOL }, (one, n) => usual(one) && n % 2 === 0],
      [{ trash: 'true' }, (one) => one.trashed],
    ]
    for (const [query, isListed] of lists) {
      const expected = cellsOf(files.filter(isListed), 2)
      assert.ok(expected.total > 0)
      assert.deepEqual(shown(await map({ ...query, cells: 2 })), expected, JSON.stringify(query))
    }
  })

  it('names picture and town of the file that was added last', async () => {
    const [old, late] = [1, 2].map((n) => idAt(1.8e12, n)) as [string, string]
    insertFiles(db, [fileSeed(old, { owner: ann.id }), fileSeed(late, { owner: ann.id })])
    putAt([
      [late, 'spv0nrb2', 'FR.93.Nice'],
      [old, 'spv0nrb3'],
    ])
    const whole = await map({ cells: 7, within: 'spv' })
    const cell = await library.call('GET', `/files/cells?anchor=${late}&limit=1`, ann)
    assert.deepEqual(whole, {
      total: 2,
      length: 7,
      cells: ['spv0nrb'],
      counts: [2],
      ids: [late],
      v: cell.body.v,
      towns: ['FR.93.Nice'],
    })
    assert.deepEqual((await map({ cells: 8, within: 'spv' })).towns, ['FR.93.Nice', null])
  })

  it('counts a living picture once where films are left out', async () => {
    const [picture, film] = [1, 2].map((n) => idAt(1.9e12, n)) as [string, string]
    insertFiles(db, [
      fileSeed(picture, { owner: ann.id }),
      fileSeed(film, { owner: ann.id, type: 'video/mp4' }),
    ])
    putAt([
      [picture, 'u0000000'],
      [film, 'u0000000'],
    ])
    const pair = { picture_rid: ridOf(db, 'file', picture), film_rid: ridOf(db, 'file', film) }
    write(db, { now: 0 }, (tx) => insertPair(tx, pair))
    const within = 'u'
    assert.deepEqual((await map({ within })).counts, [2])
    const folded = await map({ within, pairs: '1' })
    assert.deepEqual([folded.counts, folded.ids], [[1], [picture]])
  })

  it('makes cells larger where there are more than 2,000, and says so', async () => {
    const ids = Array.from({ length: 2001 }, (_, n) => idAt(2e12, n))
    insertFiles(
      db,
      ids.map((id) => fileSeed(id, { owner: ann.id })),
    )
    const text = (n: number) => [n >> 10, n >> 5, n].map((digit) => LETTERS[digit & 31]).join('')
    putAt(ids.map((id, n): [string, string] => [id, `x${text(n)}0000`]))
    const { length, counts, total } = await map({ cells: 4, within: 'x' })
    assert.deepEqual([length, counts.length, total], [3, 63, 2001])
    assert.deepEqual(counts.slice(-2), [32, 17])
    const fewer = await map({ cells: 4, within: 'x0,x11' })
    assert.deepEqual([fewer.length, fewer.total], [4, 1024 + 32])
  })

  it('refuses what is no cell', async () => {
    const queries: Record<string, string | number>[] = [
      { cells: 0 },
      { cells: 9 },
      { cells: '' },
      { within: '' },
      { within: 'u2a' },
      { within: 'U2' },
      { within: 'u2,' },
      { within: 'u2edku2ed' },
      { within: Array.from({ length: 65 }, () => 'u').join() },
      { filter: '{' },
    ]
    for (const query of queries) {
      const answer = await library.call('GET', `/files/map?${queryText(query)}`, ann)
      assertError(answer, 400, 'validation_error', Object.keys(query))
    }
  })
})
