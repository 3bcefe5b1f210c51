import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { accessCondition } from '../../src/acl/access.ts'
import { openDatabase } from '../../src/db/client.ts'
import { addTag, assertError } from '../support/files.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { migrationsBefore } from '../support/older-migrations.ts'

interface Person {
  id: number
  token: string
}
type Name = 'root' | 'boss' | 'ann' | 'ed' | 'vic' | 'bob' | 'new' | 'sam'

let library: Library
const people = {} as Record<Name, Person>
/** Ann's a to d and twin, Ed's e, and Root's r; all private. */
const files: Record<string, string> = {}
let picture: Buffer
/** Ann's pool of a, e and r, which Ed may edit and Vic and Bob may view; Bob may view file a by hand. */
let pool: string

const call = async (by: Name, method: string, path: string, body?: object) => {
  const token = people[by].token
  const answer = await library.call(method, path, body ? { token, body } : { token })
  assert.ok(answer.status < 300, `${by} ${method} ${path}: ${answer.text}`)
  return answer
}
const upload = async (by: Name, bytes: Uint8Array) => {
  const answer = await library.upload(people[by].token, bytes)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id as string
}
const named = (names: string[]) => names.map((name) => files[name]!)
const put = (by: Name, names: string[]) =>
  call(by, 'POST', `/pools/${pool}/files`, { file_ids: named(names) })
const take = (by: Name, names: string[]) =>
  call(by, 'POST', `/pools/${pool}/files/remove`, { file_ids: named(names) })
const share = (by: Name, shares_files: boolean) =>
  call(by, 'PATCH', `/pools/${pool}`, { shares_files })
const list = (by: Name, names: Name[]) =>
  call(by, 'PUT', `/acl/pool/${pool}`, {
    permissions: names.map((name) => ({ user_id: people[name].id, can_edit: name === 'ed' })),
  })
const undo = async (by: Name, done: { headers: Headers }) =>
  (await call(by, 'POST', `/operations/${done.headers.get('Operation')}/undo`)).body

/** Returns the names of the files that somebody sees, after checking that every answer says the same. */
async function seenBy(name: Name): Promise<string> {
  const { items } = (await call(name, 'GET', '/files?limit=200')).body
  const ids: string[] = items.map((file: { id: string }) => file.id)
  const selection = (await call(name, 'GET', '/files/ids')).body
  assert.deepEqual(selection.ids, ids)
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(selection.total, ids.length)
  assert.equal((await call(name, 'GET', '/files/timeline')).body.total, ids.length)
  const asked = { file_ids: ids, user_ids: [people[name].id] }
  if (ids.length > 0) {
    const { users } = (await call('root', 'POST', '/files/reach', asked)).body
    assert.equal(users[0].seen, ids.length)
  }
  for (const id of Object.values(files)) {
    for (const part of ['', '/content', '/thumbnail', '/preview']) {
      const response = await library.fetchRaw('GET', `/files/${id}${part}`, people[name])
      await response.arrayBuffer()
      if (ids.includes(id)) assert.equal(response.status, 200, part)
      else if (response.status !== 403) assert.ok(await isTrashed(id), `${name} ${part}`)
    }
  }
  return Object.keys(files)
    .filter((file) => ids.includes(files[file]!))
    .join(' ')
}
const isTrashed = async (id: string) => (await call('root', 'GET', `/files/${id}`)).body.is_deleted

async function seen(): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for (const name of Object.keys(people) as Name[]) all[name] = await seenBy(name)
  return all
}
const rows = () =>
  library.deps.db.get<{ n: number }>('SELECT count(*) AS n FROM acl WHERE pool_rid <> 0')!.n

before(async () => {
  library = await openLibrary({}, {}, { rows: 2 })
  for (const name of ['root', 'boss', 'ann', 'ed', 'vic', 'bob', 'new', 'sam'] as const) {
    const is_admin = name === 'root' || name === 'boss'
    people[name] = await library.join(name, { is_admin, can_create: true })
  }
  const of = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer()
  picture = await of('#808080')
})
after(() => library.close())

beforeEach(async () => {
  const { db } = library.deps
  for (const table of ['files', 'pools', 'acl', 'audit_log']) db.run(`DELETE FROM ${table}`)
  for (const file of ['a', 'b', 'c', 'd', 'twin']) files[file] = await upload('ann', picture)
  files.e = await upload('ed', picture)
  files.r = await upload('root', picture)
  pool = (await call('ann', 'POST', '/pools', { name: 'trip' })).body.id
  await list('ann', ['ed', 'vic', 'bob'])
  await put('root', ['a', 'e', 'r'])
  await call('ann', 'PUT', `/acl/file/${files.a}`, { permissions: [{ user_id: people.bob.id }] })
})

const BEFORE = {
  root: 'a b c d twin e r',
  boss: 'a b c d twin e r',
  ann: 'a b c d twin',
  ed: 'e',
  vic: '',
  bob: 'a',
  new: '',
  sam: '',
}
const ANNS = { ...BEFORE, ed: 'a e', vic: 'a', bob: 'a' }

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

describe('what is told of a pool that shares its files', () => {
  const trip = () => ({ id: pool, name: 'trip' })
  const reach = async (by: Name, names: string[], of: Name) => {
    const asked = { file_ids: named(names), user_ids: [people[of].id] }
    const { seen, through_pools, pools } = (await call(by, 'POST', '/files/reach', asked)).body
      .users[0]
    return { seen, through_pools, pools }
  }
  const history = async (by: Name, file: string) =>
    (await call(by, 'GET', `/files/${files[file]}/history?limit=1`)).body.through
  const since = new Date(0).toISOString()
  const news = async (by: Name, from = since) => {
    const { body } = await call(by, 'GET', `/files/new?since=${from}`)
    const name = (id: string) => Object.keys(files).find((file) => files[file] === id)
    return { ...body, first: body.first.map(name).join(' ') }
  }

  beforeEach(() => share('ann', true))

  it('names it as the way on which people see files, to who may view it', async () => {
    assert.deepEqual(await reach('ann', ['a', 'b'], 'vic'), {
      seen: 1,
      through_pools: 1,
      pools: [trip()],
    })
    assert.deepEqual(await reach('ann', ['a', 'b'], 'new'), {
      seen: 0,
      through_pools: 0,
      pools: [],
    })
    const secret = { name: 'secret', shares_files: true }
    const other = (await call('boss', 'POST', '/pools', secret)).body.id
    const permissions = [{ user_id: people.vic.id }]
    await call('boss', 'PUT', `/acl/pool/${other}`, { permissions })
    await call('boss', 'POST', `/pools/${other}/files`, { file_ids: named(['a', 'b']) })
    assert.deepEqual(await reach('ann', ['a', 'b'], 'vic'), {
      seen: 2,
      through_pools: 2,
      pools: [trip()],
    })
    const both = [{ id: other, name: 'secret' }, trip()]
    assert.deepEqual((await reach('root', ['a', 'b'], 'vic')).pools, both)
  })

  it('stands in the history of a file, for others only if they see it that way', async () => {
    const told = await history('ann', 'a')
    const now = new Date(library.time.now).toISOString()
    assert.deepEqual(told, [{ pool: trip(), since: now }])
    assert.deepEqual(await history('vic', 'a'), told)
    assert.deepEqual(await history('root', 'a'), told)
    assert.deepEqual(await history('ann', 'b'), [])
    await call('ann', 'PUT', `/acl/file/${files.a}`, { permissions: [{ user_id: people.sam.id }] })
    assert.deepEqual(await history('sam', 'a'), [])
    const secret = { name: 'secret', shares_files: true }
    const other = (await call('boss', 'POST', '/pools', secret)).body.id
    await call('boss', 'PUT', `/acl/pool/${other}`, { permissions: [{ user_id: people.vic.id }] })
    await call('boss', 'POST', `/pools/${other}/files`, { file_ids: named(['b']) })
    assert.deepEqual(
      (await history('ann', 'b')).map(({ pool }: { pool: unknown }) => pool),
      [null],
    )
    await share('ann', false)
    assert.deepEqual(await history('ann', 'a'), [])
  })

  it('is new to its people once, as are files that they get by hand', async () => {
    const ann = { id: people.ann.id, name: 'ann' }
    const nothing = { files: 0, first: '', from: [], pools: [] }
    const { until, ...first } = await news('vic')
    const one = { files: 1, first: 'a', from: [{ ...ann, files: 1 }] }
    assert.deepEqual(first, { ...one, pools: [{ ...trip(), files: 1 }] })
    assert.equal(Date.parse(until), library.time.now)
    library.time.now += 1000
    const since = new Date(library.time.now).toISOString()
    assert.deepEqual(await news('vic', since), { ...nothing, until: since })
    // Seen by another way already, one's own, and in the trash.
    await call('ann', 'PUT', `/acl/file/${files.a}`, { permissions: [{ user_id: people.vic.id }] })
    await put('ed', ['e'])
    await put('ann', ['b', 'c', 'd'])
    await call('ann', 'DELETE', `/files/${files.d}`)
    const body = { file_ids: named(['twin']), add: [{ user_id: people.vic.id }] }
    library.time.now += 1000
    await call('ann', 'POST', '/files/bulk/share', body)
    const { until: _, ...later } = await news('vic', since)
    assert.deepEqual(later, {
      files: 3,
      first: 'twin c b',
      from: [{ ...ann, files: 3 }],
      pools: [{ ...trip(), files: 2 }],
    })
    assert.equal((await news('ed', since)).files, 2)
    assert.equal((await news('ann', since)).files, 0)
    assert.equal((await news('sam', since)).files, 0)
    await share('ann', false)
    // The entry by hand, which is left, is from that time.
    assert.equal((await news('vic', since)).first, 'twin a')
    const unasked = await call('vic', 'GET', '/files/new')
    assert.equal(unasked.body.files, 0)
  })

  it('is new to who could not see a file although they had an entry', async () => {
    const entry = { user_id: people.sam.id, can_view: false }
    await call('ann', 'PUT', `/acl/file/${files.c}`, { permissions: [entry] })
    library.time.now += 1000
    const since = new Date(library.time.now).toISOString()
    const add = [{ user_id: entry.user_id }]
    await call('ann', 'POST', '/files/bulk/share', { file_ids: named(['c']), add })
    assert.equal((await news('sam', since)).first, 'c')
    await call('ann', 'PUT', `/acl/file/${files.c}`, { permissions: [entry] })
    library.time.now += 1000
    const later = new Date(library.time.now).toISOString()
    await call('ann', 'PUT', `/acl/file/${files.c}`, { permissions: add })
    assert.equal((await news('sam', later)).first, 'c')
    library.time.now += 1000
    const edit = [{ user_id: entry.user_id, can_edit: true }]
    await call('ann', 'PUT', `/acl/file/${files.c}`, { permissions: edit })
    assert.equal((await news('sam', new Date(library.time.now).toISOString())).files, 0)
  })
})

describe('copies that are merged in a pool that shares its files', () => {
  beforeEach(() => share('ann', true))

  for (const [way, merge] of [
    [
      'settled',
      async () => {
        // Of equal files, the one with most tags is kept.
        const tag = await addTag(library, people.ann.token, 'tag')
        await call('ann', 'PUT', `/files/${files.twin}/tags/${tag.id}`)
        await call('ann', 'POST', '/files/duplicates/proposals/settle', {
          items: [{ keep: files.twin, discard: [files.a] }],
        })
      },
    ],
    [
      'resolved',
      () =>
        call('ann', 'POST', '/files/duplicates/resolve', {
          keep: files.twin,
          discard: files.a,
          fields: { pools: 'both' },
        }),
    ],
  ] as const) {
    it(`are seen as one when they are ${way}, and by nobody new once nothing is shared`, async () => {
      await call('ann', 'PUT', `/acl/file/${files.a}`, { permissions: [] })
      await merge()
      const merged = await seen()
      assert.deepEqual([merged.vic, merged.bob, merged.ed], ['twin', 'twin', 'twin e'])
      assert.deepEqual((await call('ann', 'GET', `/acl/file/${files.twin}`)).body, [])
      await share('ann', false)
      const left = await seen()
      const all = 'b c d twin e r'
      const nobody = { ed: 'e', vic: '', bob: '', new: '', sam: '' }
      assert.deepEqual(left, { root: all, boss: all, ann: 'b c d twin', ...nobody })
      assert.equal(rows(), 0)
    })
  }
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
