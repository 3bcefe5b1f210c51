import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Db } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import { fileSeed, idAt, insertFiles } from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { PLACES } from '../support/object-rows.ts'
import { fc } from '../support/property.ts'
import * as model from '../support/undo/model.ts'
import { type Fields, may, type Person, type Type, type World } from '../support/undo/model.ts'
import { COMMANDS, FILES } from '../support/undo/requests.ts'
import { undoFacts } from '../support/undo/undo-facts.ts'
import { noteMade } from '../support/undo/undoing.ts'

const TYPES = ['file', 'tag', 'category', 'pool'] as const
const PATHS = { file: '/files', tag: '/tags', category: '/categories', pool: '/pools' }
const DAY = 86_400_000

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

const ownerOf = (n: number): Person => (n < FILES - 1 ? 'ann' : 'bob')
const fileId = (n: number) => idAt(Date.UTC(2026, 0, 1), n)

interface Game {
  world: World
  known: Record<Type, string[]>
  operations: Operation[]
}

interface Operation {
  number: number
  by: Person
  at: number
  facts: model.Fact[]
  /** Or it can't be. */
  isUndone: boolean
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
      const owner = ownerOf(n)
      const id = fileId(n)
      noteMade(db, { id: users[owner] }, id)
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

  async function undoOne({ world, known: { file: files }, operations }: Game, step: Undone) {
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
    const { taken, kept } = undoFacts(world, by, operation.facts)
    const ids = body.kept.map((entry: { object_id: string | null }) => entry.object_id)
    const made = Array.from({ length: FILES }, (_, n) => n).filter((n) => ownerOf(n) === by)
    // Who deletes a file for good knows that it is gone.
    const purged = operation.facts.flatMap((fact) => (fact.is === 'final' ? [fact.id] : []))
    const known = [...made.map(fileId), ...purged]
    const isGoneOfOthers = (id: string) =>
      files.includes(id) && by !== 'root' && !known.includes(id)
    const isHidden = (id: string) =>
      world.things.has(id) ? !model.may(world, by, id, 'view') : isGoneOfOthers(id)
    const named = new Set([...kept].map((id) => (isHidden(id) ? null : id)))
    assert.deepEqual([body.undone, [...new Set(ids)].sort()], [taken.size, [...named].sort()])
    if (world.facts.length === 0) return
    operation.isUndone = true
    // Nobody merges files by an undo.
    const isLast = operation.facts.some((fact) => fact.is === 'merge')
    operations.push({ number: body.operation, by, at, facts: world.facts, isUndone: isLast })
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
    `SELECT hex(p.id) || ' ' || hex(f.id) || ' ' || position AS line FROM (${PLACES})
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
