import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  type FileSeed,
  fileSeed,
  handmade,
  idAt,
  inOrder,
  insertFiles,
} from '../support/file-rows.ts'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { allow, insertPool, insertTag, putTags, storedPool } from '../support/object-rows.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const POOL = idAt(1, 99)

type User = { id: number; token: string }

let library: Library
let ann: User
let bob: User
before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann')
  bob = await library.join('Bob')
})
after(() => library.close())
beforeEach(() => {
  for (const table of ['pools', 'files', 'tags']) library.deps.db.run(`DELETE FROM ${table}`)
})

const id = (n: number) => idAt(1, n)
const call = (method: string, path = '', body?: unknown, user = ann) =>
  library.call(method, `/pools/${POOL}/files${path}`, { token: user.token, body })
const add = (files: number[], position?: number, user = ann) =>
  call('POST', '', { file_ids: files.map(id), position }, user)
const reorder = (files: number[], user = ann) =>
  call('PUT', '/reorder', { file_ids: files.map(id) }, user)
const sortBy = (sort_key: string, sort_order = 'asc') =>
  library.call('PATCH', `/pools/${POOL}`, { token: ann.token, body: { sort_key, sort_order } })

/** The numbers of the pool's files, after a look at their positions. */
function held(): number[] {
  const stored = storedPool(library.deps.db, POOL)
  assert.deepEqual(
    stored.map(([, position]) => position),
    stored.map((_, index) => index),
  )
  return stored.map(([file]) => numberOf(file))
}

/** Files 1 to `count`, Ann's unless said otherwise, and Ann's pool of some of them. */
function startWith(
  count: number,
  pool: number[],
  fields: (n: number) => Partial<FileSeed> = () => ({}),
): FileSeed[] {
  const files = Array.from({ length: count }, (_, n) =>
    fileSeed(id(n + 1), { owner: ann.id, ...fields(n + 1) }),
  )
  insertFiles(library.deps.db, files)
  insertPool(library.deps.db, { id: POOL, name: 'pool', owner: ann.id, files: pool.map(id) })
  return files
}

/** A refusal, after which everything is as it was, the log too. */
async function assertRefused(
  request: () => ReturnType<typeof call>,
  status: number,
  code: string,
  fields?: string[],
) {
  const state = [storedPool(library.deps.db, POOL), library.audit()]
  assertError(await request(), status, code, fields)
  assert.deepEqual([storedPool(library.deps.db, POOL), library.audit()], state)
}

describe('putting files into a pool', () => {
  it('appends them, or inserts them in their order, and leaves those that it holds', async () => {
    startWith(9, [1, 2, 3])
    const answer = await add([5, 4])
    assert.deepEqual([answer.status, answer.text], [201, ''])
    assert.deepEqual(held(), [1, 2, 3, 5, 4])
    await add([6, 7], 1)
    assert.deepEqual(held(), [1, 6, 7, 2, 3, 5, 4])
    await add([4, 8, 8, 1], 0)
    assert.deepEqual(held(), [8, 1, 6, 7, 2, 3, 5, 4])
    await add([9], 1000)
    assert.deepEqual(held(), [8, 1, 6, 7, 2, 3, 5, 4, 9])
    const { details } = library.audit().at(-1)!
    assert.deepEqual(details, { position: 8, count: 1, file_ids: [id(9)], files: 1 })
    const entries = library.audit().length
    assert.equal((await add([9, 1], 0)).status, 201)
    assert.equal((await add([])).status, 201)
    assert.equal(library.audit().length, entries)
  })

  it('takes trashed files, and keeps the positions of an automatic pool', async () => {
    startWith(4, [1, 2], (n) => ({ trashed: n === 3 }))
    await sortBy('created', 'desc')
    await add([3, 4], 1)
    assert.deepEqual(held(), [1, 3, 4, 2])
    assert.deepEqual(await shown(), [4, 2, 1])
    await sortBy('manual', 'desc')
    assert.deepEqual(await shown(), [1, 4, 2])
  })

  it('is refused as a whole, and nothing changes', async () => {
    startWith(4, [1], (n) => ({ owner: n === 3 ? bob.id : ann.id }))
    await assertRefused(() => add([2, 3]), 403, 'forbidden')
    await assertRefused(() => add([2, 3, 50]), 404, 'not_found')
    await assertRefused(() => add([2], -1), 400, 'validation_error', ['position'])
    await assertRefused(() => add([2], 0.5), 400, 'validation_error', ['position'])
    const wrong = { file_ids: ['x'], position: '1' }
    const fields = ['file_ids.0', 'position']
    await assertRefused(() => call('POST', '', wrong), 400, 'validation_error', fields)
    await assertRefused(() => call('POST', '', {}), 400, 'validation_error', ['file_ids'])
    const many = { file_ids: Array.from({ length: 10_001 }, (_, n) => id(n)) }
    await assertRefused(() => call('POST', '', many), 400, 'validation_error', ['file_ids'])
    await assertRefused(() => add([3], 0, bob), 403, 'forbidden')
    allow(library.deps.db, bob.id, 'pool', POOL, 'edit')
    await assertRefused(() => add([2, 3], 0, bob), 403, 'forbidden')
    assert.equal((await add([3], 0, bob)).status, 201)
    assert.deepEqual(held(), [3, 1])
    const unknown = `/pools/${UNKNOWN}/files`
    const answer = await library.call('POST', unknown, {
      token: bob.token,
      body: { file_ids: [id(2)] },
    })
    assertError(answer, 404, 'not_found')
  })
})

describe('taking files out of a pool', () => {
  it('closes the gaps; what it does not hold, or the caller does not see, is skipped', async () => {
    startWith(7, [1, 2, 3, 4, 5, 6], (n) => ({
      owner: n === 2 ? bob.id : ann.id,
      trashed: n === 4,
    }))
    const answer = await call('POST', '/remove', { file_ids: [1, 2, 4, 5, 7, 50].map(id) })
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.deepEqual(held(), [2, 3, 6])
    const { details } = library.audit().at(-1)!
    assert.deepEqual(details, { count: 3, file_ids: [1, 4, 5].map(id), files: 3, positions: 3 })
    const entries = library.audit().length
    assert.equal((await call('POST', '/remove', { file_ids: [1, 2, 50].map(id) })).status, 204)
    assert.equal(library.audit().length, entries)
    const body = { file_ids: [id(3)] }
    await assertRefused(() => call('POST', '/remove', body, bob), 403, 'forbidden')
  })
})

describe('a reorder', () => {
  it('puts the named first, the others after them, in the places that the caller sees', async () => {
    startWith(7, [1, 2, 3, 4, 5, 6, 7], (n) => ({
      owner: n === 3 ? bob.id : ann.id,
      trashed: n === 5,
    }))
    const answer = await reorder([7, 4])
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.deepEqual(held(), [7, 4, 3, 1, 5, 2, 6])
    const details = { moved: 5, count: 2, file_ids: [id(7), id(4)], files: 5, former: 5 }
    assert.deepEqual(library.audit().at(-1)!.details, details)
    await reorder([6, 2, 1, 4, 7])
    assert.deepEqual(held(), [6, 2, 3, 1, 5, 4, 7])
    const entries = library.audit().length
    for (const same of [[], [6], [6, 2, 1, 4, 7]]) assert.equal((await reorder(same)).status, 204)
    assert.equal(library.audit().length, entries)
  })

  it('is refused for what is not there to see, named twice, or sorted by itself', async () => {
    startWith(5, [1, 2, 3, 4], (n) => ({ owner: n === 3 ? bob.id : ann.id, trashed: n === 4 }))
    for (const files of [
      [2, 2],
      [2, 3],
      [2, 4],
      [2, 5],
      [2, 50],
    ]) {
      await assertRefused(() => reorder(files), 400, 'validation_error', ['file_ids'])
    }
    await assertRefused(() => reorder([3], bob), 403, 'forbidden')
    for (const key of ['content_datetime', 'created', 'original_name']) {
      await sortBy(key)
      await assertRefused(() => reorder([2, 1]), 400, 'validation_error', ['file_ids'])
    }
    await sortBy('manual')
    assert.equal((await reorder([2, 1])).status, 204)
  })
})

describe('the files of a pool', () => {
  it('stand in its active sort, ties by id in the same direction, whatever the page', async () => {
    const files = startWith(12, [5, 1, 12, 3, 9, 7, 2, 11, 4, 8], (n) => ({
      name: n % 4 === 0 ? null : ['b.jpg', 'B.JPG', 'A\u0308.jpg', '\u00e4.jpg'][n % 4]!,
      time: [0, -1, 1_588_723_200_000][n % 3]!,
      trashed: n === 9,
    }))
    const inPool = files.filter((file) => ![6, 9, 10].includes(numberOf(file.id)))
    for (const key of ['content_datetime', 'created', 'original_name'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        await sortBy(key, order)
        const expected = inOrder(inPool, key, order).map((file) => numberOf(file.id))
        for (const limit of [1, 2, 4, 9, 50]) assert.deepEqual(await shown(limit), expected)
      }
    }
    for (const order of ['asc', 'desc']) {
      await sortBy('manual', order)
      for (const limit of [1, 4, 9, 50]) {
        assert.deepEqual(await shown(limit), [5, 1, 12, 3, 7, 2, 11, 4, 8])
      }
    }
    const { items } = (await call('GET', '?limit=5')).body
    const positions = items.map((file: { position: number }) => file.position)
    assert.deepEqual(positions, [0, 1, 2, 3, 5])
    const { position, ...file } = items[0]
    assert.deepEqual((await library.call('GET', `/files/${id(5)}`, ann)).body, file)
  })

  it('are filtered as all files are, with many leaves too', async () => {
    const { db } = library.deps
    startWith(12, [12, 11, 10, 9, 8, 7, 6, 5], (n) => ({
      type: n % 3 === 0 ? 'image/png' : 'image/jpeg',
    }))
    const tags = Array.from({ length: 9 }, (_, n) => idAt(2, n + 1))
    for (const [n, tag] of tags.entries()) {
      insertTag(db, { id: tag, name: `tag ${n}`, owner: ann.id })
      putTags(db, id(n + 1), [tag])
    }
    const some = (leaves: string[]) => `{${leaves.join(',|,')}}`
    const found = async (filter: string, limit = 2) =>
      shown(limit, `&filter=${encodeURIComponent(filter)}`)
    assert.deepEqual(await found('{m=image/png}'), [12, 9, 6])
    assert.deepEqual(await found(some(tags.slice(4, 7).map((tag) => `t=${tag}`))), [7, 6, 5])
    assert.deepEqual(
      await found(`{t=${idAt(0, 0).replace('7000-8000', '0000-0000')}}`),
      [12, 11, 10],
    )
    const nine = tags.map((tag) => `(,t=${tag},&,r=1,)`)
    assert.deepEqual(await found(some(nine)), [9, 8, 7, 6, 5])
    assert.deepEqual(await found(`{!,(,${nine.join(',|,')},)}`), [12, 11, 10])
    await sortBy('created')
    assert.deepEqual(await found(some(nine)), [5, 6, 7, 8, 9])
    assertError(await call('GET', '?filter={x}'), 400, 'validation_error', ['filter'])
  })

  it('are asked for in pages of 1 to 200', async () => {
    startWith(1, [1])
    const wrong = await call('GET', '?limit=201&cursor=x&cursor=y')
    assertError(wrong, 400, 'validation_error', ['cursor', 'limit'])
    assertError(await call('GET', '?limit=0'), 400, 'validation_error', ['limit'])
    assertError(await call('GET', '', undefined, bob), 403, 'forbidden')
    assert.deepEqual((await call('GET', '?limit=200')).body.next_cursor, null)
  })
})

describe('a cursor of a pool', () => {
  const next = async (limit = 2) =>
    (await call('GET', `?limit=${limit}`)).body.next_cursor as string
  const from = async (cursor: string) =>
    (await call('GET', `?cursor=${cursor}`)).body.items.map((file: { id: string }) =>
      numberOf(file.id),
    )

  it('goes on behind its last file, wherever that has moved', async () => {
    startWith(6, [1, 2, 3, 4, 5])
    const cursor = await next()
    assert.deepEqual(await from(cursor), [3, 4, 5])
    await add([6], 0)
    assert.deepEqual(await from(cursor), [3, 4, 5])
    await reorder([3, 4, 2])
    assert.deepEqual(held(), [3, 4, 2, 6, 1, 5])
    assert.deepEqual(await from(cursor), [6, 1, 5])
    await library.call('DELETE', `/files/${id(2)}`, ann)
    assert.deepEqual(await from(cursor), [6, 1, 5], 'a trashed file keeps its place')
  })

  it('goes on at the place where its last file was, once that is gone', async () => {
    startWith(6, [1, 2, 3, 4, 5])
    const cursor = await next()
    await call('POST', '/remove', { file_ids: [id(2)] })
    assert.deepEqual(await from(cursor), [3, 4, 5])
    for (const path of ['', '/permanent'])
      await library.call('DELETE', `/files/${id(3)}${path}`, ann)
    assert.deepEqual(await from(cursor), [4, 5])
    await call('POST', '/remove', { file_ids: [4, 5].map(id) })
    assert.deepEqual((await call('GET', `?cursor=${cursor}`)).body, {
      items: [],
      next_cursor: null,
    })
  })

  it('tells the position of its last file, and goes on when files beside it come and go', async () => {
    startWith(60, [1, 2, 3, 4, 5])
    const cursor = await next()
    const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
    assert.deepEqual(read(cursor), ['pool', 'manual', 'asc', 1, id(2), 'after'])
    // One by one into one place, until the keys there are used up.
    const added = Array.from({ length: 40 }, (_, n) => n + 6)
    for (const n of added) await add([n], 2)
    assert.deepEqual(await from(cursor), [...added.toReversed(), 3, 4, 5])
    const later = (await call('GET', '?limit=10')).body.next_cursor
    assert.deepEqual(read(later).slice(3, 5), [9, id(38)])
    await call('POST', '/remove', { file_ids: [id(38)] })
    assert.deepEqual((await call('GET', `?limit=1&cursor=${later}`)).body.items[0].id, id(37))
  })

  it('goes on in the order of an automatic pool when its last file is gone or changed', async () => {
    startWith(4, [1, 2, 3, 4], (n) => ({ name: `${n}.jpg` }))
    await sortBy('original_name', 'desc')
    const cursor = await next()
    assert.deepEqual(await from(cursor), [2, 1])
    const body = { original_name: '0.jpg' }
    await library.call('PATCH', `/files/${id(3)}`, { token: ann.token, body })
    assert.deepEqual(await from(cursor), [2, 1, 3])
    await call('POST', '/remove', { file_ids: [id(3)] })
    assert.deepEqual(await from(cursor), [2, 1])
  })

  it('is refused when it is garbled, or of another sort, order or list', async () => {
    startWith(3, [1, 2, 3])
    const manual = await next()
    await sortBy('created', 'desc')
    const created = await next()
    const refused = async (...cursors: string[]) => {
      for (const cursor of cursors) {
        const answer = await call('GET', `?cursor=${encodeURIComponent(cursor)}`)
        assertError(answer, 400, 'validation_error', ['cursor'])
      }
    }
    await refused('', 'x', manual, manual.slice(2), handmade(['pool', 'created', 'desc']))
    await refused(handmade(['pool', 'created', 'desc', 7, id(1), 'after']))
    await refused(handmade(['files', 'created', 'desc', null, id(1), 'after']))
    const files = (await library.call('GET', '/files?limit=1', ann)).body.next_cursor
    await refused(files)
    await sortBy('created', 'asc')
    await refused(created)
    await sortBy('manual', 'desc')
    await refused(created)
    assert.deepEqual(await from(manual), [3])
    const far = handmade(['pool', 'manual', 'asc', 2 ** 53 - 1, UNKNOWN, 'after'])
    assert.deepEqual(await from(far), [])
    const before = handmade(['pool', 'manual', 'asc', -5, UNKNOWN, 'after'])
    assert.deepEqual(await from(before), [1, 2, 3])
  })
})

/** The numbers of all files that Ann is shown, page by page. */
async function shown(limit = 50, more = ''): Promise<number[]> {
  const found: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const path: string = `?limit=${limit}${more}${cursor && `&cursor=${cursor}`}`
    const { status, body, text } = await call('GET', path)
    assert.equal(status, 200, text)
    cursor = body.next_cursor
    assert.equal(body.items.length === limit || cursor === null, true)
    for (const file of body.items) found.push(numberOf(file.id))
  }
  return found
}

function numberOf(file: string): number {
  return Number.parseInt(file.slice(24), 16)
}
