import assert from 'node:assert/strict'
import { write } from '../../../src/db/write.ts'
import { fileSeed, idAt, idsOf, insertFiles, randomNumbers } from '../../support/file-rows.ts'
import { assertError } from '../../support/files.ts'
import { type Answer, type Library, openLibrary } from '../../support/harness.ts'
import { allow, insertPool, ridOf } from '../../support/object-rows.ts'
import { lacksCounters, pagesRead } from '../../support/pages-read.ts'
import { after, before, describe, it } from '../../support/test.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const POOL = idAt(1.6e12, 1)
const CLOSED_POOL = idAt(1.6e12, 2)
const FILES = 70
const NO_POOL = { through_pools: 0, pools: [] }

interface Somebody {
  id: number
  token: string
}

const reach = (library: Library, caller: Somebody, body: object): Promise<Answer> =>
  library.call('POST', '/files/reach', { token: caller.token, body })

describe('whom files reach', () => {
  let library: Library
  const people: Record<string, Somebody> = {}
  let blocked: Somebody
  /** The files, with their creators by name. */
  let creators: Map<string, string>
  let pooled: string[]

  before(async () => {
    library = await openLibrary()
    const { db } = library.deps
    for (const name of ['root', 'boss', 'ann', 'bob', 'eve', 'dan']) {
      const rights = { is_admin: name === 'root' || name === 'boss', can_create: name === 'ann' }
      people[name] = await library.join(name, rights)
    }
    blocked = await library.join('blocked')
    const random = randomNumbers(11)
    const owners = Array.from({ length: FILES }, () => ['ann', 'ann', 'bob', 'root'][random(4)]!)
    const files = owners.map((owner, n) =>
      fileSeed(idAt(1.7e12 + n, n), {
        owner: people[owner]!.id,
        isPublic: random(5) === 0,
        trashed: random(5) === 0,
      }),
    )
    insertFiles(db, files)
    creators = new Map(files.map(({ id }, n) => [id, owners[n]!]))
    pooled = idsOf(files).filter(() => random(3) > 0)
    write(db, { now: 0 }, () => {
      const users = [...Object.values(people), blocked]
      for (const { id } of users) {
        for (const file of creators.keys()) {
          const right = (['none', 'view', 'edit'] as const)[random(6)]
          if (right) allow(db, id, 'file', file, right)
        }
      }
      const owner = people.ann!.id
      insertPool(db, { id: POOL, name: 'pool', owner, isPublic: true, files: pooled })
      insertPool(db, { id: CLOSED_POOL, name: 'closed', owner, files: pooled })
    })
    await blockNow(true)
  })
  after(() => library.close())

  const call = (as: string, method: string, path: string, body?: object) =>
    library.call(method, path, { token: people[as]!.token, ...(body && { body }) })
  const blockNow = (is_blocked: boolean) =>
    call('root', 'PATCH', `/users/${blocked.id}`, { is_blocked })

  /** The files that each of the people may view, or edit, by what their own sessions are answered. */
  async function allowed(method: 'GET' | 'PATCH'): Promise<Record<string, Set<string>>> {
    const found: Record<string, Set<string>> = {}
    for (const name of Object.keys(people)) {
      found[name] = new Set()
      for (const file of creators.keys()) {
        const { status } = await call(
          name,
          method,
          `/files/${file}`,
          method === 'PATCH' ? {} : undefined,
        )
        assert.ok([200, 403, 404].includes(status), `${method}: ${status}`)
        if (status === 200) found[name].add(file)
      }
    }
    return found
  }

  /** Compares every caller's answers with what the sessions of all people show. */
  async function compare(): Promise<void> {
    const [view, edit] = [await allowed('GET'), await allowed('PATCH')]
    const names = Object.keys(people).reverse()
    const user_ids = names.map((name) => people[name]!.id)
    const count = (files: string[], among: Set<string>) =>
      files.filter((file) => among.has(file)).length
    for (const [caller, somebody] of Object.entries(people)) {
      const listed = await call(caller, 'GET', `/files/ids?pool=${POOL}`)
      const lists: [asked: object, named: string[]][] = [
        [{ file_ids: [...creators.keys(), UNKNOWN] }, [...creators.keys()]],
        [{ file_ids: pooled.slice(9) }, pooled.slice(9)],
        [{ pool_id: POOL.toUpperCase() }, listed.body.ids],
      ]
      for (const [asked, named] of lists) {
        const seen = named.filter((file) => view[caller]!.has(file))
        const isAdmin = caller === 'root' || caller === 'boss'
        const known = seen.filter((file) => isAdmin || creators.get(file) === caller)
        const expected = {
          files: seen.length,
          not_yours: seen.length - known.length,
          users: names.map((name) => ({
            user_id: people[name]!.id,
            seen: count(known, view[name]!),
            can_edit: count(known, edit[name]!),
            ...NO_POOL,
          })),
        }
        const { status, body } = await reach(library, somebody, { ...asked, user_ids })
        assert.deepEqual([status, body], [200, expected], `${caller}: ${Object.keys(asked)}`)
      }
    }
  }

  it('are as many as their own sessions show', compare)

  it('follows every change', async () => {
    const files = [...creators.keys()]
    const anns = files.filter((file) => creators.get(file) === 'ann')
    const inTrash = async (file: string) => {
      const { is_deleted } = library.deps.db.get<{ is_deleted: number }>(
        'SELECT is_deleted FROM files WHERE rid = ?',
        ridOf(library.deps.db, 'file', file),
      )!
      return is_deleted === 1
    }
    for (const [n, file] of anns.entries()) {
      const [bob, eve] = [people.bob!.id, people.eve!.id]
      const answer = await [
        () => call('ann', 'PATCH', `/files/${file}`, { is_public: n % 2 === 0 }),
        () =>
          call('ann', 'PUT', `/acl/file/${file}`, {
            permissions: [
              { user_id: bob, can_edit: true },
              { user_id: eve, can_view: true },
            ],
          }),
        () => call('ann', 'PUT', `/acl/file/${file}`, { permissions: [] }),
        () => call('ann', 'DELETE', `/files/${file}`),
        () => call('ann', 'POST', `/files/${file}/restore`),
      ][n % 5]!()
      assert.ok(answer.status < 300, answer.text)
    }
    const gone = anns.find((_, n) => n % 5 === 3)!
    assert.ok(await inTrash(gone))
    assert.equal((await call('ann', 'DELETE', `/files/${gone}/permanent`)).status, 204)
    creators.delete(gone)
    pooled = pooled.filter((file) => file !== gone)
    await compare()
  })

  it('names each user once, in the order asked, and counts a repeated file once', async () => {
    const [ann, bob] = [people.ann!, people.bob!]
    const file = [...creators].find(([, creator]) => creator === 'ann')![0]
    const file_ids = [file, file.toUpperCase(), file]
    const user_ids = [...Array(30).fill(ann.id), bob.id, ann.id]
    const { body } = await reach(library, ann, { file_ids, user_ids })
    assert.equal(body.files, 1)
    assert.deepEqual(body.users[0], {
      user_id: ann.id,
      seen: 1,
      can_edit: 1,
      ...NO_POOL,
    })
    assert.deepEqual(
      body.users.map((user: { user_id: number }) => user.user_id),
      [ann.id, bob.id],
    )
    const users = [{ user_id: bob.id, seen: 0, can_edit: 0, ...NO_POOL }]
    const none = { files: 0, not_yours: 0, users }
    const unknown = { file_ids: [UNKNOWN], user_ids: [bob.id] }
    assert.deepEqual((await reach(library, ann, unknown)).body, none)
    const empty = { file_ids: [], user_ids: [] }
    assert.deepEqual((await reach(library, ann, empty)).body, { ...none, users: [] })
  })

  it('is told of nobody who is unknown or blocked, to admins neither, until they may sign in', async () => {
    const file_ids = [...creators.keys()]
    for (const caller of [people.root!, people.ann!]) {
      const refused = async (id: number) => {
        const answer = await reach(library, caller, { file_ids, user_ids: [people.bob!.id, id] })
        assertError(answer, 404, 'not_found')
        return answer.text.replaceAll(String(id), 'ID')
      }
      assert.equal(await refused(blocked.id), await refused(999_999))
    }
    assert.equal((await blockNow(false)).status, 200)
    const body = { file_ids, user_ids: [blocked.id] }
    assert.equal((await reach(library, people.ann!, body)).status, 200)
    assert.equal((await blockNow(true)).status, 200)
    assertError(await reach(library, people.ann!, body), 404, 'not_found')
    assertError(await reach(library, blocked, { ...body, user_ids: [] }), 401, 'unauthorized')
  })

  it('needs the right to view the pool, and either files or a pool', async () => {
    const { ann, bob } = people as { ann: Somebody; bob: Somebody }
    const user_ids = [bob.id]
    assertError(await reach(library, bob, { pool_id: CLOSED_POOL, user_ids }), 403, 'forbidden')
    assertError(await reach(library, bob, { pool_id: UNKNOWN, user_ids }), 404, 'not_found')
    assert.equal((await reach(library, ann, { pool_id: CLOSED_POOL, user_ids })).status, 200)
    const refused = async (body: object, fields: string[]) =>
      assertError(await reach(library, ann, body), 400, 'validation_error', fields)
    const file_ids = [...creators.keys()]
    await refused({ user_ids }, ['file_ids'])
    await refused({ file_ids, pool_id: POOL, user_ids }, ['file_ids'])
    await refused({ file_ids: ['x'] }, ['file_ids.0', 'user_ids'])
    await refused({ pool_id: POOL, user_ids: Array.from({ length: 21 }, (_, n) => n + 1) }, [
      'user_ids',
    ])
    await refused({ pool_id: POOL, user_ids: [bob.id, 0, '1', 1.5] }, [
      'user_ids.1',
      'user_ids.2',
      'user_ids.3',
    ])
    const many = Array.from({ length: 10_001 }, (_, n) => idAt(1.5e12, n))
    await refused({ file_ids: many, user_ids }, ['file_ids'])
    assert.equal((await reach(library, ann, { file_ids: many.slice(1), user_ids })).status, 200)
  })
})

it('no byte tells of the rights to files of others', async () => {
  const [bare, full] = [await answers(false), await answers(true)]
  assert.deepEqual(JSON.parse(bare[0]!), {
    files: 40,
    not_yours: 30,
    users: [
      { user_id: 1, seen: 0, can_edit: 0, ...NO_POOL },
      { user_id: 2, seen: 10, can_edit: 10, ...NO_POOL },
      { user_id: 3, seen: 5, can_edit: 0, ...NO_POOL },
    ],
  })
  assert.deepEqual(full, bare)
})

it('takes no time that tells what users see, where nothing may be told', {
  skip: lacksCounters,
}, async () => {
  const library = await openLibrary()
  try {
    const { db } = library.deps
    const olga = await library.join('olga')
    const vera = await library.join('vera')
    const bob = await library.join('bob')
    const [file, ...others] = Array.from({ length: 3000 }, (_, n) =>
      fileSeed(idAt(1.7e12, n + 1), { owner: olga.id, isPublic: n === 0 }),
    )
    insertFiles(db, [file!, ...others])
    const asked = { file_ids: [file!.id], user_ids: [bob.id] }
    const read = async ({ token }: { token: string }) => {
      const answer = await pagesRead(db, () => reach(library, { id: 0, token }, asked))
      assert.equal(answer.result.status, 200)
      return answer
    }
    // Some is read with the first question alone.
    await read(vera)
    const before = await read(vera)
    write(db, { now: 0 }, () => {
      for (const { id } of others) allow(db, bob.id, 'file', id, 'view')
    })
    const [later, more] = [await read(vera), await read(olga)]
    assert.equal(later.result.body.not_yours, 1)
    assert.equal(more.result.body.users[0].seen, 1)
    const said = [before, later, more].map(({ pages }) => Math.floor(pages)).join(', ')
    assert.ok(Math.abs(later.pages - before.pages) < 5, said)
    // Olga is told, for which more is read.
    assert.ok(more.pages > later.pages, said)
  } finally {
    await library.close()
  }
})

/** What Vera is told of files that she sees, of which others have more rights to those of Olga, or not. */
async function answers(hasRights: boolean): Promise<string[]> {
  const library = await openLibrary()
  try {
    const { db } = library.deps
    const olga = await library.join('olga')
    const vera = await library.join('vera')
    const bob = await library.join('bob')
    const files = Array.from({ length: 60 }, (_, n) =>
      fileSeed(idAt(1.7e12 + n, n), {
        owner: n < 10 ? vera.id : olga.id,
        isPublic: n >= 10 && n < 20,
        viewers: n < 5 ? [bob.id] : n >= 20 && n < 40 ? [vera.id] : [],
        trashed: n % 10 === 4,
      }),
    )
    insertFiles(db, files)
    write(db, { now: 0 }, () => {
      const owner = vera.id
      insertPool(db, { id: POOL, name: 'pool', owner, isPublic: true, files: idsOf(files) })
      if (!hasRights) return
      for (const { id } of files.slice(10)) allow(db, bob.id, 'file', id, 'edit')
      for (const { id } of files.slice(20, 40)) {
        const rid = ridOf(db, 'file', id)
        db.run('UPDATE acl SET can_edit = 1 WHERE user_id = ? AND object_rid = ?', vera.id, rid)
      }
    })
    const user_ids = [olga.id, vera.id, bob.id]
    const texts: string[] = []
    for (const asked of [
      { file_ids: idsOf(files), user_ids },
      { pool_id: POOL, user_ids },
      ...files.map(({ id }) => ({ file_ids: [id], user_ids })),
    ]) {
      const { status, text } = await reach(library, vera, asked)
      assert.equal(status, 200)
      texts.push(text)
    }
    return texts
  } finally {
    await library.close()
  }
}
