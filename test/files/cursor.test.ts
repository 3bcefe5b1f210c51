import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  deleteFiles,
  type FileSeed,
  fileSeed,
  handmade,
  idAt,
  idsOf,
  inOrder,
  insertFiles,
  ORDERS,
  pageFrom,
  pages,
  queryText,
  SORTS,
  sees,
  shown,
  tiedFiles,
} from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { fc } from '../support/property.ts'

const NOBODY = '01234567-89ab-7def-8123-456789abcdef'

let library: Library
let root: { id: number; token: string }
let ann: { id: number; token: string }
let files: FileSeed[]
let annsFiles: FileSeed[]

before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann')
  files = tiedFiles([ann.id, await library.addUser('Bob')])
  annsFiles = files.filter((file) => !file.trashed && sees(ann.id, file))
  insertFiles(library.deps.db, files)
})
after(() => library.close())

async function refusedFields(query: Record<string, string | number>, path = '/files') {
  const { token } = ann
  const { status, body } = await library.call('GET', `${path}?${queryText(query)}`, { token })
  if (status === 200) return 'not refused'
  assert.deepEqual([status, body.code], [400, 'validation_error'], queryText(query))
  return body.details.map((detail: { field: string }) => detail.field)
}

describe('a cursor', () => {
  it('is refused when it is none of this list', async () => {
    const good = ['files', 'original_name', 'asc', 'a.jpg', NOBODY, 'after']
    assert.equal(await refusedFields({ cursor: handmade(good) }), 'not refused')
    const edit = (at: number, value: unknown) => handmade(good.with(at, value as string))
    const cursors = [
      ...['x', 'null', '%00', '\0', '====', 'á😀', 'WyJmaWxlcyJd', handmade(good).slice(0, -9)],
      ...[null, 1, 'files', {}, [], [[]], { ...good }, [good], good.slice(1)].map(handmade),
      ...[[...good, 1], good.slice(0, 5), Object.fromEntries(good.entries())].map(handmade),
      ...['tags', 'pool', '', null, 7, []].map((list) => edit(0, list)),
      ...['name', 'id', '__proto__', 'constructor', '', null].map((sort) => edit(1, sort)),
      ...['up', 'ASC', '', null, 1].map((order) => edit(2, order)),
      // A name is text, and well-formed.
      ...[null, 1, 1.5, true, [], ['a'], { a: 1 }, '\ud800', 'x\udc00'].map((key) => edit(3, key)),
      ...['', 'x', NOBODY.slice(1), `${NOBODY}0`, `{${NOBODY}}`, null, 1].map((id) => edit(4, id)),
      ...['', 'at', 'Before', null, 0].map((side) => edit(5, side)),
      ...['a', 1, '0'].map((key) => handmade(['files', 'created', 'asc', key, NOBODY, 'after'])),
      ...['0', 0.5, null, 2 ** 53, -1e300].map((key) =>
        handmade(['files', 'content_datetime', 'asc', key, NOBODY, 'after']),
      ),
      handmade('['.repeat(50_000)),
      Buffer.from('['.repeat(50_000)).toString('base64url'),
      'A'.repeat(100_000),
    ]
    for (const cursor of cursors) {
      const said = Buffer.from(cursor, 'base64url').toString().slice(0, 100)
      assert.deepEqual(await refusedFields({ cursor }), ['cursor'], said)
    }
  })

  it('made of anything is refused or gives files that the caller may see', async () => {
    const allowed = new Set(idsOf(annsFiles))
    const part = fc.oneof(
      fc.constantFrom('files', 'asc', 'desc', 'before', 'after', null, ...SORTS, ...idsOf(files)),
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.double(),
    )
    const name = fc.string({ unit: 'binary' })
    const keyed = fc.oneof(
      fc.tuple(fc.constant('created'), fc.constant(null)),
      fc.tuple(fc.constant('content_datetime'), fc.maxSafeInteger()),
      fc.tuple(fc.constantFrom('original_name', 'mime'), name),
    )
    const likely = fc
      .record({
        keyed,
        order: fc.constantFrom(...ORDERS),
        id: fc.oneof(fc.uuid(), fc.constantFrom(...idsOf(files))),
        side: fc.constantFrom('before', 'after'),
      })
      .map(({ keyed, order, id, side }) => ['files', keyed[0], order, keyed[1], id, side])
    const cursors = fc.oneof(
      likely.map(handmade),
      fc.array(part, { minLength: 6, maxLength: 6 }).map(handmade),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
      fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
    )
    let taken = 0
    await fc.assert(
      fc.asyncProperty(
        cursors,
        fc.constantFrom('forward', 'backward'),
        async (cursor, direction) => {
          const query = queryText({ cursor, direction, limit: 200 })
          const { status, body } = await library.call('GET', `/files?${query}`, {
            token: ann.token,
          })
          if (status === 200) {
            taken++
            for (const { id } of body.items) assert.ok(allowed.has(id), id)
          } else assert.deepEqual([status, body.details[0].field], [400, 'cursor'])
        },
      ),
      { numRuns: 300 },
    )
    assert.ok(taken > 20, `${taken} were taken`)
  })

  it('holds its sort and order: none named goes on, the same too, others are refused', async () => {
    const get = pages(library, ann.token)
    for (const sort of SORTS) {
      for (const order of ORDERS) {
        const expected = idsOf(inOrder(annsFiles, sort, order))
        const cursor = (await get({ sort, order, limit: 10 })).next_cursor!
        const second = pageFrom(expected, 10, 20)
        const namings: Record<string, string>[] = [{}, { sort }, { order }, { sort, order }]
        for (const named of namings) {
          assert.deepEqual(shown(await get({ cursor, limit: 10, ...named })), second)
        }
        for (const other of SORTS.filter((one) => one !== sort)) {
          assert.deepEqual(await refusedFields({ cursor, sort: other }), ['sort'])
        }
        const other = order === 'asc' ? 'desc' : 'asc'
        assert.deepEqual(await refusedFields({ cursor, order: other }), ['order'])
      }
    }
  })

  it('of somebody else gives what the caller may see from that place', async () => {
    for (const sort of SORTS) {
      const all = inOrder(files, sort, 'asc').filter((file) => !file.trashed)
      const mine = idsOf(all.filter((file) => sees(ann.id, file)))
      let page = await pages(library, root.token)({ sort, order: 'asc', limit: 5 })
      for (let at = 5; page.next_cursor; at += 5) {
        const cursor = page.next_cursor
        const behind = all.slice(0, at).filter((file) => sees(ann.id, file)).length
        const get = pages(library, ann.token)
        const ahead = await get({ cursor, limit: 5 })
        assert.deepEqual(shown(ahead), pageFrom(mine, behind, behind + 5), `${sort} from ${at}`)
        const back = await get({ cursor, limit: 5, direction: 'backward' })
        assert.deepEqual(shown(back), pageFrom(mine, behind - 5, behind), `${sort} to ${at}`)
        page = await pages(library, root.token)({ cursor, limit: 5 })
      }
    }
  })

  it('made by hand is a place in the order, though no file is there', async () => {
    const byName = idsOf(inOrder(annsFiles, 'original_name', 'asc'))
    const byTime = idsOf(inOrder(annsFiles, 'content_datetime', 'desc'))
    const unnamed = annsFiles.filter((file) => file.name === null).length
    const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    const after1970 = annsFiles.filter((file) => file.time >= 0).length
    const cases: [unknown[], string[], number][] = [
      [['files', 'original_name', 'asc', '', last.toUpperCase(), 'before'], byName, unnamed],
      [['files', 'original_name', 'asc', '\u{10ffff}', NOBODY, 'after'], byName, byName.length],
      [['files', 'original_name', 'asc', '\0', NOBODY, 'after'], byName, unnamed],
      [['files', 'content_datetime', 'desc', 0, NOBODY, 'before'], byTime, after1970],
      [
        ['files', 'content_datetime', 'desc', -(2 ** 53 - 1), NOBODY, 'after'],
        byTime,
        byTime.length,
      ],
      [['files', 'content_datetime', 'desc', 2 ** 53 - 1, NOBODY, 'after'], byTime, 0],
    ]
    for (const [parts, expected, at] of cases) {
      const get = (direction: string) =>
        pages(library, ann.token)({ cursor: handmade(parts), limit: 9, direction })
      const said = JSON.stringify(parts)
      assert.deepEqual(shown(await get('forward')), pageFrom(expected, at, at + 9), said)
      assert.deepEqual(shown(await get('backward')), pageFrom(expected, at - 9, at), said)
    }
  })
})

describe('a cursor, while the library changes', () => {
  const four = [10, 20, 30, 40].map((at) => fileSeed(idAt(at, at), { isPublic: true }))
  let own: Library
  let get: ReturnType<typeof pages>
  before(async () => {
    own = await openLibrary()
    await own.addUser('Root', { is_admin: true })
    const viewer = await own.join('Viewer')
    get = pages(own, viewer.token)
    // Nothing here outlives a crash, and each change would wait for the disk.
    own.deps.db.run('PRAGMA synchronous = 0')
  })
  after(() => own.close())

  it('stands between files, so that an empty page still tells what lies each way', async () => {
    const start = { order: 'asc', limit: 2 }
    const cases = [
      { direction: 'forward', gone: [2, 3], prev: true, next: false },
      { direction: 'backward', gone: [0, 1], prev: false, next: true },
      { direction: 'forward', gone: [0, 1, 2, 3], prev: false, next: false },
      { direction: 'backward', gone: [0, 1, 2, 3], prev: false, next: false },
    ]
    for (const { direction, gone, prev, next } of cases) {
      deleteFiles(own.deps.db)
      insertFiles(own.deps.db, four)
      const first = await get({ ...start, direction })
      const cursor = (direction === 'forward' ? first.next_cursor : first.prev_cursor)!
      deleteFiles(
        own.deps.db,
        gone.map((index) => four[index]!.id),
      )
      const empty = await get({ cursor, limit: 2, direction })
      assert.deepEqual(shown(empty), { items: [], prev, next })
      const rest = idsOf(four.filter((_, index) => !gone.includes(index)))
      if (empty.prev_cursor) {
        const back = await get({ cursor: empty.prev_cursor, limit: 2, direction: 'backward' })
        assert.deepEqual(shown(back), pageFrom(rest, 0, 2))
      }
      if (empty.next_cursor) {
        const on = await get({ cursor: empty.next_cursor, limit: 2 })
        assert.deepEqual(shown(on), pageFrom(rest, 0, 2))
      }
    }
  })

  it('finds what came to its place after it was given out', async () => {
    deleteFiles(own.deps.db)
    insertFiles(
      own.deps.db,
      four.map((file, n) => ({ ...file, time: n })),
    )
    const { next_cursor } = await get({ sort: 'content_datetime', order: 'asc', limit: 2 })
    insertFiles(own.deps.db, [fileSeed(idAt(25, 0), { isPublic: true, time: 1 })])
    const cursor = next_cursor!
    const ids = [four[0]!.id, four[1]!.id, idAt(25, 0), four[2]!.id, four[3]!.id]
    assert.deepEqual(shown(await get({ cursor, limit: 2 })), pageFrom(ids, 2, 4))
    const back = await get({ cursor, limit: 2, direction: 'backward' })
    assert.deepEqual(shown(back), pageFrom(ids, 0, 2))
  })

  it('neither repeats nor loses a file that nobody touched', async () => {
    const seed = fc.record({
      at: fc.nat(40),
      name: fc.constantFrom(null, 'a', 'A', 'b', 'ж', '😀'),
      time: fc.integer({ min: -2, max: 2 }),
      type: fc.constantFrom('image/jpeg', 'image/png'),
      isPublic: fc.boolean(),
    })
    const change = fc.oneof(
      fc.record({ kind: fc.constant('insert' as const), seed }),
      fc.record({ kind: fc.constantFrom('delete', 'trash', 'rename'), which: fc.nat(100) }),
    )
    const script = fc.record({
      seeds: fc.array(seed, { minLength: 5, maxLength: 40 }),
      changes: fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 20 }),
      sort: fc.constantFrom(...SORTS),
      order: fc.constantFrom(...ORDERS),
      direction: fc.constantFrom('forward', 'backward'),
      limit: fc.integer({ min: 1, max: 5 }),
    })
    const { db } = own.deps
    await fc.assert(
      fc.asyncProperty(script, async ({ seeds, changes, sort, order, direction, limit }) => {
        let made = 0
        const make = ({ at, ...fields }: (typeof seeds)[number]) =>
          fileSeed(idAt(at, made++), fields)
        // Of a file that is gone, a cursor in the order of creation knows the id alone.
        const inTime = (one: (typeof seeds)[number], at: number) =>
          sort === 'created' ? { ...one, at } : one
        const originals = seeds.map((one, n) => make(inTime(one, n)))
        deleteFiles(db)
        insertFiles(db, originals)
        const touched = new Set<string>()
        const moved = new Set<string>()
        const apply = (one: (typeof changes)[number][number]) => {
          if ('seed' in one) return insertFiles(db, [make(inTime(one.seed, made))])
          const { id } = originals[one.which % originals.length]!
          touched.add(id)
          if (one.kind === 'delete') return deleteFiles(db, [id])
          const blob = Buffer.from(id.replaceAll('-', ''), 'hex')
          if (one.kind === 'trash')
            return db.run('UPDATE files SET is_deleted = 1 WHERE id = ?', blob)
          moved.add(id)
          return db.run("UPDATE files SET name_key = 'm' WHERE id = ?", blob)
        }

        const seen: string[] = []
        let page = await get({ sort, order, direction, limit })
        for (let turn = 0; ; turn++) {
          const items = page.items.map((file) => file.id)
          seen.push(...(direction === 'forward' ? items : items.toReversed()))
          const cursor = direction === 'forward' ? page.next_cursor : page.prev_cursor
          for (const one of changes[turn] ?? []) apply(one)
          if (cursor === null) break
          page = await get({ cursor, direction, limit })
        }
        const untouched = inOrder(
          originals.filter((file) => file.isPublic && !touched.has(file.id)),
          sort,
          order,
        )
        const expected = idsOf(direction === 'forward' ? untouched : untouched.toReversed())
        const wanted = new Set(expected)
        assert.deepEqual(
          seen.filter((id) => wanted.has(id)),
          expected,
        )
        const still = seen.filter((id) => !moved.has(id))
        assert.equal(new Set(still).size, still.length, 'nothing is repeated that stayed in place')
      }),
      { numRuns: 100 },
    )
  })
})
