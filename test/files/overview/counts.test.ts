import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import { fileSeed, idAt, insertFiles, queryText, tiedFiles } from '../../support/file-rows.ts'
import { assertError } from '../../support/files.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { allow, insertPool, insertTag, putTags } from '../../support/object-rows.ts'
import { fc } from '../../support/property.ts'

type User = { id: number; token: string }

let library: Library
let root: User
let ann: User
let bob: User

async function setUp() {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob', { can_create: true })
}

const id = (n: number) => idAt(Date.UTC(2026, 0, 1), n)

async function counts(user: User, query: Record<string, string> = {}) {
  const answer = await library.call('GET', `/tags/counts?${queryText(query)}`, user)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.counts as Record<string, number>
}

describe('the counts of tags', () => {
  beforeEach(setUp)
  afterEach(() => library.close())

  const [OPEN, OWN, SECRET, EMPTY] = [id(1), id(2), id(3), id(4)]
  const FILES = [id(11), id(12), id(13), id(14)] as const

  beforeEach(() => {
    const { db } = library.deps
    insertFiles(db, [
      fileSeed(FILES[0], { owner: ann.id, name: 'beach.jpg' }),
      fileSeed(FILES[1], { owner: ann.id, isPublic: true, type: 'video/mp4' }),
      fileSeed(FILES[2], { owner: ann.id, viewers: [bob.id], name: 'Beach.png' }),
      fileSeed(FILES[3], { owner: ann.id, trashed: true, isPublic: true }),
    ])
    write(db, { now: 0 }, () => {
      insertTag(db, { id: OPEN, name: 'open', owner: ann.id, isPublic: true })
      insertTag(db, { id: OWN, name: 'own', owner: bob.id })
      insertTag(db, { id: SECRET, name: 'secret', owner: ann.id })
      insertTag(db, { id: EMPTY, name: 'empty', owner: ann.id, isPublic: true })
      for (const file of FILES) putTags(db, file, [OPEN, SECRET])
      putTags(db, FILES[0], [OWN])
      putTags(db, FILES[1], [OWN])
    })
  })

  it('are of the files and tags that the viewer sees', async () => {
    assert.deepEqual(await counts(root), { [OPEN]: 3, [OWN]: 2, [SECRET]: 3 })
    assert.deepEqual(await counts(ann), { [OPEN]: 3, [SECRET]: 3 })
    assert.deepEqual(await counts(bob), { [OPEN]: 2, [OWN]: 1 })
    assert.deepEqual(await counts(await library.join('Eve')), { [OPEN]: 1 })
    assert.deepEqual(await counts(bob, { trash: 'true' }), { [OPEN]: 1 })
    assert.deepEqual(await counts(bob, { filter: '{m~video/%}' }), { [OPEN]: 1, [OWN]: 1 })
    assert.deepEqual(await counts(bob, { filter: `{t=${SECRET}}` }), {})
    assert.deepEqual(await counts(bob, { search: 'BEACH' }), { [OPEN]: 1 })
    const named = { search: 'beach', filter: '{m=image/jpeg}' }
    assert.deepEqual(await counts(ann, named), { [OPEN]: 2, [SECRET]: 2 })
    assert.deepEqual(await counts(ann, { search: 'a\0b' }), {})
  })

  it('are of a pool, and of a time', async () => {
    const pool = id(5)
    write(library.deps.db, { now: 0 }, () => {
      insertPool(library.deps.db, {
        id: pool,
        name: 'pool',
        owner: bob.id,
        files: [FILES[0], FILES[2]],
      })
    })
    assert.deepEqual(await counts(bob, { pool }), { [OPEN]: 1 })
    const stranger = await library.call('GET', `/tags/counts?pool=${pool}`, ann)
    assertError(stranger, 403, 'forbidden')
    const later = { from: '2020-05-07T00:00:00Z', sort: 'content_datetime' }
    assert.deepEqual(await counts(bob, later), {})
    assert.deepEqual(await counts(bob, { ...later, sort: 'created' }), { [OPEN]: 2, [OWN]: 1 })
  })

  it('are refused without a token, and for a filter that is none', async () => {
    assertError(await library.call('GET', '/tags/counts?filter={'), 401, 'unauthorized')
    const bad = await library.call('GET', '/tags/counts?filter={&trash=1', bob)
    assertError(bad, 400, 'validation_error', ['trash'])
    const filter = await library.call('GET', '/tags/counts?filter={', bob)
    assertError(filter, 400, 'validation_error', ['filter'])
  })

  it('are of the moment', async () => {
    const get = async () => (await library.call('GET', '/tags/counts', bob)).body
    const first = await get()
    assert.equal(first.as_of, new Date(library.time.now).toISOString())
    await library.call('DELETE', `/files/${FILES[1]}`, ann)
    library.time.now += 1
    const as_of = new Date(library.time.now).toISOString()
    assert.deepEqual(await get(), { as_of, counts: { [OPEN]: 1 } })
    await library.call('PATCH', `/tags/${OPEN}`, { token: ann.token, body: { is_public: false } })
    assert.deepEqual(await counts(bob), {})
  })
})

describe('for every viewer and filter, the count of a tag', () => {
  const TAGS = Array.from({ length: 8 }, (_, n) => id(0x21 + n))
  before(async () => {
    await setUp()
    const { db } = library.deps
    const files = tiedFiles([ann.id, bob.id])
    insertFiles(db, files)
    write(db, { now: 0 }, () => {
      for (const [n, tag] of TAGS.entries()) {
        const owner = [ann.id, bob.id, root.id][n % 3]!
        insertTag(db, { id: tag, name: `tag ${n}`, owner, isPublic: n % 4 === 0 })
      }
      allow(db, bob.id, 'tag', TAGS[3]!)
      for (const [n, file] of files.entries()) {
        putTags(
          db,
          file.id,
          TAGS.filter((_, t) => (n * 7 + t * 13) % (t + 2) === 0),
        )
      }
    })
  })
  after(() => library.close())

  const tag = fc.constantFrom(...TAGS).map((one) => `t=${one}`)
  const leaf = fc.oneof(tag, fc.constantFrom('r=1', 'm~image/%', 'm=video/mp4'))
  const filters = fc.oneof(
    fc.constant(''),
    leaf,
    fc.tuple(leaf, fc.constantFrom('&', '|'), leaf).map((parts) => parts.join()),
    leaf.map((one) => `!,${one}`),
  )
  const asked = fc.record({
    filter: filters,
    search: fc.constantFrom('', '', 'a', 'jpg', 'Ä'),
    trash: fc.constantFrom('false', 'true'),
  })
  const user = () => fc.constantFrom(root, ann, bob)
  const file = fc.nat(119).map((n) => tiedFiles([2, 3])[n]!.id)
  /** What an admin does to one file. */
  const changes = fc.oneof(
    fc.record({ kind: fc.constant('tag' as const), file, tag: fc.constantFrom(...TAGS) }),
    fc.record({ kind: fc.constant('untag' as const), file, tag: fc.constantFrom(...TAGS) }),
    fc.record({ kind: fc.constant('trash' as const), file }),
    fc.record({ kind: fc.constant('restore' as const), file }),
    fc.record({ kind: fc.constant('public' as const), file, is_public: fc.boolean() }),
    fc.record({ kind: fc.constant('share' as const), file }),
  )

  async function apply(change: typeof changes extends fc.Arbitrary<infer T> ? T : never) {
    const { token } = root
    const send = (method: string, path: string, body?: unknown) =>
      library.call(method, path, { token, body })
    const path = `/files/${change.file}`
    switch (change.kind) {
      case 'tag':
        return send('PUT', `${path}/tags/${change.tag}`)
      case 'untag':
        return send('DELETE', `${path}/tags/${change.tag}`)
      case 'trash':
        return send('DELETE', path)
      case 'restore':
        return send('POST', `${path}/restore`)
      case 'public':
        return send('PATCH', path, { is_public: change.is_public })
      case 'share':
        return send('PUT', `/acl/file/${change.file}`, { permissions: [{ user_id: bob.id }] })
    }
  }

  /** How many files GET /files lists with a tag. */
  async function listed(viewer: User, query: Record<string, string>, tag: string) {
    const filter = query.filter ? `{(,${query.filter},),&,t=${tag}}` : `{t=${tag}}`
    const path = `/files?${queryText({ ...query, filter, limit: 200 })}`
    const { status, body } = await library.call('GET', path, viewer)
    assert.equal(status, 200)
    assert.equal(body.next_cursor, null)
    return body.items.length as number
  }

  it('is the number of files that GET /files lists', async () => {
    const property = fc.asyncProperty(
      user(),
      asked,
      fc.array(changes, { maxLength: 4 }),
      async (viewer, query, made) => {
        for (const change of made) assert.ok((await apply(change)).status < 300)
        const expected: Record<string, number> = {}
        for (const tag of TAGS) {
          const count = await listed(viewer, query, tag)
          if (count > 0) expected[tag] = count
        }
        const filter = query.filter && `{${query.filter}}`
        assert.deepEqual(await counts(viewer, { ...query, filter }), expected)
      },
    )
    await fc.assert(property, { numRuns: 25 })
  })
})
