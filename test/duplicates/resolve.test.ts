import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { rescanAll } from '../support/duplicates/clusters.ts'
import { addHashedFiles } from '../support/duplicates/scans.ts'
import { idAt } from '../support/file-rows.ts'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { allow, allRows, insertPool, insertTag } from '../support/object-rows.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let library: Library
let ann: { id: number; token: string }
let ben: { id: number; token: string }
let keep: string
let discard: string
before(async () => {
  library = await openLibrary()
  ann = await library.join('ann')
  ben = await library.join('ben')
})
after(() => library.close())
beforeEach(async () => {
  const { db } = library.deps
  for (const table of ['files', 'tags', 'pools', 'duplicate_scans']) db.run(`DELETE FROM ${table}`)
  ;[keep, discard] = addHashedFiles(db, [5n, 5n], ann.id) as [string, string]
  await patch(keep, OF_KEEP)
  await patch(discard, OF_DISCARD)
  await rescanAll(library)
  db.run('DELETE FROM audit_log')
})

const OF_KEEP = {
  original_name: 'kept.jpg',
  notes: null,
  content_datetime: '2020-01-02T03:04:05.000Z',
  is_public: false,
  metadata: { place: 'home', both: { from: 'keep', deep: 1 } },
}
const OF_DISCARD = {
  original_name: 'discarded.jpg',
  notes: 'of the discarded one',
  content_datetime: '2021-01-02T03:04:05.000Z',
  is_public: true,
  metadata: { both: { from: 'discard', other: 2 }, camera: null },
}
const MERGED = { both: { from: 'keep', deep: 1 }, camera: null, place: 'home' }

async function patch(id: string, body: unknown): Promise<void> {
  assert.equal((await library.call('PATCH', `/files/${id}`, { ...ann, body })).status, 200)
}

const resolve = (body: object = {}, { token } = ann) =>
  library.call('POST', '/files/duplicates/resolve', { token, body: { keep, discard, ...body } })

const get = async (id: string) => (await library.call('GET', `/files/${id}`, ann)).body

const total = async () => (await library.call('GET', '/files/duplicates', ann)).body.total

/** The fields that a merge may change. */
const fieldsOf = (file: typeof OF_KEEP) => ({
  original_name: file.original_name,
  notes: file.notes,
  content_datetime: file.content_datetime,
  is_public: file.is_public,
  metadata: file.metadata,
})

describe('resolving a pair', () => {
  it('keeps the survivor as it is, and trashes the other', async () => {
    const before = await get(keep)
    const other = await get(discard)
    const { status, body } = await resolve()
    assert.deepEqual([status, body], [200, before])
    assert.deepEqual(await get(keep), before)
    assert.deepEqual(await get(discard), {
      ...other,
      is_deleted: true,
      trashed_at: '2026-01-02T03:04:05.678Z',
    })
    assert.equal(await total(), 0)
  })

  it('takes each field from the file that is named for it', async () => {
    const fields = ['original_name', 'notes', 'content_datetime', 'is_public', 'metadata'] as const
    for (const field of fields) {
      const { body } = await resolve({ fields: { [field]: 'discard' }, delete_discarded: false })
      const expected = { ...OF_KEEP, [field]: OF_DISCARD[field] }
      assert.deepEqual(fieldsOf(body), expected)
      assert.deepEqual(fieldsOf(await get(keep)), expected)
      await patch(keep, OF_KEEP)
    }
    const all = Object.fromEntries(fields.map((field) => [field, 'discard']))
    assert.deepEqual(fieldsOf((await resolve({ fields: all })).body), OF_DISCARD)
    assert.deepEqual(fieldsOf(await get(discard)), OF_DISCARD)
  })

  it('is found by the name that it takes', async () => {
    await resolve({ fields: { original_name: 'discard' } })
    const { items } = (await library.call('GET', '/files?search=DISCARDED', ann)).body
    assert.deepEqual(
      items.map((file: { id: string }) => file.id),
      [keep],
    )
  })

  it('merges metadata by its outermost keys, the survivor winning', async () => {
    const merge = { fields: { metadata: 'merge' }, delete_discarded: false }
    assert.deepEqual((await resolve(merge)).body.metadata, MERGED)
    for (const [kept, discarded, expected] of [
      [null, { a: 1 }, { a: 1 }],
      [{ a: 1 }, null, { a: 1 }],
      [null, null, null],
      [{}, { a: 1 }, { a: 1 }],
      [{ a: null }, { a: 1 }, { a: null }],
    ]) {
      await patch(keep, { metadata: kept })
      await patch(discard, { metadata: discarded })
      assert.deepEqual((await resolve(merge)).body.metadata, expected)
    }
    await patch(keep, { metadata: { a: 1 } })
    await patch(discard, { metadata: null })
    const discarded = await resolve({ fields: { metadata: 'discard' } })
    assert.equal(discarded.body.metadata, null)
  })

  it('leaves the other where it is when told so', async () => {
    const other = await get(discard)
    assert.equal((await resolve({ delete_discarded: false })).status, 200)
    assert.deepEqual(await get(discard), other)
    assert.equal(await total(), 1)
  })

  it('comes to nothing more when the other is restored: the pair is back', async () => {
    await resolve()
    assert.equal(await total(), 0)
    assert.equal((await library.call('POST', `/files/${discard}/restore`, ann)).status, 200)
    assert.equal(await total(), 1)
  })
})

describe('the audit log of a resolved pair', () => {
  it('tells what was merged, and that the other went into the trash', async () => {
    const { db } = library.deps
    const tag = { id: idAt(1, 1), name: 'sun', owner: ann.id }
    insertTag(db, tag)
    await library.call('PUT', `/files/${discard}/tags/${tag.id}`, ann)
    insertPool(db, { id: idAt(2, 1), name: 'pool', owner: ann.id, files: [discard] })
    db.run('DELETE FROM audit_log')
    const fields = { notes: 'discard', metadata: 'merge', tags: 'both', pools: 'both' }
    await resolve({ fields })
    const by = { user_id: ann.id, user_name: 'ann' }
    assert.deepEqual(await library.audit(), [
      {
        ...by,
        action: 'file_pool_add',
        details: { position: 1, by_merge: true, count: 1, file_ids: [keep], files: 1 },
      },
      {
        ...by,
        action: 'file_merge',
        details: {
          discard,
          delete_discarded: true,
          changes: {
            notes: { from: null, to: 'of the discarded one' },
            metadata: { from: OF_KEEP.metadata, to: MERGED },
          },
          tag_ids: [tag.id],
          by_rule: [],
          named: [],
          pools_joined: 1,
          pool_ids: [idAt(2, 1)],
        },
      },
      { ...by, action: 'file_delete', details: { original_name: 'discarded.jpg' } },
    ])
    const object = db.get<{ isSurvivor: number }>(
      `SELECT object_id = unhex(?) AS isSurvivor FROM audit_log WHERE action = 'file_merge'`,
      keep.replaceAll('-', ''),
    )
    assert.equal(object?.isSurvivor, 1)
  })

  it('tells of a merge that changes nothing but the trash', async () => {
    await resolve({ delete_discarded: false })
    const nothing = {
      changes: {},
      tag_ids: [],
      by_rule: [],
      named: [],
      pools_joined: 0,
      pool_ids: [],
    }
    const details = { discard, delete_discarded: false, ...nothing }
    assert.deepEqual(
      (await library.audit()).map((entry) => [entry.action, entry.details]),
      [['file_merge', details]],
    )
  })
})

describe('a resolution is refused, and nothing changes', () => {
  it('in order: wrong bodies, unknown files, files that the caller may not edit, the trash', async () => {
    const { db } = library.deps
    const check = async (
      body: object,
      [status, code, fields]: [number, string, string[]?],
      by = ann,
    ) => {
      const rows = allRows(db)
      assertError(await resolve(body, by), status, code, fields)
      assert.deepEqual(allRows(db), rows)
    }
    const wrong = (field: string): [number, string, string[]] => [400, 'validation_error', [field]]
    await check({ discard: keep }, wrong('discard'))
    await check({ discard: keep.toUpperCase() }, wrong('discard'))
    await check({ keep: undefined }, wrong('keep'))
    await check({ fields: { notes: 'merge' } }, wrong('fields.notes'))
    await check({ fields: { tags: 'discard' } }, wrong('fields.tags'))
    await check({ fields: { pools: 'discard' } }, wrong('fields.pools'))
    await check({ fields: { metadata: 'both' } }, wrong('fields.metadata'))
    await check({ delete_discarded: 'yes' }, wrong('delete_discarded'))
    await check({ fields: null }, wrong('fields'))
    for (const body of [{ keep: UNKNOWN }, { discard: UNKNOWN }]) {
      await check(body, [404, 'not_found'], ben)
    }
    await check({}, [403, 'forbidden'], ben)
    allow(db, ben.id, 'file', keep, 'edit')
    await check({}, [403, 'forbidden'], ben)
    allow(db, ben.id, 'file', discard, 'view')
    await check({}, [403, 'forbidden'], ben)
    await check({ keep: discard, discard: keep }, [403, 'forbidden'], ben)
    for (const id of [keep, discard]) {
      await library.call('DELETE', `/files/${id}`, ann)
      await check({}, [403, 'forbidden'], ben)
      await check({}, [409, 'conflict'])
      await library.call('POST', `/files/${id}/restore`, ann)
    }
  })

  it('when the merged metadata would be larger than 64 KiB', async () => {
    const { db } = library.deps
    const half = 'x'.repeat(40_000)
    await patch(keep, { metadata: { a: half } })
    await patch(discard, { metadata: { b: half } })
    const rows = allRows(db)
    const fields = { metadata: 'merge', notes: 'discard', tags: 'both', pools: 'both' }
    const answer = await resolve({ fields })
    assertError(answer, 400, 'validation_error', ['fields.metadata'])
    assert.deepEqual(allRows(db), rows)
  })
})

describe('a resolution by a user with edit rights on both', () => {
  it('is done, whoever owns the files', async () => {
    for (const id of [keep, discard]) allow(library.deps.db, ben.id, 'file', id, 'edit')
    const { status, body } = await resolve({ keep: keep.toUpperCase() }, ben)
    assert.deepEqual([status, body.id, body.creator_id], [200, keep, ann.id])
    assert.equal((await get(discard)).is_deleted, true)
  })
})
