import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { write } from '../../src/db/write.ts'
import {
  type FileSeed,
  fileSeed,
  idAt,
  idsOf,
  inOrder,
  insertFiles,
  type Order,
  type Sort,
  sees,
} from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { allow, insertPool, storedPool } from '../support/object-rows.ts'
import { fc } from '../support/property.ts'

const POOL = idAt(Date.UTC(2026, 0, 1), 99)
const COUNT = 10
const PEOPLE = ['ann', 'ben'] as const
type Person = (typeof PEOPLE)[number]

/** What a person does; files by their numbers. */
type Step =
  | { do: 'add'; by: Person; files: number[]; position: number | null }
  | { do: 'remove' | 'reorder'; by: Person; files: number[] }
  | { do: 'trash' | 'restore' | 'purge'; by: Person; file: number }
  | { do: 'sort'; by: Person; key: Exclude<Sort, 'mime'> | 'manual'; order: Order }

const by = fc.constantFrom(...PEOPLE)
const file = fc.nat(COUNT - 1)
const files = fc.array(file, { maxLength: 5 })
const position = fc.option(fc.nat(COUNT + 2))
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant('add'), by, files, position }), weight: 4 },
  { arbitrary: fc.record({ do: fc.constantFrom('remove', 'reorder'), by, files }), weight: 3 },
  {
    arbitrary: fc.record({ do: fc.constantFrom('trash', 'restore', 'purge'), by, file }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('sort'),
      by,
      key: fc.constantFrom(
        'manual',
        'manual',
        'manual',
        'content_datetime',
        'created',
        'original_name',
      ),
      order: fc.constantFrom('asc', 'desc'),
    }),
    weight: 1,
  },
)

/** A pool as DECISIONS describe it: a plain array of all its files. */
interface Model {
  users: Record<Person, number>
  files: Map<number, FileSeed>
  pool: FileSeed[]
  key: Exclude<Sort, 'mime'> | 'manual'
  order: Order
}

/** Does the step in the model, and returns the status that the server should answer. */
function act(model: Model, { by, ...step }: Step): number {
  const me = model.users[by]
  const shown = (file: FileSeed) => sees(me, file) && !file.trashed
  if (step.do === 'sort') {
    model.key = step.key
    model.order = step.order
    return 200
  }
  if ('file' in step) {
    const file = model.files.get(step.file)
    if (!file) return 404
    if (file.owner !== me) return 403
    if (step.do === 'purge') return purge(model, step.file, file)
    file.trashed = step.do === 'trash'
    return step.do === 'trash' ? 204 : 200
  }
  const named = step.files.map((file) => model.files.get(file))
  const distinct = [...new Set(named)]
  if (step.do === 'remove') {
    model.pool = model.pool.filter((file) => !named.includes(file) || !sees(me, file))
    return 204
  }
  if (step.do === 'add') {
    if (named.includes(undefined)) return 404
    if (named.some((file) => !sees(me, file!))) return 403
    const added = distinct.filter((file) => !model.pool.includes(file!)) as FileSeed[]
    model.pool.splice(step.position ?? model.pool.length, 0, ...added)
    return 201
  }
  if (distinct.length < named.length || model.key !== 'manual') return 400
  if (named.some((file) => !file || !model.pool.includes(file) || !shown(file))) return 400
  const others = model.pool.filter((file) => shown(file) && !named.includes(file))
  const arranged = [...named, ...others] as FileSeed[]
  model.pool = model.pool.map((file) => (shown(file) ? arranged.shift()! : file))
  return 204
}

function purge(model: Model, number: number, file: FileSeed): number {
  if (!file.trashed) return 409
  model.files.delete(number)
  model.pool = model.pool.filter((other) => other !== file)
  return 204
}

/** What a user should see: ids in the active order, with their positions. */
function listing(model: Model, user: number): [id: string, position: number][] {
  const files = model.pool.filter((file) => sees(user, file) && !file.trashed)
  const sorted = model.key === 'manual' ? files : inOrder(files, model.key, model.order)
  return sorted.map((file) => [file.id, model.pool.indexOf(file)])
}

describe('a pool of two people who see different files', () => {
  let library: Library
  const users = { ann: 0, ben: 0 }
  const tokens = { ann: '', ben: '' }

  before(async () => {
    library = await openLibrary()
    for (const name of PEOPLE) {
      const { id, token } = await library.join(name)
      users[name] = id
      tokens[name] = token
    }
  })
  after(() => library.close())

  it('stays what a plain array would be, whatever they do', async () => {
    const run = async (steps: Step[], limit: number) => {
      const model = startAfresh()
      for (const step of steps) {
        const status = act(model, step)
        assert.equal((await send(step)).status, status)
        await compare(model, limit)
      }
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 12, maxLength: 25 }),
        fc.integer({ min: 1, max: 4 }),
        run,
      ),
      { numRuns: 40 },
    )
  })

  /** Files of both, every third public, with ties in time and name; half are in the pool. */
  function startAfresh(): Model {
    const { db } = library.deps
    const seeds = Array.from({ length: COUNT }, (_, n) =>
      fileSeed(idOf(n), {
        owner: n % 2 === 0 ? users.ann : users.ben,
        isPublic: n % 3 === 0,
        time: n % 4,
        name: n % 5 === 0 ? null : `Name ${n % 3}`,
      }),
    )
    const pool = seeds.filter((_, n) => n % 4 < 2).reverse()
    write(db, { now: 0 }, () => {
      db.run('DELETE FROM files')
      db.run('DELETE FROM pools')
    })
    insertFiles(db, seeds)
    write(db, { now: 0 }, () => {
      insertPool(db, { id: POOL, name: 'pool', owner: users.ann, files: idsOf(pool) })
      allow(db, users.ben, 'pool', POOL, 'edit')
    })
    return { users, files: new Map(seeds.entries()), pool, key: 'manual', order: 'asc' }
  }

  function send(step: Step) {
    const token = tokens[step.by]
    if (step.do === 'sort') {
      const body = { sort_key: step.key, sort_order: step.order }
      return library.call('PATCH', `/pools/${POOL}`, { token, body })
    }
    if ('file' in step) {
      const path = `/files/${idOf(step.file)}`
      if (step.do === 'trash') return library.call('DELETE', path, { token })
      if (step.do === 'restore') return library.call('POST', `${path}/restore`, { token })
      return library.call('DELETE', `${path}/permanent`, { token })
    }
    const file_ids = step.files.map(idOf)
    const path = `/pools/${POOL}/files`
    if (step.do === 'add') {
      const { position } = step
      const body = position === null ? { file_ids } : { file_ids, position }
      return library.call('POST', path, { token, body })
    }
    return step.do === 'remove'
      ? library.call('POST', `${path}/remove`, { token, body: { file_ids } })
      : library.call('PUT', `${path}/reorder`, { token, body: { file_ids } })
  }

  /** Compares what is stored, and each person's pages and count, with the model. */
  async function compare(model: Model, limit: number): Promise<void> {
    const stored = model.pool.map((file, position) => [file.id, position])
    assert.deepEqual(storedPool(library.deps.db, POOL), stored)
    for (const name of PEOPLE) {
      const expected = listing(model, users[name])
      assert.deepEqual(await walk(tokens[name], limit), expected)
      const { body } = await library.call('GET', `/pools/${POOL}`, { token: tokens[name] })
      assert.equal(body.file_count, expected.length)
    }
  }

  /** All pages, none longer than asked for and none but the last shorter. */
  async function walk(token: string, limit: number): Promise<[string, number][]> {
    const found: [string, number][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const more: string = cursor && `&cursor=${cursor}`
      const path = `/pools/${POOL}/files?limit=${limit}${more}`
      const { status, body } = await library.call('GET', path, { token })
      assert.equal(status, 200)
      cursor = body.next_cursor
      assert.ok(cursor === null ? body.items.length <= limit : body.items.length === limit)
      for (const item of body.items) found.push([item.id, item.position])
    }
    return found
  }
})

function idOf(file: number): string {
  return idAt(Date.UTC(2026, 0, 1), file)
}
