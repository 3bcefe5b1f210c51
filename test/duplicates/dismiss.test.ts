import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { rescanAll } from '../support/duplicates/clusters.ts'
import { addHashedFiles } from '../support/duplicates/scans.ts'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { allow, allRows } from '../support/object-rows.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let library: Library
let root: { id: number; token: string }
let ann: { id: number; token: string }
let ids: [string, string, string]
before(async () => {
  library = await openLibrary({ DUPLICATE_HASH_THRESHOLD: '3' })
  root = await library.join('root', { is_admin: true })
  ann = await library.join('ann')
})
after(() => library.close())
beforeEach(async () => {
  const { db } = library.deps
  for (const table of ['files', 'duplicate_scans']) db.run(`DELETE FROM ${table}`)
  ids = addHashedFiles(db, [0n, 7n, 0x3fn], root.id) as typeof ids
  await rescanAll(library)
  db.run('DELETE FROM audit_log')
})

const dismiss = (file_id_a: unknown, file_id_b: unknown, { token } = root) =>
  library.call('POST', '/files/duplicates/dismiss', { token, body: { file_id_a, file_id_b } })

async function clusters({ token } = root): Promise<string[][]> {
  const { body } = await library.call('GET', '/files/duplicates', { token })
  return body.items.map((cluster: { files: { id: string }[] }) =>
    cluster.files.map((file) => file.id),
  )
}

describe('a dismissed pair', () => {
  it('is no pair any more, for anybody, in whichever order it was named', async () => {
    const [a, b, c] = ids
    for (const id of ids) allow(library.deps.db, ann.id, 'file', id)
    const { status, text } = await dismiss(b, a, ann)
    assert.deepEqual([status, text], [204, ''])
    for (const user of [root, ann]) assert.deepEqual(await clusters(user), [[b, c]])
    assert.equal((await dismiss(b, c)).status, 204)
    for (const user of [root, ann]) assert.deepEqual(await clusters(user), [])
  })

  it('stays one whose files hang together through others', async () => {
    const [extra] = addHashedFiles(library.deps.db, [3n], root.id) as [string]
    await rescanAll(library)
    const [a, b, c] = ids
    await dismiss(a, b)
    const { items } = (await library.call('GET', '/files/duplicates', root)).body
    assert.deepEqual(
      items.map((item: { distances: unknown }) => item.distances),
      [
        [
          { a, b: extra, distance: 2 },
          { a: b, b: c, distance: 3 },
          { a: b, b: extra, distance: 1 },
        ],
      ],
    )
  })

  it('is dismissed once, with one entry of the audit log', async () => {
    const [a, b] = ids
    for (const pair of [
      [b, a],
      [a, b],
      [b.toUpperCase(), a.toUpperCase()],
    ]) {
      assert.equal((await dismiss(pair[0], pair[1])).status, 204)
    }
    const details = { file_id_a: b, file_id_b: a }
    assert.deepEqual(await library.audit(), [
      { user_id: root.id, user_name: 'root', action: 'duplicate_dismiss', details },
    ])
  })

  it('stays dismissed after rescans, while trashed, and when replaced', async () => {
    const { db } = library.deps
    const [a, b, c] = ids
    await dismiss(a, b)
    await rescanAll(library)
    assert.deepEqual(await clusters(), [[b, c]])
    await library.call('DELETE', `/files/${a}`, root)
    await rescanAll(library)
    await library.call('POST', `/files/${a}/restore`, root)
    assert.deepEqual(await clusters(), [[b, c]])
    db.run('UPDATE files SET phash = 63 WHERE phash = 0')
    await rescanAll(library)
    const { items } = (await library.call('GET', '/files/duplicates', root)).body
    assert.deepEqual(
      items[0].distances.map((pair: { a: string; b: string }) => [pair.a, pair.b]),
      [
        [a, c],
        [b, c],
      ],
    )
  })

  it('may be any two files, alike or not, also in the trash', async () => {
    const [a, , c] = ids
    await library.call('DELETE', `/files/${c}`, root)
    assert.equal((await dismiss(c, a)).status, 204)
  })
})

describe('a dismissal is refused', () => {
  it('in order: wrong ids, unknown files, files that the caller may not view', async () => {
    const { db } = library.deps
    const [a, b] = ids
    allow(db, ann.id, 'file', a)
    const rows = allRows(db)
    for (const [one, other, wrong] of [
      [a, a, 'file_id_b'],
      [a, a.toUpperCase(), 'file_id_b'],
      [a, 'x', 'file_id_b'],
      [undefined, b, 'file_id_a'],
      [null, b, 'file_id_a'],
    ]) {
      assertError(await dismiss(one, other), 400, 'validation_error', [wrong!])
    }
    for (const pair of [
      [a, UNKNOWN],
      [UNKNOWN, a],
      [b, UNKNOWN],
      [UNKNOWN, b],
    ]) {
      assertError(await dismiss(pair[0], pair[1], ann), 404, 'not_found')
    }
    for (const pair of [
      [a, b],
      [b, a],
    ]) {
      assertError(await dismiss(pair[0], pair[1], ann), 403, 'forbidden')
    }
    assert.deepEqual(allRows(db), rows)
  })
})
