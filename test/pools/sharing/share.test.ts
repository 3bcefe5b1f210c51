import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import { assertError, grant } from '../../support/files.ts'
import { type Answer, type Library, openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { allow, insertPool } from '../../support/object-rows.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const POOL = '00000000-0000-7000-8000-00000000aaaa'

type User = { id: number; token: string }

let library: Library
let root: User
let ann: User
let bob: User
let eve: User
/** Ann's; one of Bob's that Ann may edit, and one of his that she may not even view. */
let files: string[]
let bobs: string
let hidden: string
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob', { can_create: true })
  eve = await library.join('Eve')
})
after(() => library.close())
beforeEach(() => {
  const { db } = library.deps
  for (const table of ['files', 'pools']) db.run(`DELETE FROM ${table}`)
  const make = (count: number, owner: User) =>
    write(db, { now: 0 }, () => addManyFiles(db, count, { owner: owner.id }))
  files = make(3, ann)
  ;[bobs, hidden] = make(2, bob) as [string, string]
  grant(library, ann.id, 'file', bobs, 'edit')
})

const share = (user: User, body: object) =>
  library.call('POST', '/files/bulk/share', { token: user.token, body })
const told = ({ status, body }: Answer) => [status, body]
const result = (changed: number, ...skipped_ids: string[]) => [
  200,
  { changed, skipped: skipped_ids.length, skipped_ids },
]
/** Who is in the list of a file: `view` or `edit` by name. */
const listOf = async (file: string): Promise<Record<string, string>> => {
  const { body } = await library.call('GET', `/acl/file/${file}`, { token: root.token })
  const entries = body as { user_name: string; can_view: boolean; can_edit: boolean }[]
  return Object.fromEntries(
    entries.map(({ user_name, can_view, can_edit }) => {
      return [user_name, can_edit ? 'edit' : can_view ? 'view' : 'none']
    }),
  )
}
const lists = () => Promise.all([...files, bobs, hidden].map(listOf))
const statusFor = async (user: User, file: string) =>
  (await library.call('GET', `/files/${file}`, { token: user.token })).status

describe('sharing many files', () => {
  it('adds to each list and takes from it, and leaves other entries alone', async () => {
    grant(library, bob.id, 'file', files[0]!, 'edit')
    allow(library.deps.db, bob.id, 'file', files[1]!, 'none')
    const file_ids = [...files, files[0]!.toUpperCase(), bobs, hidden, UNKNOWN]
    const skipped = [bobs, hidden, UNKNOWN]
    const add = [{ user_id: bob.id }, { user_id: eve.id, can_edit: true }]
    const first = await share(ann, { file_ids, add })
    assert.deepEqual(told(first), result(3, ...skipped))
    assert.deepEqual(await lists(), [
      { Bob: 'edit', Eve: 'edit' },
      { Bob: 'view', Eve: 'edit' },
      { Bob: 'view', Eve: 'edit' },
      { Ann: 'edit' },
      {},
    ])
    assert.deepEqual(told(await share(ann, { file_ids, add })), result(0, ...skipped))
    const second = await share(ann, { file_ids, remove: [bob.id, 999_999] })
    assert.deepEqual(told(second), result(3, ...skipped))
    assert.deepEqual((await lists()).slice(0, 3), Array(3).fill({ Eve: 'edit' }))
    const lowered = { add: [{ user_id: eve.id }], remove: [eve.id] }
    assert.deepEqual(told(await share(ann, { file_ids: files, ...lowered })), result(3))
    assert.deepEqual((await lists()).slice(0, 3), Array(3).fill({ Eve: 'view' }))
    assert.deepEqual(told(await share(ann, { file_ids: files, ...lowered })), result(0))
    assert.equal(await statusFor(eve, files[0]!), 200)
  })

  it('writes each list down before and after, as one operation, and makes files public', async () => {
    grant(library, eve.id, 'file', files[1]!)
    await share(ann, { file_ids: [files[2]], is_public: true })
    const body = { file_ids: files, add: [{ user_id: eve.id }], is_public: true }
    const answer = await share(ann, body)
    assert.deepEqual(told(answer), result(3))
    const operation = Number(answer.headers.get('Operation'))
    const entries = library.deps.db
      .all<{ action: string; file: string; details: string }>(
        'SELECT action, lower(hex(object_id)) AS file, details FROM audit_log WHERE operation = ?',
        operation,
      )
      .map(({ action, file, details }) => [action, file, JSON.parse(details)])
    const hex = files.map((id) => id.replaceAll('-', ''))
    const entry = { user_id: eve.id, user_name: 'Eve', can_view: true, can_edit: false }
    const listed = { from: [], to: [entry] }
    const published = { changes: { is_public: { from: false, to: true } } }
    assert.deepEqual(entries, [
      ['acl_change', hex[0], listed],
      ['acl_change', hex[2], listed],
      ['file_edit', hex[0], published],
      ['file_edit', hex[1], published],
    ])
    assert.equal(await statusFor(bob, files[1]!), 200)
    const undo = await library.call('POST', `/operations/${operation}/undo`, { token: ann.token })
    assert.deepEqual([undo.body.undone, undo.body.kept_total], [2, 2])
    assert.equal(undo.body.kept[0].reason, 'not_undoable')
    assert.deepEqual((await lists()).slice(0, 3), Array(3).fill({ Eve: 'view' }))
    assert.equal(await statusFor(bob, files[1]!), 403)
    assert.equal(await statusFor(bob, files[2]!), 200)
  })

  it('is for the creator, and for admins, who share all', async () => {
    const body = { file_ids: [bobs, hidden], add: [{ user_id: eve.id }], is_public: true }
    assert.deepEqual(told(await share(ann, body)), result(0, bobs, hidden))
    assert.deepEqual(told(await share(eve, body)), result(0, bobs, hidden))
    assert.deepEqual(told(await share(root, body)), result(2))
    assert.deepEqual(await listOf(hidden), { Eve: 'view' })
    const { token: _, ...nobody } = { ...ann, body }
    assertError(await library.call('POST', '/files/bulk/share', nobody), 401, 'unauthorized')
  })

  it('shares the files of a pool that the caller sees and created', async () => {
    const { db } = library.deps
    const pooled = [files[0]!, bobs, hidden, files[1]!, files[2]!]
    write(db, { now: 0 }, () =>
      insertPool(db, { id: POOL, name: 'pool', owner: bob.id, files: pooled }),
    )
    await library.call('DELETE', `/files/${files[2]}`, ann)
    const body = { pool_id: POOL.toUpperCase(), add: [{ user_id: eve.id }] }
    assertError(await share(ann, body), 403, 'forbidden')
    assertError(await share(ann, { ...body, pool_id: UNKNOWN }), 404, 'not_found')
    allow(db, ann.id, 'pool', POOL)
    assert.deepEqual(told(await share(ann, body)), result(2, bobs))
    assert.deepEqual(await lists(), [{ Eve: 'view' }, { Eve: 'view' }, {}, { Ann: 'edit' }, {}])
    assert.deepEqual(told(await share(bob, body)), result(2))
  })

  it('is refused for users who are unknown or named twice, and for too much', async () => {
    const refused = async (body: object, fields: string[]) =>
      assertError(await share(ann, body), 400, 'validation_error', fields)
    const file_ids = files
    await refused({ add: [] }, ['file_ids'])
    await refused({ file_ids, pool_id: POOL }, ['file_ids'])
    await refused({ file_ids, add: [{ user_id: eve.id }, { user_id: eve.id }] }, ['add'])
    await refused({ file_ids, add: [{ user_id: eve.id }, { user_id: 999 }] }, ['add.1.user_id'])
    await refused({ file_ids, add: [{ user_id: 'x', can_edit: 1 }], remove: [0], is_public: 2 }, [
      'add.0.user_id',
      'add.0.can_edit',
      'remove.0',
      'is_public',
    ])
    await refused({ pool_id: UNKNOWN, add: 1 }, ['add'])
    const many = Array.from({ length: 1001 }, (_, n) => n + 1)
    await refused({ file_ids, remove: many }, ['remove'])
    assertError(await share(ann, { pool_id: UNKNOWN, add: [{ user_id: 999 }] }), 404, 'not_found')
    const { db } = library.deps
    const owned = write(db, { now: 0 }, () => addManyFiles(db, 41, { owner: ann.id }))
    await refused({ file_ids: owned, remove: many.slice(0, 1000) }, ['file_ids'])
    const fewer = { file_ids: owned.slice(0, 40), remove: many.slice(0, 1000) }
    assert.deepEqual(told(await share(ann, fewer)), result(0))
    assert.deepEqual(told(await share(ann, { file_ids: [] })), result(0))
    const most = write(db, { now: 0 }, () => addManyFiles(db, 10_001, { owner: ann.id }))
    write(db, { now: 0 }, () => {
      insertPool(db, { id: POOL, name: 'pool', owner: ann.id, files: [] })
      db.run(
        `INSERT INTO pool_files SELECT (SELECT rid FROM pools), rid, row_number() OVER () << 20
         FROM files ORDER BY rid DESC LIMIT 10001`,
      )
    })
    assert.equal(most.length, 10_001)
    await refused({ pool_id: POOL, add: [{ user_id: eve.id }] }, ['pool_id'])
    await library.call('DELETE', `/files/${most[0]}`, ann)
    const all = await share(ann, { pool_id: POOL, add: [{ user_id: eve.id }] })
    assert.deepEqual(told(all), result(10_000))
  })
})
