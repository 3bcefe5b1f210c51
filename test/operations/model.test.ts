import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Db } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import { fileSeed, idAt, insertFiles } from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import * as model from '../support/undo-model.ts'
import { type Fields, may, type Person, type Type, type World } from '../support/undo-model.ts'

const TYPES = ['file', 'tag', 'category', 'pool'] as const
const PATHS = { file: '/files', tag: '/tags', category: '/categories', pool: '/pools' }
const DAY = 86_400_000
const FILES = 5

// Objects are named by their number among all of their type that there ever were, such as `tag#2`:
// mostly the first two, so that changes meet.
const numbered = (type: Type, max: number) =>
  fc.oneof(fc.nat(1), fc.nat(max)).map((n) => `${type}#${n}`)
const REFS = {
  file: numbered('file', FILES - 1),
  tag: numbered('tag', 5),
  category: numbered('category', 2),
  pool: numbered('pool', 2),
}
const { file, tag, pool } = REFS
const file_ids = fc.uniqueArray(file, { maxLength: 4 })
const tag_ids = fc.uniqueArray(tag, { maxLength: 3 })
const flag = fc.boolean()
const rule = { tag: numbered('tag', 2), then_tag_id: numbered('tag', 3) }
const switched = { ...rule, is_active: flag, apply_to_existing: flag }
const choice = fc.constantFrom('keep', 'discard')
const both = fc.constantFrom('keep', 'both', 'both')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const name = fc.constantFrom('red', 'green', 'blue')
const color = maybe(fc.constantFrom(null, 'c0ffee'))
const COMMON = {
  notes: maybe(fc.constantFrom(null, 'one', 'two')),
  metadata: maybe(fc.constantFrom(null, { a: 1 }, { b: 1 }, { a: 2 })),
  is_public: maybe(flag),
}
const FIELDS: Record<Type, Record<string, fc.Arbitrary<unknown>>> = {
  file: {
    ...COMMON,
    original_name: maybe(fc.constantFrom(null, 'x', 'y')),
    content_datetime: maybe(fc.constantFrom('2020-05-06T07:08:09.000Z', new Date(0).toISOString())),
  },
  tag: { ...COMMON, name, color, category_id: maybe(fc.option(REFS.category)) },
  category: { ...COMMON, name, color },
  pool: { ...COMMON, name },
}
const sort_key = maybe(fc.constantFrom('manual', 'manual', 'created', 'original_name'))
const sort_order = maybe(fc.constantFrom('asc', 'desc'))
const EITHER = { original_name: choice, notes: choice, content_datetime: choice, is_public: choice }
const metadata = fc.constantFrom('keep', 'discard', 'merge')
const fields = fc.record({ ...EITHER, metadata, tags: both, pools: both })

type Needs<Given> = { readonly [Name in keyof Given]?: 'view' | 'edit' }
type Act<Given> = (world: World, given: Given & { by: Person }, id: string) => unknown
/** A kind of request: what it may name, and the rights that it needs to that. */
interface Command {
  given: fc.Arbitrary<object>
  needs: Needs<Fields>
  /** Does it in the model, or returns false to refuse it; `id` is that of a new object. */
  act: Act<Fields>
}

function on<Given extends object>(
  given: { [Name in keyof Given]: fc.Arbitrary<Given[Name]> },
  needs: Needs<NoInfer<Given>>,
  act: Act<Given>,
): Command {
  return { given: fc.record(given), needs, act } as unknown as Command
}

const FILE = { file: 'edit' } as const
const TAGGED = { file: 'edit', tag: 'view' } as const
const TAGS = { file: 'edit', tag_ids: 'view' } as const
const RULE = { tag: 'edit', then_tag_id: 'view' } as const
const hasRule = (world: World, when: string, then: string) => world.rules.has(`${when} ${then}`)

/** Requests; what is not in the path goes into the body. */
const COMMANDS: Record<string, Command> = {
  'PUT /files/{file}/tags/{tag}': on({ file, tag }, TAGGED, (world, { file, tag }) =>
    model.nameTags(world, file, [tag]),
  ),
  'DELETE /files/{file}/tags/{tag}': on({ file, tag }, TAGGED, (world, { file, tag }) =>
    model.setTag(world, file, tag, null),
  ),
  'PUT /files/{file}/tags': on({ file, tag_ids }, TAGS, (world, { by, file, tag_ids }) =>
    model.replaceTags(world, by, file, tag_ids),
  ),
  'POST /files/bulk/tags': on(
    { file_ids, tag_ids, action: fc.constantFrom('add', 'remove') },
    { tag_ids: 'view' },
    (world, { by, file_ids, tag_ids, action }) => {
      for (const file of model.editable(world, by, file_ids)) {
        if (action === 'add') model.nameTags(world, file, tag_ids)
        else for (const tag of tag_ids) model.setTag(world, file, tag, null)
      }
    },
  ),
  'DELETE /files/{file}': on({ file }, FILE, (world, { file }) =>
    model.setFields(world, file, { is_deleted: true }),
  ),
  'POST /files/{file}/restore': on({ file }, FILE, (world, { file }) =>
    model.setFields(world, file, { is_deleted: false }),
  ),
  'DELETE /files/{file}/permanent': on({ file }, FILE, (world, it) => model.purge(world, it.file)),
  'POST /files/bulk/review': on({ file_ids, needs_review: flag }, {}, (world, given) => {
    for (const file of model.editable(world, given.by, given.file_ids)) {
      model.setFields(world, file, { needs_review: given.needs_review })
    }
  }),
  'POST /files/duplicates/resolve': on(
    { keep: file, discard: file, fields, delete_discarded: flag },
    { keep: 'edit', discard: 'edit' },
    (world, { keep, discard, fields, delete_discarded }) => {
      if (model.merge(world, [keep, discard], fields) === false) return false
      if (delete_discarded) model.setFields(world, discard, { is_deleted: true })
    },
  ),
  'POST /tags/{tag}/rules': on(switched, RULE, (world, { tag, then_tag_id: then, ...rule }) => {
    if (hasRule(world, tag, then) || tag === then) return false
    model.switchRule(world, [tag, then], rule)
  }),
  'PATCH /tags/{tag}/rules/{then_tag_id}': on(switched, RULE, (world, given) => {
    const { tag, then_tag_id: then } = given
    return hasRule(world, tag, then) && model.switchRule(world, [tag, then], given)
  }),
  'DELETE /tags/{tag}/rules/{then_tag_id}': on(rule, RULE, (world, { tag, then_tag_id: then }) => {
    return hasRule(world, tag, then) && model.setRule(world, [tag, then], null)
  }),
  'POST /pools/{pool}/files': on(
    { pool, file_ids, position: maybe(fc.nat(6)) },
    { pool: 'edit', file_ids: 'view' },
    (world, { pool, ...given }) =>
      model.addToPool(world, pool, given.file_ids, given.position ?? 1000),
  ),
  'POST /pools/{pool}/files/remove': on({ pool, file_ids }, { pool: 'edit' }, (world, given) => {
    const seen = given.file_ids.filter((file) => may(world, given.by, file, 'view'))
    model.removeFromPool(world, given.pool, seen)
  }),
  'PUT /pools/{pool}/files/reorder': on({ pool, file_ids }, { pool: 'edit' }, (world, given) =>
    model.arrangeSeen(world, given.by, given.pool, given.file_ids),
  ),
}

for (const type of TYPES) {
  const id = REFS[type]
  const { name, ...others } = FIELDS[type]
  if (name) others.name = maybe(name)
  if (type === 'pool') Object.assign(others, { sort_key, sort_order })
  const edited: Record<string, fc.Arbitrary<unknown>> = { ...others, id }
  const needs = { category_id: 'view' } as const
  COMMANDS[`PATCH ${PATHS[type]}/{id}`] = on(edited, { ...needs, id: 'edit' }, (world, given) => {
    const { by, id, ...update } = given
    return model.edit(world, by, String(id), update)
  })
  const right = fc.constantFrom<('view' | 'edit' | null)[]>(null, 'view', 'edit')
  // Only who made an object may share it.
  COMMANDS[`PUT /acl/${type}/{id}`] = on({ id, right }, {}, (world, { by, id, right }) =>
    model.share(world, by, id, right),
  )
  if (type === 'file') continue
  COMMANDS[`POST ${PATHS[type]}`] = on<Fields>(FIELDS[type], needs, (world, given, id) => {
    const { by, ...fields } = given
    return model.create(world, by, type, id, fields)
  })
  COMMANDS[`DELETE ${PATHS[type]}/{id}`] = on({ id }, { id: 'edit' }, (world, { id }) =>
    model.remove(world, id),
  )
}

type Sent = { by: Person; request: string; given: object }
/** Takes back one of the operations that weren't undone or, `again`, of all; 0 is the last one. */
type Undone = { by: Person | 'who did it'; undo: number; again: boolean }
type Step = Sent | Undone | { wait: number }

const whos = ['who did it', 'who did it', 'who did it', 'ann', 'bob', 'root'] as const
const again = fc.nat(9).map((n) => n === 9)
const undos = fc.record({ by: fc.constantFrom(...whos), undo: fc.nat(12), again })
const waits = fc.record({ wait: fc.constantFrom(DAY / 2, DAY / 2 + 1) })
// A few kinds of requests in each run, so that they meet. A step shrinks to one that does nothing.
const kinds = fc.subarray(Object.keys(COMMANDS), { minLength: 3, maxLength: 9 })
const stepLists = kinds.chain((kinds) => {
  const by = fc.constantFrom<Person[]>('ann', 'ann', 'bob')
  const requests = kinds.map((kind) =>
    fc.record({ by, request: fc.constant(kind), given: COMMANDS[kind]!.given }),
  )
  const step = fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: fc.constant<Step>({ wait: 0 }) },
    { weight: 20, arbitrary: fc.oneof(...requests) },
    { weight: 12, arbitrary: undos },
    { weight: 1, arbitrary: waits },
  )
  return fc.array(step, { minLength: 25, maxLength: 35 })
})

/** What Ann does first: Bob may edit the first object of each kind, and see the third. */
const FIRST: [request: string, given: object][] = [
  ['POST /categories', { name: 'red' }],
  ['POST /categories', { name: 'one' }],
  ['POST /tags', { name: 'red', category_id: 'category#0' }],
  ['POST /tags', { name: 'one', category_id: 'category#1' }],
  ['POST /tags', { name: 'two' }],
  ['POST /tags', { name: 'three' }],
  ['POST /pools', { name: 'one' }],
  ['POST /pools', { name: 'two' }],
  ['PUT /acl/category/{id}', { id: 'category#0', right: 'edit' }],
  ['PUT /acl/pool/{id}', { id: 'pool#0', right: 'edit' }],
  ['PUT /acl/tag/{id}', { id: 'tag#0', right: 'edit' }],
  ['PUT /acl/file/{id}', { id: 'file#0', right: 'edit' }],
  ['PUT /acl/file/{id}', { id: 'file#1', right: 'edit' }],
  ['PUT /acl/file/{id}', { id: 'file#2', right: 'view' }],
  ['PUT /acl/tag/{id}', { id: 'tag#1', right: 'edit' }],
  ['PUT /acl/tag/{id}', { id: 'tag#2', right: 'view' }],
  ['POST /tags/{tag}/rules', { tag: 'tag#0', then_tag_id: 'tag#1', is_active: true }],
  ['POST /tags/{tag}/rules', { tag: 'tag#1', then_tag_id: 'tag#3', is_active: true }],
  ['POST /tags/{tag}/rules', { tag: 'tag#2', then_tag_id: 'tag#0', is_active: false }],
  ['PUT /files/{file}/tags', { file: 'file#0', tag_ids: ['tag#0'] }],
  ['PUT /files/{file}/tags', { file: 'file#1', tag_ids: ['tag#2', 'tag#3'] }],
  ['POST /pools/{pool}/files', { pool: 'pool#0', file_ids: ['file#0', 'file#1', 'file#3'] }],
  ['POST /pools/{pool}/files', { pool: 'pool#1', file_ids: ['file#2', 'file#0'] }],
]

interface Game {
  world: World
  known: Record<Type, string[]>
  operations: { number: number; by: Person; at: number; facts: model.Fact[]; isUndone: boolean }[]
}

describe('undo', () => {
  let library: Library
  const users = {} as Record<Person, number>
  const tokens = {} as Record<Person, string>

  before(async () => {
    library = await openLibrary({ ACCESS_TOKEN_TTL: '999d', REFRESH_TOKEN_TTL: '999d' })
    for (const name of ['ann', 'bob', 'root'] as const) {
      const rights = { can_create: true, is_admin: name === 'root' }
      const { id, token } = await library.join(name, rights)
      users[name] = id
      tokens[name] = token
    }
  })
  after(() => library.close())

  it('takes back what a list of facts would, whatever two people do', async () => {
    const run = async (steps: Step[]) => {
      const game = await startAfresh()
      for (const step of steps) {
        if ('wait' in step) library.time.now += step.wait
        else if ('undo' in step) await undoOne(game, step)
        else await send(game, step)
        await compare(game.world)
      }
    }
    await fc.assert(fc.asyncProperty(stepLists, run), { numRuns: 10 })
  })

  /** Four files of Ann's and one of Bob's, and what Ann does with them first. */
  async function startAfresh(): Promise<Game> {
    const { db } = library.deps
    write(db, { now: 0 }, () => {
      for (const path of Object.values(PATHS)) db.run(`DELETE FROM ${path.slice(1)}`)
    })
    const world: World = { things: new Map(), rules: new Map(), facts: [] }
    const known: Game['known'] = { file: [], tag: [], category: [], pool: [] }
    for (let n = 0; n < FILES; n++) {
      const owner = n < FILES - 1 ? 'ann' : 'bob'
      const id = idAt(Date.UTC(2026, 0, 1), n)
      insertFiles(db, [fileSeed(id, { owner: users[owner], time: 0 })])
      model.create(world, owner, 'file', id, { content_datetime: new Date(0).toISOString() })
    }
    known.file.push(...world.things.keys())
    const game = { world, known, operations: [] }
    for (const [request, given] of FIRST) await send(game, { by: 'ann', request, given })
    await compare(world)
    return game
  }

  async function send({ world, known, operations }: Game, { by, request, given }: Sent) {
    const idOf = (_: string, type: Type, n: string) => known[type][Number(n) % known[type].length]!
    const named = JSON.stringify(given).replace(/(\w+)#(\d+)/g, idOf)
    const { right, ...body } = JSON.parse(named)
    if (request.endsWith('reorder')) {
      // Else hardly ever all of them are in the pool.
      const held = world.things.get(body.pool)?.files
      body.file_ids = body.file_ids.filter((id: string) => held?.includes(id))
    }
    const { act, needs } = COMMANDS[request]!
    world.facts = []
    const isRefused = Object.entries(needs).some(([name, right]) =>
      [body[name] ?? []].flat().some((id: string) => !may(world, by, id, right!)),
    )
    const [method, template] = request.split(' ') as [string, string]
    const path = template.replace(/{(\w+)}/g, (_, name: string) => body[name])
    const entry = { user_id: users.bob, can_edit: right === 'edit' }
    if (right !== undefined) body.permissions = right ? [entry] : []
    const sent = { token: tokens[by], ...(method !== 'DELETE' && { body }) }
    const answer = await library.call(method, path, sent)
    const isDone = !isRefused && act(world, { ...body, right, by }, answer.body?.id) !== false
    assert.equal(answer.status < 300, isDone, `${answer.status}: ${answer.text}`)
    const number = Number(answer.headers.get('Operation'))
    assert.equal(number > 0, world.facts.length > 0)
    if (number === 0) return
    operations.push({ number, by, at: library.time.now, facts: world.facts, isUndone: false })
    const [fact] = world.facts
    if (fact?.is === 'created') known[world.things.get(fact.id)!.type].push(fact.id)
  }

  async function undoOne({ world, operations }: Game, step: Undone) {
    const some = operations.filter(({ isUndone }) => step.again || !isUndone)
    const operation = some.at(-1 - (step.undo % some.length))!
    const by = step.by === 'who did it' ? operation.by : step.by
    const at = library.time.now
    const path = `/operations/${operation.number}/undo`
    const { status, body } = await library.call('POST', path, { token: tokens[by] })
    const isOwn = by === operation.by && at - operation.at <= DAY
    if (by !== 'root' && !isOwn) return assert.equal(status, 403)
    if (operation.isUndone) return assert.equal(status, 409)
    assert.equal(status, 200)
    world.facts = []
    const { taken, kept } = model.undo(world, by, operation.facts)
    const ids = body.kept.map((entry: { object_id: string }) => entry.object_id)
    assert.deepEqual([body.undone, [...new Set(ids)].sort()], [taken.size, [...kept].sort()])
    operation.isUndone = true
    operations.push({ number: body.operation, by, at, facts: world.facts, isUndone: false })
  }

  /** Compares what an admin is shown, and what only the database knows, with the model. */
  async function compare({ things, rules }: World): Promise<void> {
    const read = async (path: string) =>
      (await library.call('GET', path, { token: tokens.root })).body
    for (const type of TYPES) {
      const { items } = await read(`${PATHS[type]}?limit=200`)
      if (type === 'file') items.push(...(await read('/files?limit=200&trash=true')).items)
      const shown = items.map((item: Fields & { id: string }) => {
        const names = Object.keys(things.get(item.id)?.fields ?? {})
        const fields = Object.fromEntries(names.map((name) => [name, item[name]]))
        return [item.id, { ...fields, creator_id: item.creator_id }]
      })
      const expected = [...things]
        .filter(([, thing]) => thing.type === type)
        .map(([id, { fields, owner }]) => [id, { ...fields, creator_id: users[owner] }])
      assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(expected))
    }
    const lines: string[] = []
    for (const [id, { type }] of things) {
      const of = type === 'tag' ? await read(`/tags/${id}/rules`) : []
      for (const rule of of) lines.push(`${id} ${rule.then_tag_id} ${rule.is_active}`)
      const { items } = type === 'pool' ? await read(`/pools/${id}/files`) : { items: [] }
      for (const file of items) lines.push(`${id} ${file.id} ${file.position}`)
    }
    const places = [...things].flatMap(([id, { files }]) =>
      files.flatMap((file, n) => (things.get(file)!.fields.is_deleted ? [] : `${id} ${file} ${n}`)),
    )
    const all = [...rules].map(([rule, isActive]) => `${rule} ${isActive}`).concat(places)
    assert.deepEqual(lines.sort(), all.sort())
    assert.deepEqual(storedLines(library.deps.db), expectedLines([...things]))
  }
})

/** What is stored, a line for each tag of a file, place in a pool, tag and right. */
function storedLines(db: Db): string[][] {
  const objects = TYPES.map(
    (type) => `SELECT '${type}' AS type, rid, id FROM ${PATHS[type].slice(1)}`,
  )
  return [
    `SELECT hex(f.id) || ' ' || hex(t.id) || ' ' || by_hand AS line FROM file_tags
     JOIN files f ON f.rid = file_rid JOIN tags t ON t.rid = tag_rid`,
    `SELECT hex(p.id) || ' ' || hex(f.id) || ' ' || position AS line FROM pool_files
     JOIN pools p ON p.rid = pool_rid JOIN files f ON f.rid = file_rid`,
    "SELECT hex(id) || ' ' || file_count AS line FROM tags",
    `SELECT hex(o.id) || ' ' || u.name || ' ' || can_edit AS line FROM acl
     LEFT JOIN (${objects.join(' UNION ALL ')}) o ON o.type = object_type AND o.rid = object_rid
     JOIN users u ON u.id = user_id`,
  ].map((sql) =>
    db
      .all<{ line: string }>(sql)
      .map((row) => row.line)
      .sort(),
  )
}

function expectedLines(things: [string, model.Thing][]): string[][] {
  const hex = (id: string) => id.replaceAll('-', '').toUpperCase()
  const lines = things.map(([id, { type, tags, files, rights }]) => {
    const count = things.filter(([, other]) => other.tags.has(id)).length
    return [
      [...tags].map(([tag, byHand]) => `${hex(id)} ${hex(tag)} ${Number(byHand)}`),
      files.map((file, position) => `${hex(id)} ${hex(file)} ${position}`),
      type === 'tag' ? [`${hex(id)} ${count}`] : [],
      [...rights].map(([name, right]) => `${hex(id)} ${name} ${Number(right === 'edit')}`),
    ]
  })
  return [0, 1, 2, 3].map((kind) => lines.flatMap((some) => some[kind]!).sort())
}
