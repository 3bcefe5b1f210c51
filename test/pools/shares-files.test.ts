import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it } from 'node:test'
import { accessCondition } from '../../src/acl/access.ts'
import { openDatabase } from '../../src/db/client.ts'
import { assertError } from '../support/files.ts'
import { migrationsBefore } from '../support/older-migrations.ts'
import {
  ANNS,
  BEFORE,
  call,
  files,
  library,
  list,
  named,
  people,
  pool,
  put,
  rows,
  seen,
  share,
  take,
  undo,
  useSharedPool,
} from '../support/shared-pool.ts'

useSharedPool()

describe('a pool that shares its files', () => {
  it('lets its people view those of who switches it on, and nothing is left when it is off', async () => {
    assert.deepEqual(await seen(), BEFORE)
    const on = await share('ann', true)
    assert.equal(on.body.shares_files, true)
    assert.deepEqual(await seen(), ANNS)
    const listed = (await call('ann', 'GET', `/acl/file/${files.a}`)).body
    assert.deepEqual(
      listed.map((entry: { user_name: string }) => entry.user_name),
      ['bob'],
    )
    assert.equal((await call('vic', 'GET', `/pools/${pool}`)).body.file_count, 1)
    await share('ann', false)
    assert.deepEqual([await seen(), rows()], [BEFORE, 0])
  })

  it('lets its people view all files when an admin switches it on', async () => {
    await share('boss', true)
    assert.deepEqual(await seen(), { ...BEFORE, ed: 'a e r', vic: 'a e r', bob: 'a e r' })
    await share('ann', false)
    assert.deepEqual([await seen(), rows()], [BEFORE, 0])
  })

  it('lets nobody edit a file, whoever may edit the pool', async () => {
    await share('boss', true)
    for (const name of ['ed', 'vic'] as const) {
      const answer = await library.call('PATCH', `/files/${files.a}`, {
        token: people[name].token,
        body: { notes: 'n' },
      })
      assertError(answer, 403, 'forbidden')
    }
  })

  it('is switched by its creator and admins alone, and everybody sends it back unchanged', async () => {
    for (const name of ['ed', 'vic', 'sam'] as const) {
      const body = { name: 'mine', shares_files: true }
      const { token } = people[name]
      assertError(await library.call('PATCH', `/pools/${pool}`, { token, body }), 403, 'forbidden')
    }
    const same = { name: 'theirs', shares_files: false }
    const { name, shares_files } = (await call('ed', 'PATCH', `/pools/${pool}`, same)).body
    assert.deepEqual({ name, shares_files }, same)
    assert.deepEqual(await seen(), BEFORE)
    const made = await call('ed', 'POST', '/pools', { name: 'own', shares_files: true })
    assert.equal(made.body.shares_files, true)
    assert.equal((await call('ed', 'POST', '/pools', { name: 'own' })).body.shares_files, false)
  })

  it('tells each caller whether they may edit it', async () => {
    const told: Record<string, boolean[]> = {}
    for (const name of ['root', 'ann', 'ed', 'vic'] as const) {
      const { items } = (await call(name, 'GET', '/pools')).body
      const one = (await call(name, 'GET', `/pools/${pool}`)).body
      told[name] = [items[0].may_edit, one.may_edit]
    }
    assert.deepEqual(told, {
      root: [true, true],
      ann: [true, true],
      ed: [true, true],
      vic: [false, false],
    })
  })

  it('gives nobody anything by being public', async () => {
    await call('ann', 'PATCH', `/pools/${pool}`, { is_public: true, shares_files: true })
    assert.deepEqual(await seen(), ANNS)
    const { items } = (await call('sam', 'GET', `/pools/${pool}/files`)).body
    assert.deepEqual(items, [])
  })

  it('gives who may not even view the pool nothing', async () => {
    const permissions = [{ user_id: people.vic.id, can_view: false }]
    await call('ann', 'PUT', `/acl/pool/${pool}`, { permissions })
    await share('ann', true)
    assert.deepEqual(await seen(), BEFORE)
  })
})

describe('files that enter and leave a pool that shares its files', () => {
  beforeEach(() => share('ann', true))

  it('are shared when their creator, or an admin, puts them in', async () => {
    await put('ann', ['b'])
    await call('ann', 'PUT', `/acl/file/${files.c}`, { permissions: [{ user_id: people.ed.id }] })
    await put('ed', ['c'])
    assert.deepEqual(await seen(), { ...ANNS, ed: 'a b c e', vic: 'a b', bob: 'a b' })
    await take('ann', ['c'])
    await put('boss', ['c', 'd'])
    assert.deepEqual(await seen(), { ...ANNS, ed: 'a b c d e', vic: 'a b c d', bob: 'a b c d' })
    await take('ann', ['b', 'd'])
    await take('ed', ['c'])
    await call('ann', 'PUT', `/acl/file/${files.c}`, { permissions: [] })
    assert.deepEqual(await seen(), ANNS)
    await take('ann', ['a'])
    assert.deepEqual([await seen(), rows()], [BEFORE, 0])
  })

  it('go and come back by an undo, for who undoes', async () => {
    const added = await put('ann', ['b'])
    await undo('ann', added)
    assert.deepEqual(await seen(), ANNS)
    const taken = await take('ann', ['a'])
    assert.deepEqual(await seen(), BEFORE)
    await undo('ann', taken)
    assert.deepEqual(await seen(), ANNS)
  })

  it('come back by an undo of an admin to nobody, but for those that are theirs', async () => {
    const taken = await take('ann', ['a'])
    await undo('root', taken)
    assert.deepEqual(await seen(), BEFORE)
    const removed = await take('root', ['a', 'e', 'r'])
    await undo('root', removed)
    assert.deepEqual(await seen(), { ...BEFORE, ed: 'e r', vic: 'r', bob: 'a r' })
    const deleted = await call('root', 'DELETE', `/pools/${pool}`)
    assert.deepEqual(await seen(), BEFORE)
    await undo('root', deleted)
    assert.deepEqual(await seen(), { ...BEFORE, ed: 'e r', vic: 'r', bob: 'a r' })
  })

  it('keep what people see of them in the trash, and lose it for good with the file', async () => {
    await call('ann', 'DELETE', `/files/${files.a}`)
    const trashed = await seen()
    assert.deepEqual([trashed.vic, trashed.bob, trashed.ed], ['', '', 'e'])
    await call('ann', 'POST', `/files/${files.a}/restore`)
    assert.deepEqual(await seen(), ANNS)
    await call('ann', 'DELETE', `/files/${files.a}`)
    await call('ann', 'DELETE', `/files/${files.a}/permanent`)
    assert.equal(rows(), 0)
  })

  it('are shared once by several pools and by hand, until the last of these ends', async () => {
    const other = (await call('ann', 'POST', '/pools', { name: 'two', shares_files: true })).body.id
    const permissions = [{ user_id: people.vic.id }]
    await call('ann', 'PUT', `/acl/pool/${other}`, { permissions })
    await call('ann', 'POST', `/pools/${other}/files`, { file_ids: named(['a', 'b']) })
    assert.deepEqual(await seen(), { ...ANNS, vic: 'a b' })
    await share('ann', false)
    assert.deepEqual(await seen(), { ...BEFORE, vic: 'a b' })
    const done = await call('ann', 'DELETE', `/pools/${other}`)
    assert.deepEqual([await seen(), rows()], [BEFORE, 0])
    await undo('ann', done)
    assert.deepEqual(await seen(), { ...BEFORE, vic: 'a b' })
    await call('ann', 'DELETE', `/pools/${other}`)
    assert.deepEqual([await seen(), rows()], [BEFORE, 0])
  })

  it('leave lists by hand alone, and these leave them alone', async () => {
    const vic = { user_id: people.vic.id }
    const body = { file_ids: [files.a], add: [vic], remove: [] as number[] }
    await call('ann', 'POST', '/files/bulk/share', body)
    assert.equal((await call('ann', 'GET', `/acl/file/${files.a}`)).body.length, 2)
    await call('ann', 'POST', '/files/bulk/share', { ...body, add: [], remove: [vic.user_id] })
    await call('ann', 'PUT', `/acl/file/${files.a}`, { permissions: [] })
    assert.deepEqual(await seen(), ANNS)
    await share('ann', false)
    assert.deepEqual(await seen(), { ...BEFORE, bob: '' })
  })
})

describe('people who come to a pool that shares its files, and leave it', () => {
  beforeEach(() => share('ann', true))

  it('see its shared files, and those of who lists them, as long as they are on the list', async () => {
    await put('ed', ['e'])
    await list('ann', ['ed', 'vic', 'bob', 'new'])
    assert.deepEqual(await seen(), { ...ANNS, new: 'a' })
    await list('ann', ['ed', 'new'])
    assert.deepEqual(await seen(), { ...BEFORE, ed: 'a e', new: 'a' })
    await list('ann', [])
    assert.deepEqual([await seen(), rows()], [BEFORE, 0])
    await list('root', ['new'])
    assert.deepEqual(await seen(), { ...BEFORE, new: 'a e r' })
    await call('ann', 'DELETE', `/pools/${pool}`)
    assert.deepEqual([await seen(), rows()], [BEFORE, 0])
  })

  it('see what others have shared there before', async () => {
    await take('ann', ['a'])
    await take('root', ['e', 'r'])
    await put('ed', ['e'])
    assert.deepEqual(await seen(), { ...BEFORE, vic: 'e', bob: 'a e' })
    await list('ann', ['ed', 'vic', 'bob', 'new'])
    assert.deepEqual(await seen(), { ...BEFORE, vic: 'e', bob: 'a e', new: 'e' })
  })

  it('see what others have shared there before, also in the place of the only one who saw it', async () => {
    await take('ann', ['a'])
    await take('root', ['e', 'r'])
    await list('ann', ['vic', 'ed'])
    await put('ed', ['e'])
    await list('ann', ['ed', 'vic'])
    await list('ann', ['new'])
    assert.deepEqual(await seen(), { ...BEFORE, new: 'e' })
  })

  it('keep nothing when they are deleted', async () => {
    const temp = await library.addUser('temp')
    const permissions = [{ user_id: temp }, { user_id: people.vic.id }]
    await call('ann', 'PUT', `/acl/pool/${pool}`, { permissions })
    assert.equal(rows(), 2)
    await call('root', 'DELETE', `/users/${temp}`)
    assert.equal(rows(), 1)
  })
})

describe('an undo of whether a pool shares its files', () => {
  it('takes what people see along, for its creator and admins', async () => {
    const on = await share('ann', true)
    assert.equal((await undo('ann', on)).undone, 1)
    assert.deepEqual([await seen(), rows()], [BEFORE, 0])
    await share('ann', true)
    const off = await share('ann', false)
    assert.equal((await undo('ann', off)).undone, 1)
    assert.deepEqual(await seen(), ANNS)
    const details = library.audit().findLast((entry) => entry.action === 'pool_edit')!.details
    assert.deepEqual(details.changes, { shares_files: { from: false, to: true } })
  })

  it('deletes a pool that was made before there was the field', async () => {
    const made = await call('ann', 'POST', '/pools', { name: 'old' })
    library.deps.db.run(
      "UPDATE audit_log SET details = json_remove(details, '$.fields.shares_files')",
    )
    assert.equal((await undo('ann', made)).undone, 1)
    const { total } = (await call('ann', 'GET', '/pools')).body
    assert.equal(total, 1)
  })
})

it('the access rule is looked up in the key of the table, whatever statistics SQLite has', async () => {
  const { db } = library.deps
  const rule = accessCondition({ id: people.vic.id, is_admin: false }, 'file', 'view', 'f')
  const steps = () =>
    db
      .all<{ detail: string }>(
        `EXPLAIN QUERY PLAN SELECT rid FROM files f WHERE ${rule.sql}`,
        ...rule.params,
      )
      .map(({ detail }) => detail)
      .filter((detail) => detail.includes('acl'))
  const byKey = ['SEARCH acl USING PRIMARY KEY (user_id=? AND object_type=? AND object_rid=?)']
  assert.deepEqual(steps(), byKey)
  await share('root', true)
  db.run('ANALYZE')
  assert.deepEqual(steps(), byKey)
})

it('an older library keeps its rights, all of them by hand, and its pools share nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-rights-'))
  try {
    const path = join(folder, 'tagstead.sqlite')
    const old = openDatabase(path, { migrations: migrationsBefore('rights_through_pools', folder) })
    old.run(`INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked)
      VALUES (1, 'ann', '', 0, 1, 0), (2, 'bob', '', 0, 1, 0)`)
    old.run(`INSERT INTO pools (rid, id, name, name_key, creator_id, is_public, sort_key, sort_order)
      VALUES (1, randomblob(16), 'pool', 'pool', 1, 0, 'manual', 'asc')`)
    old.run(
      "INSERT INTO acl VALUES (2, 'pool', 1, 1, 1), (2, 'file', 7, 0, 0), (1, 'tag', 3, 1, 0)",
    )
    const version = "SELECT version FROM cache_versions WHERE name = 'duplicates'"
    old.close()
    const db = openDatabase(path, { migrations: 'drizzle' })
    try {
      assert.deepEqual(
        db.all<object>('SELECT * FROM acl').map((row) => Object.values(row)),
        [
          [1, 'tag', 3, 0, 1, 0, null],
          [2, 'file', 7, 0, 0, 0, null],
          [2, 'pool', 1, 0, 1, 1, null],
        ],
      )
      assert.deepEqual(db.get('SELECT shares_files FROM pools'), { shares_files: 0 })
      // The triggers of the table, and those that name it, work.
      for (const sql of [
        "INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) VALUES (1, 'file', 7, 1, 0)",
        'UPDATE acl SET can_view = 1 WHERE object_rid = 7',
        "DELETE FROM acl WHERE object_type = 'file'",
      ]) {
        const before = db.get(version)
        db.run(sql)
        assert.notDeepEqual(db.get(version), before, sql)
      }
      db.run('DELETE FROM pools')
      assert.deepEqual(db.all('SELECT object_type FROM acl'), [{ object_type: 'tag' }])
    } finally {
      db.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
