import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { addTag, assertError } from '../support/files.ts'
import { type Answer, type Library, openLibrary } from '../support/harness.ts'
import { countRows, makeFiles, operationOf } from '../support/long-changes/portions.ts'

const FILES = 700

let library: Library
let root: { id: number; token: string }
let ann: { id: number; token: string }
let bob: { id: number; token: string }
let beach: string
let sea: string
let sun: string
let files: string[]
/** Called after each portion, and waited for. */
let onPortion: () => void | Promise<void> = () => {}

before(async () => {
  library = await openLibrary({}, {}, { rows: 50, onPortion: () => onPortion() })
  root = await library.join('Root', { is_admin: true })
})
after(() => library.close())
beforeEach(async () => {
  onPortion = () => {}
  const { db } = library.deps
  for (const table of ['files', 'tags', 'audit_log', 'long_changes']) db.run(`DELETE FROM ${table}`)
  db.run('DELETE FROM users WHERE id <> ?', root.id)
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob', { can_create: true })
  beach = (await addTag(library, ann.token, 'beach')).id
  sea = (await addTag(library, ann.token, 'sea')).id
  sun = (await addTag(library, ann.token, 'sun')).id
  files = makeFiles(library, FILES, { owner: ann.id, tags: [beach] })
})

const ask = (method: string, path: string, body?: unknown, { token } = ann) =>
  library.call(method, path, { token, body })
const makeRule = (then_tag_id = sea) => ask('POST', `/tags/${beach}/rules`, { then_tag_id })
/** Returns how many files match a filter. */
async function filtered(filter: string, user = ann): Promise<number> {
  const path = `/files?limit=200&filter=${encodeURIComponent(filter)}`
  let found = 0
  for (let cursor = ''; ; ) {
    const { items, next_cursor } = (await ask('GET', path + cursor, undefined, user)).body
    found += items.length
    if (next_cursor === null) return found
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`
  }
}
const entries = () => library.audit().map(({ action }) => action)

/** Resolves with what `act` returns; the change waits for it after its first portion. */
function meanwhile<T>(change: Promise<unknown>, act: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    onPortion = () => {
      onPortion = () => {}
      return act().then(resolve, reject)
    }
    change.catch(reject)
  })
}

/** Sends a request that will wait for the change, and resolves when it has had time to arrive. */
async function waiting(request: Promise<Answer>): Promise<[Promise<Answer>]> {
  await ask('GET', '/users/me')
  await ask('GET', '/users/me')
  return [request]
}

describe('while a tag is taken off its files', () => {
  it('it is gone already, its name is free, and files without another tag are untagged', async () => {
    await ask('POST', `/tags/${sea}/rules`, { then_tag_id: beach })
    const deletion = ask('DELETE', `/tags/${beach}`)
    await meanwhile(deletion, async () => {
      assert.ok(countRows(library.deps.db, 'file_tags') > 0)
      assertError(await ask('GET', `/tags/${beach}`), 404, 'not_found')
      assertError(await ask('PUT', `/files/${files[0]}/tags/${beach}`), 404, 'not_found')
      const listed = (await ask('GET', '/tags?sort=name&order=asc')).body.items
      assert.deepEqual(
        listed.map((tag: { name: string }) => tag.name),
        ['sea', 'sun'],
      )
      assert.deepEqual((await ask('GET', `/tags/${sea}/rules`)).body, [])
      assert.deepEqual((await ask('GET', `/files/${files.at(-1)}`)).body.tags, [])
      assert.equal(await filtered(`{t=${beach}}`), 0)
      for (const user of [ann, root])
        assert.equal(await filtered('{t=00000000-0000-0000-0000-000000000000}', user), FILES)
      assert.equal((await ask('POST', '/tags', { name: 'beach' })).status, 201)
    })
    const answer = await deletion
    assert.equal(answer.status, 204)
    assert.equal(countRows(library.deps.db, 'file_tags'), 0)
    const [last] = library.deps.db.all<{ id: number; action: string }>(
      'SELECT id, action FROM audit_log ORDER BY id DESC LIMIT 1',
    )
    assert.deepEqual([last!.action, last!.id], ['tag_delete', operationOf(answer)])
  })

  it('who asks for that again waits for it, and to everybody else it is gone', async () => {
    const deletion = ask('DELETE', `/tags/${beach}`)
    let isOver = false
    const again = await meanwhile(deletion, async () => {
      assertError(await ask('DELETE', `/tags/${beach}`, undefined, bob), 404, 'not_found')
      const second = ask('DELETE', `/tags/${beach}`)
      second.then(() => {
        isOver = countRows(library.deps.db, 'long_changes') === 0
      })
      return waiting(second)
    })
    assert.equal((await again[0]).status, 204)
    assert.equal(isOver, true)
    assert.equal((await deletion).status, 204)
    assert.equal(entries().filter((action) => action === 'tag_delete').length, 1)
  })

  it('an error is told, and who asks again has it go on', async () => {
    const { db } = library.deps
    const whenFull =
      "WHEN (SELECT count(*) FROM file_tags) < 50 BEGIN SELECT RAISE(ABORT, 'no'); END"
    db.run(`CREATE TEMP TRIGGER full BEFORE DELETE ON main.file_tags ${whenFull}`)
    assertError(await ask('DELETE', `/tags/${beach}`), 500, 'internal_error')
    assert.ok(countRows(db, 'file_tags') > 0)
    db.run('DROP TRIGGER full')
    assert.equal((await ask('DELETE', `/tags/${beach}`)).status, 204)
    assert.equal(countRows(db, 'file_tags'), 0)
  })
})

describe('while a rule is applied', () => {
  it('it stands, and other requests have their turn', async () => {
    const rule = makeRule()
    await meanwhile(rule, async () => {
      assert.ok((await filtered(`{t=${sea}}`)) < FILES)
      assert.equal((await ask('GET', `/tags/${beach}/rules`)).body.length, 1)
      const last = files.at(-1)
      await ask('DELETE', `/files/${last}/tags/${beach}`)
      await ask('PUT', `/files/${last}/tags/${beach}`)
      const { tags } = (await ask('GET', `/files/${last}`)).body
      assert.deepEqual(
        tags.map((tag: { id: string }) => tag.id),
        [beach, sea],
      )
      assert.ok((await filtered(`{t=${sea}}`)) < FILES)
    })
    const answer = await rule
    assert.equal(answer.status, 201)
    assert.equal(await filtered(`{t=${sea}}`), FILES)
    const [created] = library.audit().filter(({ action }) => action === 'tag_rule_create')
    assert.equal(created!.details.files_changed, FILES - 1)
    assert.equal(entries().at(-1), 'tag_rule_create')
    const { first } = library.deps.db.get<{ first: number }>(
      'SELECT min(id) AS first FROM audit_log WHERE operation = ?',
      operationOf(answer),
    )!
    assert.equal(first, operationOf(answer))
  })

  it('who asks for it again waits, and nothing is done twice', async () => {
    const rule = makeRule()
    const path = `/tags/${beach}/rules/${sea}`
    const [again] = await meanwhile(rule, () =>
      waiting(ask('PATCH', path, { is_active: true, apply_to_existing: true })),
    )
    assert.equal((await again).status, 200)
    assert.equal((await again).headers.get('Operation'), null)
    assert.equal((await rule).status, 201)
    assert.equal(entries().filter((action) => action === 'tag_rule_create').length, 1)
    assert.equal(entries().includes('tag_rule_edit'), false)
  })

  for (const [what, act, action] of [
    ['deleting the rule', () => ask('DELETE', `/tags/${beach}/rules/${sea}`), 'tag_rule_delete'],
    [
      'switching it off',
      () => ask('PATCH', `/tags/${beach}/rules/${sea}`, { is_active: false }),
      'tag_rule_edit',
    ],
    ['deleting the tag that follows', () => ask('DELETE', `/tags/${sea}`), 'tag_delete'],
    ['deleting the tag it follows from', () => ask('DELETE', `/tags/${beach}`), 'tag_delete'],
  ] as const) {
    it(`${what} ends it, and the log tells how far it came`, async () => {
      const rule = makeRule()
      const [ending] = await meanwhile(rule, () => waiting(act()))
      assertError(await rule, 409, 'conflict')
      assert.ok([200, 204].includes((await ending).status))
      const log = library.audit()
      const added = log.filter((entry) => entry.action === 'file_tag_add').length
      assert.ok(added > 0 && added < FILES)
      const [created, ended] = log.slice(-2)
      assert.deepEqual([created!.action, ended!.action], ['tag_rule_create', action])
      assert.equal(created!.details.files_changed, added)
      const operations = library.deps.db.all<{ operation: number }>(
        'SELECT operation FROM audit_log ORDER BY id DESC LIMIT 2',
      )
      assert.notEqual(operations[0]!.operation, operations[1]!.operation)
      assert.equal(countRows(library.deps.db, 'long_changes'), 0)
    })
  }

  it('a tag that follows from the one that follows may be deleted', async () => {
    await ask('POST', `/tags/${sea}/rules`, { then_tag_id: sun })
    const rule = makeRule()
    const [deletion] = await meanwhile(rule, () => waiting(ask('DELETE', `/tags/${sun}`)))
    assert.equal((await rule).status, 201)
    assert.equal((await deletion).status, 204)
    assert.equal(await filtered(`{t=${sea}}`), FILES)
    assert.equal(countRows(library.deps.db, 'file_tags'), 2 * FILES)
  })

  it('files that would carry more than 1,000 tags are left out and counted', async () => {
    const { db } = library.deps
    db.run(
      `INSERT INTO tags (id, name, name_key, creator_id, is_public)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
       SELECT unhex('018bcfe5680070008000' || printf('%012x', i)), 'tag ' || i, 'tag ' || i, ?, 0 FROM n`,
      ann.id,
    )
    const full =
      "SELECT f.rid, t.rid FROM (SELECT rid FROM files ORDER BY rid LIMIT 2) f, tags t WHERE t.name LIKE 'tag %'"
    db.run(`INSERT INTO file_tags (file_rid, tag_rid) ${full}`)
    db.run(
      'DELETE FROM file_tags WHERE file_rid = (SELECT max(rid) FROM (SELECT rid FROM files ORDER BY rid LIMIT 2)) AND tag_rid = (SELECT max(rid) FROM tags)',
    )
    assert.equal((await makeRule()).status, 201)
    const details = library.audit().at(-1)!.details
    assert.deepEqual([details.files_changed, details.files_skipped], [FILES - 1, 1])
    assert.equal(await filtered(`{t=${sea}}`), FILES - 1)
  })
})

describe('while what a user created passes on', () => {
  it('the user is gone already, signed out, and the name is free', async () => {
    await ask('PUT', `/acl/tag/${sea}`, { permissions: [] })
    makeFiles(library, FILES, { owner: bob.id })
    const deletion = ask('DELETE', `/users/${bob.id}`, undefined, root)
    const [again] = await meanwhile(deletion, async () => {
      assertError(await ask('GET', '/users/me', undefined, bob), 401, 'unauthorized')
      assertError(await ask('GET', `/users/${bob.id}`, undefined, root), 404, 'not_found')
      assertError(
        await ask('PATCH', `/users/${bob.id}`, { is_blocked: false }, root),
        404,
        'not_found',
      )
      const users = (await ask('GET', '/users', undefined, root)).body
      assert.deepEqual([users.total, users.items.length], [2, 2])
      assertError(await library.login('Bob'), 401, 'unauthorized')
      assert.equal(
        (await ask('POST', '/users', { name: 'Bob', password: 'another' }, root)).status,
        201,
      )
      assert.equal((await library.login('Bob', 'another')).status, 200)
      return waiting(ask('DELETE', `/users/${bob.id}`, undefined, root))
    })
    assert.equal((await deletion).status, 204)
    assert.equal((await again).status, 204)
    const { owned } = library.deps.db.get<{ owned: number }>(
      'SELECT count(*) AS owned FROM files WHERE creator_id = ?',
      root.id,
    )!
    assert.equal(owned, FILES)
    const deleted = library.audit().filter(({ action }) => action === 'user_delete')
    assert.deepEqual(
      deleted.map(({ details }) => details.handed_over),
      [{ files: FILES, tags: 0, categories: 0, pools: 0 }],
    )
    assertError(await ask('DELETE', `/users/${bob.id}`, undefined, root), 404, 'not_found')
  })

  it('and who deleted them is deleted, too, it passes to the oldest admin', async () => {
    makeFiles(library, FILES, { owner: bob.id })
    const eve = await library.join('Eve', { is_admin: true })
    const deletion = ask('DELETE', `/users/${bob.id}`, undefined, eve)
    const [other] = await meanwhile(deletion, () =>
      waiting(ask('DELETE', `/users/${eve.id}`, undefined, root)),
    )
    assert.equal((await other).status, 204)
    assert.equal((await deletion).status, 204)
    const owners = library.deps.db.all<{ creator_id: number }>(
      'SELECT DISTINCT creator_id FROM files ORDER BY creator_id',
    )
    assert.deepEqual(
      owners.map((row) => row.creator_id),
      [root.id, ann.id],
    )
  })
})

describe('an undo of more than 10,000 rows', () => {
  it('goes on while other requests do, and is refused while the operation is under way', async () => {
    await ask('POST', `/tags/${sea}/rules`, { then_tag_id: sun })
    makeFiles(library, 5000, { owner: ann.id, tags: [beach] })
    const rule = await meanwhileRefused()
    assert.equal(countRows(library.deps.db, 'file_tags'), 3 * (5000 + FILES))
    const undo = ask('POST', `/operations/${operationOf(rule)}/undo`)
    await meanwhile(undo, async () => {
      assert.ok((await filtered(`{t=${sea}}`)) > 0)
    })
    const { status, body } = await undo
    assert.equal(status, 200)
    assert.deepEqual(body, { ...body, undone: 5000 + FILES + 1, kept: [], kept_total: 0 })
    assert.equal(countRows(library.deps.db, 'file_tags'), 5000 + FILES)
    assert.equal(entries().at(-1), 'operation_undo')
    assertError(await ask('POST', `/operations/${operationOf(rule)}/undo`), 409, 'conflict')
  })

  async function meanwhileRefused() {
    const rule = makeRule()
    await meanwhile(rule, async () => {
      const { operation } = library.deps.db.get<{ operation: number }>(
        'SELECT operation FROM long_changes',
      )!
      assertError(await ask('POST', `/operations/${operation}/undo`), 409, 'conflict')
    })
    return rule
  }
})

describe('a change that was under way when the server stopped', () => {
  it('goes on when it starts again, and who waited for it is told', async () => {
    const rule = makeRule()
    await meanwhile(rule, async () => {
      void library.deps.longChanges.stop()
    })
    const answer = await rule
    assertError(answer, 503, 'busy')
    assert.equal(answer.headers.get('Retry-After'), '30')
    await library.restart()
    assert.equal(countRows(library.deps.db, 'long_changes'), 1)
    library.deps.longChanges.resume()
    const again = await ask('PATCH', `/tags/${beach}/rules/${sea}`, {
      is_active: true,
      apply_to_existing: true,
    })
    assert.equal(again.status, 200)
    assert.equal(await filtered(`{t=${sea}}`), FILES)
    assert.equal(entries().at(-1), 'tag_rule_create')
  })
})
