import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import { contentsOf } from '../../support/contents.ts'
import { assertError, blobOf, grant } from '../../support/files.ts'
import { type Answer, type Library, openLibrary, picture } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { insertPool, storedPool } from '../../support/object-rows.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const POOL = '00000000-0000-7000-8000-00000000aaaa'

type User = { id: number; token: string }

let library: Library
let root: User
let ann: User
let bob: User
/** Three of Ann's, one of Bob's, and one of Bob's that Ann may edit. */
let files: string[]
let bobs: string
let shared: string
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob', { can_create: true })
})
after(() => library.close())
beforeEach(() => {
  library.deps.db.run('DELETE FROM files')
  files = makeFiles(3, ann)
  ;[bobs, shared] = makeFiles(2, bob) as [string, string]
  grant(library, ann.id, 'file', shared, 'edit')
  grant(library, ann.id, 'file', bobs, 'view')
})

const makeFiles = (count: number, owner: User) =>
  write(library.deps.db, { now: 0 }, () =>
    addManyFiles(library.deps.db, count, { owner: owner.id }),
  )
const bulk = (user: User, what: string, body: unknown) =>
  library.call('POST', `/files/bulk/${what}`, { token: user.token, body })
const get = async (id: string) =>
  (await library.call('GET', `/files/${id}`, { token: root.token })).body
const undo = (user: User, answer: Answer) =>
  library.call('POST', `/operations/${answer.headers.get('Operation')}/undo`, { token: user.token })
const everyFile = () => [...files, bobs, shared, UNKNOWN]
const result = (changed: number, ...skipped_ids: string[]) => [
  200,
  { changed, skipped: skipped_ids.length, skipped_ids },
]
const told = ({ status, body }: Answer) => [status, body]
/** The entries of the operation of an answer: what was done, to which file, and how. */
const entriesOf = (answer: Answer) =>
  library.deps.db
    .all<{ action: string; file: string; details: string }>(
      `SELECT action, lower(hex(object_id)) AS file, details FROM audit_log
       WHERE operation = ? ORDER BY id`,
      Number(answer.headers.get('Operation')),
    )
    .map(({ action, file, details }) => [action, file, JSON.parse(details)])
const entry = (action: string, file: string, details: object) => [
  action,
  file.replaceAll('-', ''),
  details,
]

describe('an update in bulk', () => {
  it('gives what the caller may edit the fields, as one operation that is taken back', async () => {
    const before = await Promise.all([...files, bobs, shared].map(get))
    const set = {
      content_datetime: '2018-07-03T12:00:00+02:00',
      notes: 'a "b"\n😀',
      is_public: true,
    }
    const first = await bulk(ann, 'update', { file_ids: [files[1]], set: { is_public: true } })
    assert.deepEqual(told(first), result(1))
    const answer = await bulk(ann, 'update', { file_ids: [...everyFile(), files[0]], set })
    assert.deepEqual(told(answer), result(4, bobs, UNKNOWN))
    const date = { content_datetime: '2018-07-03T10:00:00.000Z', content_offset: 120 }
    const changed = { ...set, ...date, date_source: 'given' }
    const after = await Promise.all([...files, bobs, shared].map(get))
    assert.deepEqual(
      after,
      before.map((file) => (file.id === bobs ? file : { ...file, ...changed })),
    )
    const changes = (id: string) => {
      const { content_datetime } = before.find((file) => file.id === id)
      return {
        content_datetime: { from: content_datetime, to: changed.content_datetime },
        content_offset: { from: null, to: 120 },
        date_source: { from: null, to: 'given' },
        notes: { from: null, to: set.notes },
        ...(id !== files[1] && { is_public: { from: false, to: true } }),
      }
    }
    const ids = [...files, shared]
    assert.deepEqual(
      entriesOf(answer),
      ids.map((id) => entry('file_edit', id, { changes: changes(id) })),
    )
    const again = await bulk(ann, 'update', { file_ids: everyFile(), set })
    assert.deepEqual(told(again), result(0, bobs, UNKNOWN))
    assert.equal(again.headers.get('Operation'), null)
    const undone = await undo(ann, answer)
    assert.deepEqual([undone.body.undone, undone.body.kept], [4, []])
    assert.equal((await undo(ann, first)).body.undone, 1)
    assert.deepEqual(await Promise.all([...files, bobs, shared].map(get)), before)
  })

  it('clears notes, and leaves other fields alone', async () => {
    const before = await get(files[0]!)
    await bulk(ann, 'update', { file_ids: [files[0]], set: { notes: 'x' } })
    const body = { file_ids: [files[0], files[1]], set: { notes: null } }
    const answer = await bulk(ann, 'update', body)
    assert.deepEqual(told(answer), result(1))
    const changes = { notes: { from: 'x', to: null } }
    assert.deepEqual(entriesOf(answer), [entry('file_edit', files[0]!, { changes })])
    assert.deepEqual(await get(files[0]!), before)
  })

  it('moves dates, but none out of the years 1 to 9999, and the date is a given one', async () => {
    const date = async (id: string, content_datetime: string) => {
      const body = { content_datetime }
      await library.call('PATCH', `/files/${id}`, { token: ann.token, body })
    }
    await date(files[0]!, '9999-12-31T23:58:00Z')
    await date(files[1]!, '9999-12-31T23:58:59.999Z')
    await date(files[2]!, '2020-02-29T00:00:00.001Z')
    library.deps.db.run("UPDATE files SET date_source = 'exif', content_offset = 120")
    const shift = (shift_minutes: number) => bulk(ann, 'update', { file_ids: files, shift_minutes })
    const dates = async () =>
      (await Promise.all(files.map(get))).map((file) => file.content_datetime)
    const sources = () =>
      library.deps.db
        .all<object>('SELECT date_source, content_offset FROM files ORDER BY rid LIMIT 3')
        .map((row) => Object.values(row))
    assert.deepEqual(told(await shift(2)), result(1, files[0]!, files[1]!))
    assert.deepEqual(await dates(), [
      '9999-12-31T23:58:00.000Z',
      '9999-12-31T23:58:59.999Z',
      '2020-02-29T00:02:00.001Z',
    ])
    assert.deepEqual(sources(), [
      ['exif', 120],
      ['exif', 120],
      ['given', 120],
    ])
    const back = await shift(-24 * 60)
    assert.deepEqual(told(back), result(3))
    assert.equal((await dates())[2], '2020-02-28T00:02:00.001Z')
    assert.deepEqual((await undo(ann, back)).body.undone, 3)
    assert.deepEqual(sources(), [
      ['exif', 120],
      ['exif', 120],
      ['given', 120],
    ])
    assert.equal((await dates())[2], '2020-02-29T00:02:00.001Z')
    assert.deepEqual(told(await shift(0)), result(0))
    assert.deepEqual(told(await shift(Number.MIN_SAFE_INTEGER)), result(0, ...files))
  })

  it('is refused with a date and a shift, and with what no field can be', async () => {
    const refused = async (body: object, fields: string[]) =>
      assertError(
        await bulk(ann, 'update', { file_ids: files, ...body }),
        400,
        'validation_error',
        fields,
      )
    const date = { content_datetime: '2020-01-01T00:00:00Z' }
    await refused({ set: date, shift_minutes: 0 }, ['shift_minutes'])
    await refused({ set: {}, shift_minutes: 1.5 }, ['shift_minutes'])
    await refused({ set: { content_datetime: null } }, ['set.content_datetime'])
    await refused({ set: { notes: 'x'.repeat(64 * 1024 + 1) } }, ['set.notes'])
    await refused({ set: { is_public: null, notes: '\0' } }, ['set.is_public', 'set.notes'])
    await refused({ set: 1 }, ['set'])
    assertError(await bulk(ann, 'update', {}), 400, 'validation_error', ['file_ids'])
    assert.deepEqual(told(await bulk(ann, 'update', { file_ids: files })), result(0))
  })

  it('takes notes of at most 4 MiB, the old ones and the new', async () => {
    const many = makeFiles(65, ann)
    const set = { notes: 'x'.repeat(64 * 1024) }
    const refused = await bulk(ann, 'update', { file_ids: many, set })
    assertError(refused, 400, 'validation_error', ['file_ids'])
    const taken = await bulk(ann, 'update', { file_ids: many.slice(0, 64), set })
    assert.deepEqual(told(taken), result(64))
    const more = await bulk(ann, 'update', { file_ids: many, set: { notes: 'y' } })
    assertError(more, 400, 'validation_error', ['file_ids'])
    const fewer = await bulk(ann, 'update', { file_ids: many.slice(0, 60), set: { notes: 'y' } })
    assert.deepEqual(told(fewer), result(60))
  })
})

describe('the trash in bulk', () => {
  it('gives back what the caller may edit, as one operation that is taken back', async () => {
    await bulk(root, 'delete', { file_ids: [files[0], files[2], bobs, shared] })
    const states = async () =>
      (await Promise.all([...files, bobs, shared].map(get))).map((file) => file.is_deleted)
    const answer = await bulk(ann, 'restore', { file_ids: everyFile() })
    assert.deepEqual(told(answer), result(3, bobs, UNKNOWN))
    assert.deepEqual(await states(), [false, false, false, true, false])
    const names = await Promise.all(
      [files[0]!, files[2]!, shared].map(async (id) => [id, (await get(id)).original_name]),
    )
    assert.deepEqual(
      entriesOf(answer),
      names.map(([id, original_name]) => entry('file_restore', id, { original_name })),
    )
    assert.deepEqual(told(await bulk(ann, 'restore', { file_ids: files })), result(0))
    assert.equal((await undo(ann, answer)).body.undone, 3)
    assert.deepEqual(await states(), [true, false, true, true, true])
  })

  it('deletes for good what lies in it, with contents, and closes the gaps in pools', async () => {
    const { db } = library.deps
    const upload = async (seed: number) =>
      (await library.upload(ann.token, await picture(seed))).body.id as string
    const [first, second] = [await upload(1), await upload(2)]
    const blobs = [first, second].map((id) => blobOf(db, id))
    const kept = () => blobs.map(contentsOf(library).has)
    assert.deepEqual(kept(), [true, true])
    const pooled = [first, files[0]!, second, files[1]!, shared, bobs]
    write(db, { now: 0 }, () =>
      insertPool(db, { id: POOL, name: 'pool', owner: ann.id, files: pooled }),
    )
    await bulk(root, 'delete', { file_ids: [first, second, shared, bobs] })
    const named = [first, files[0]!, second, shared, bobs, UNKNOWN]
    const answer = await bulk(ann, 'permanent', { file_ids: named })
    assert.deepEqual(told(answer), result(3, files[0]!, bobs, UNKNOWN))
    assert.deepEqual(kept(), [false, false])
    for (const id of [first, second, shared]) {
      assertError(await library.call('GET', `/files/${id}`, ann), 404, 'not_found')
    }
    const left = [files[0]!, files[1]!, bobs]
    assert.deepEqual(
      storedPool(db, POOL),
      left.map((id, position) => [id, position]),
    )
    const details = entriesOf(answer)[0]![2]
    const { size, sha256, mime_type, original_name } = details
    assert.deepEqual(
      [mime_type, original_name, size, sha256.length],
      ['image/jpeg', 'picture.jpg', (await picture(1)).length, 64],
    )
    assert.deepEqual(
      entriesOf(answer).map(([action]) => action),
      Array(3).fill('file_permanent_delete'),
    )
    const undone = (await undo(ann, answer)).body
    assert.deepEqual([undone.undone, undone.kept_total], [0, 3])
    db.run('DELETE FROM pools')
  })

  it('names at most 1,000 of those that it skips', async () => {
    const ids = Array.from({ length: 1001 }, (_, i) => UNKNOWN.slice(0, -4) + (1000 + i))
    for (const what of ['restore', 'permanent', 'update']) {
      const { body } = await bulk(ann, what, { file_ids: ids })
      assert.deepEqual(body, { changed: 0, skipped: 1001, skipped_ids: ids.slice(0, 1000) }, what)
      const over = Array.from({ length: 10_001 }, (_, i) => UNKNOWN.slice(0, -5) + (10_000 + i))
      const answer = await bulk(ann, what, { file_ids: over })
      assertError(answer, 400, 'validation_error', ['file_ids'])
    }
  })
})
