import assert from 'node:assert/strict'
import { write } from '../../src/db/write.ts'
import {
  type FileSeed,
  fileSeed,
  idAt,
  inOrder,
  insertFiles,
  randomNumbers,
} from '../support/file-rows.ts'
import { manyTimes } from '../support/filter-trees.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { insertPool, insertTag, ridOf } from '../support/object-rows.ts'
import { after, before, describe, it } from '../support/test.ts'

const FILES = 6000
const IN_POOL = 5000
const POOL = idAt(1.6e12, 1)
const TAGS = { frequent: idAt(1.6e12, 2), middling: idAt(1.6e12, 3), rare: idAt(1.6e12, 4) }
const ID = (n: number) => idAt(1.7e12 + n, n)

/** What somebody may be, and what is asked; of which files it holds. */
const FILTERS: [query: string, holds: (file: FileSeed, n: number) => boolean][] = [
  ['', () => true],
  [`{t=${TAGS.frequent}}`, (_, n) => n % 2 === 0],
  [`{t=${TAGS.middling}}`, (_, n) => n % 4 === 1],
  [`{t=${TAGS.middling},&,m=image/png}`, ({ type }, n) => n % 4 === 1 && type === 'image/png'],
  [`{t=${TAGS.rare}}`, (_, n) => n % 97 === 5],
  [`{!,t=${TAGS.frequent},&,!,t=${TAGS.middling}}`, (_, n) => n % 2 !== 0 && n % 4 !== 1],
  // Too many leaves to ask each file for all of them.
  [
    manyTimes(`t=${TAGS.rare},&,m=image/png`),
    ({ type }, n) => n % 97 === 5 && type === 'image/png',
  ],
]

let library: Library
let seeds: FileSeed[]
/** Files of the pool by number, in their order. */
let order: number[]
let viewers: { token: string; sees: (file: FileSeed) => boolean }[]
before(async () => {
  library = await openLibrary()
  const { db } = library.deps
  const root = await library.join('Root', { is_admin: true })
  const ann = await library.join('Ann')
  const bob = await library.join('Bob')
  for (const [name, id] of Object.entries(TAGS)) insertTag(db, { id, name, owner: root.id })
  db.run('UPDATE tags SET is_public = 1')
  const rids = Object.values(TAGS).map((id) => ridOf(db, 'tag', id))
  const random = randomNumbers(3)
  seeds = Array.from({ length: FILES }, (_, n) =>
    fileSeed(ID(n), {
      name: `${random(500)}`,
      time: 1.6e12 + random(5000),
      type: n % 30 === 1 ? 'image/png' : 'image/jpeg',
      owner: n % 3 === 0 ? ann.id : root.id,
      // Bob sees few, and those far into the pool.
      isPublic: n % 500 === 7,
      trashed: n % 11 === 0,
      tags: rids.filter((_, tag) => [n % 2 === 0, n % 4 === 1, n % 97 === 5][tag]),
    }),
  )
  insertFiles(db, seeds)
  const numbers = seeds.map((_, n) => n)
  for (let n = FILES - 1; n > 0; n--) {
    const other = random(n + 1)
    ;[numbers[n], numbers[other]] = [numbers[other]!, numbers[n]!]
  }
  order = numbers.slice(0, IN_POOL)
  write(db, { now: 0 }, () =>
    insertPool(db, {
      id: POOL,
      name: 'large',
      owner: root.id,
      isPublic: true,
      files: order.map(ID),
    }),
  )
  viewers = [
    { token: root.token, sees: () => true },
    { token: ann.token, sees: ({ owner, isPublic }) => owner === ann.id || isPublic },
    { token: bob.token, sees: ({ isPublic }) => isPublic },
  ]
})
after(() => library.close())

const sortBy = (sort_key: string, sort_order: string) =>
  library.call('PATCH', `/pools/${POOL}`, {
    token: viewers[0]!.token,
    body: { sort_key, sort_order },
  })

/** All items of the pool for a viewer, page by page. */
async function listed(token: string, filter: string): Promise<[id: string, position: number][]> {
  const items: [string, number][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '200' })
    if (filter) query.set('filter', filter)
    if (cursor) query.set('cursor', cursor)
    const { status, body } = await library.call('GET', `/pools/${POOL}/files?${query}`, { token })
    assert.equal(status, 200)
    for (const { id, position } of body.items) items.push([id, position])
    cursor = body.next_cursor
  }
  return items
}

function expected(
  files: FileSeed[],
  sees: (file: FileSeed) => boolean,
  holds: (file: FileSeed, n: number) => boolean,
): [id: string, position: number][] {
  const numberOf = new Map(seeds.map(({ id }, n) => [id, n]))
  const places = new Map(order.map((n, place) => [n, place]))
  return files
    .filter((file) => !file.trashed && sees(file) && holds(file, numberOf.get(file.id)!))
    .map(({ id }) => [id, places.get(numberOf.get(id)!)!])
}

describe('a pool of thousands of files', () => {
  it('holds what somebody sees of it and asks for, in its own order', async () => {
    const files = order.map((n) => seeds[n]!)
    for (const { token, sees } of viewers) {
      for (const [filter, holds] of FILTERS) {
        assert.deepEqual(await listed(token, filter), expected(files, sees, holds), filter)
      }
    }
  })

  it('does so in any other order', async () => {
    const inPool = order.map((n) => seeds[n]!)
    for (const [sort, way] of [
      ['content_datetime', 'desc'],
      ['created', 'asc'],
      ['original_name', 'asc'],
    ] as const) {
      await sortBy(sort, way)
      const files = inOrder(inPool, sort, way)
      for (const { token, sees } of viewers) {
        for (const [filter, holds] of FILTERS) {
          const said = `${sort} ${way} ${filter}`
          assert.deepEqual(await listed(token, filter), expected(files, sees, holds), said)
        }
      }
    }
  })

  it('leaves nothing out when a file leaves it while a page is found', async () => {
    const { token } = viewers[0]!
    const { db } = library.deps
    for (const [sort, found, place] of [
      ['created', /json_group_array\(key\)|AS keys/, 3],
      ['created', /json_group_array\(key\)|AS keys/, 199],
      ['manual', /AS key\s+FROM \(SELECT/, 3],
      // The last one of its page.
      ['manual', /AS key\s+FROM \(SELECT/, 199],
    ] as const) {
      await sortBy(sort, 'asc')
      const before = await listed(token, '')
      const gone = before[place]!
      const leaves = () => {
        Object.assign(db, { get, all })
        db.run('DELETE FROM pool_files WHERE file_rid = ?', ridOf(db, 'file', gone[0]))
      }
      const { get, all } = db
      db.get = <Row>(sql: string, ...params: never[]) => {
        const row = get<Row>(sql, ...params)
        if (found.test(sql)) leaves()
        return row
      }
      db.all = <Row>(sql: string, ...params: never[]) => {
        const rows = all<Row>(sql, ...params)
        if (found.test(sql)) leaves()
        return rows
      }
      const after = await listed(token, '')
      assert.equal(db.get, get)
      assert.deepEqual(
        after.map(([id]) => id),
        before.map(([id]) => id).filter((id) => id !== gone[0]),
      )
      assert.ok(after.every(([, position]) => Number.isInteger(position)))
      // For what comes after this.
      order.splice(gone[1], 1)
    }
  })

  it('is counted for everybody, in a list of pools, too', async () => {
    const files = order.map((n) => seeds[n]!)
    for (const { token, sees } of viewers) {
      const { length } = expected(files, sees, () => true)
      const one = await library.call('GET', `/pools/${POOL}`, { token })
      const { body } = await library.call('GET', '/pools', { token })
      assert.deepEqual([one.body.file_count, body.items[0].file_count], [length, length])
    }
  })

  it('is counted anew when a file of it changes', async () => {
    const { token } = viewers[0]!
    const count = async () =>
      (await library.call('GET', `/pools/${POOL}`, { token })).body.file_count
    const before = await count()
    const file = order.find((n) => !seeds[n]!.trashed)!
    await library.call('DELETE', `/files/${ID(file)}`, { token })
    assert.equal(await count(), before - 1)
    await library.call('POST', `/files/${ID(file)}/restore`, { token })
    assert.equal(await count(), before)
    const body = { file_ids: [ID(file)] }
    await library.call('POST', `/pools/${POOL}/files/remove`, { token, body })
    assert.equal(await count(), before - 1)
  })
})
