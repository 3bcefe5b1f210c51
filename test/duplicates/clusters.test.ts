import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { write } from '../../src/db/write.ts'
import { plainClusters, rescanAll } from '../support/duplicates/clusters.ts'
import { randomHash } from '../support/duplicates/hashes.ts'
import { addHashedFiles, storedScan } from '../support/duplicates/scans.ts'
import { randomNumbers } from '../support/file-rows.ts'
import { form, type Library, openLibrary } from '../support/harness.ts'
import { allow, ridOf } from '../support/object-rows.ts'
import { scene } from '../support/scenes.ts'

let library: Library
let root: { id: number; token: string }
let ann: { id: number; token: string }
let ben: { id: number; token: string }
before(async () => {
  library = await openLibrary({ DUPLICATE_HASH_THRESHOLD: '3' })
  root = await library.join('root', { is_admin: true })
  ann = await library.join('ann')
  ben = await library.join('ben')
})
after(() => library.close())
beforeEach(() => {
  for (const table of ['files', 'duplicate_scans']) library.deps.db.run(`DELETE FROM ${table}`)
})

const list = (query = '', token = root.token) =>
  library.call('GET', `/files/duplicates${query}`, { token })

/** The files of the clusters that somebody sees, by their ids. */
async function clusters(token = root.token): Promise<string[][]> {
  const { body } = await list('?limit=50', token)
  return body.items.map((cluster: { files: { id: string }[] }) =>
    cluster.files.map((file) => file.id),
  )
}

describe('the list of duplicates', () => {
  it('is empty before the first rescan', async () => {
    addHashedFiles(library.deps.db, [1n, 1n])
    const { status, body } = await list()
    assert.deepEqual([status, body], [200, { items: [], total: 0, offset: 0, limit: 20 }])
  })

  it('shows clusters with whole files and the distances that are stored', async () => {
    const ids = addHashedFiles(library.deps.db, [0n, -1n, 7n, 0x3fn, 0xff00ff00n, -1n])
    await rescanAll(library)
    const [a, x, b, c, , y] = ids
    const files = async (...ids: (string | undefined)[]) =>
      Promise.all(
        ids.map(async (id) => (await library.call('GET', `/files/${id}`, root)).body as unknown),
      )
    const { status, headers, body } = await list()
    assert.deepEqual([status, headers.get('Content-Type')], [200, 'application/json'])
    assert.deepEqual(body, {
      items: [
        {
          files: await files(a, b, c),
          // The first and the last hang together by the one between them only.
          distances: [
            { a, b, distance: 3 },
            { a: b, b: c, distance: 3 },
          ],
        },
        { files: await files(x, y), distances: [{ a: x, b: y, distance: 0 }] },
      ],
      total: 2,
      offset: 0,
      limit: 20,
    })
  })

  it('has pages of whole clusters, by their oldest files', async () => {
    const { db } = library.deps
    // The second file of each comes later than all the first ones, in the other order.
    const random = randomNumbers(4)
    const hashes = Array.from({ length: 52 }, () => randomHash(random))
    const first = addHashedFiles(db, hashes)
    const second = addHashedFiles(db, hashes.toReversed()).toReversed()
    await rescanAll(library)
    const expected = first.map((id, index) => [id, second[index]])
    const page = async (query: string) => {
      const { items, ...rest } = (await list(query)).body
      const ids = items.map((item: { files: { id: string }[] }) => item.files.map(({ id }) => id))
      const told = await library.call('GET', `/files/duplicates/ids${query}`, root)
      const distances = ({ distances }: { distances: object[] }) => distances
      assert.deepEqual(told.body.items.map(distances), items.map(distances))
      const counts = told.body.items.map((item: { file_count: number }) => item.file_count)
      assert.deepEqual(
        counts,
        ids.map(({ length }: string[]) => length),
      )
      const toldIds = told.body.items.map((item: { ids: string[] }) => item.ids)
      assert.deepEqual({ ...told.body, items: toldIds }, { items: ids, ...rest })
      return { ids, ...rest }
    }
    const part = (offset: number, limit: number) => ({
      ids: expected.slice(offset, offset + limit),
      total: 52,
      offset,
      limit,
    })
    assert.deepEqual(await page(''), part(0, 20))
    assert.deepEqual(await page('?offset=20'), part(20, 20))
    assert.deepEqual(await page('?limit=50&offset=40'), part(40, 50))
    assert.deepEqual(await page('?limit=1&offset=51'), part(51, 1))
    assert.deepEqual(await page('?offset=52'), part(52, 20))
  })

  it('refuses wrong pages', async () => {
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=51', 'limit'],
      ['limit=', 'limit'],
      ['offset=-1', 'offset'],
      ['offset=1&offset=2', 'offset'],
    ] as const) {
      const { status, body } = await list(`?${query}`)
      assert.deepEqual([status, body.details[0].field], [400, field], query)
    }
  })

  it('shows nobody more than they may view, and no cluster of one', async () => {
    const { db } = library.deps
    const ids = addHashedFiles(db, [0n, 7n, 0x3fn, -1n, -1n], root.id)
    await rescanAll(library)
    const [a, b, c, x, y] = ids as [string, string, string, string, string]
    assert.deepEqual(await clusters(ann.token), [])
    // Without the one between them they don't hang together.
    for (const id of [a, c, x]) allow(db, ann.id, 'file', id)
    assert.equal((await list('', ann.token)).body.total, 0)
    db.run('UPDATE files SET is_public = 1 WHERE rid IN (?, ?)', ...[b, y].map(rid))
    assert.deepEqual(await clusters(ann.token), [
      [a, b, c],
      [x, y],
    ])
    assert.deepEqual(await clusters(ben.token), [])
    db.run('UPDATE files SET creator_id = ? WHERE rid = ?', ben.id, rid(x))
    assert.deepEqual(await clusters(ben.token), [[x, y]])
  })
})

const rid = (id: string) => ridOf(library.deps.db, 'file', id)

describe('a thousand equal pictures', () => {
  it('are the right clusters for each viewer, and few rows', async () => {
    const { db } = library.deps
    const ids = addHashedFiles(db, new Array(1000).fill(0x0ff0n), root.id)
    await rescanAll(library)
    const { pairs, members } = storedScan(db)
    assert.deepEqual([pairs.length, members.length], [0, 1000])
    const first = rid(ids[0]!)
    const isTrashed = (file: number) => file % 10 === 9
    // Five that are like one another only, and one that is like no other.
    const isApart = (file: number) => file >= 20 && file < 25
    const dismissed = (a: number, b: number) => a === 3 || b === 3 || isApart(a) !== isApart(b)
    write(db, { now: 0 }, () => {
      for (let a = 0; a < 1000; a++) {
        if (isTrashed(a)) db.run('UPDATE files SET is_deleted = 1 WHERE rid = ?', first + a)
        if (a % 3 === 0) db.run('UPDATE files SET is_public = 1 WHERE rid = ?', first + a)
        if (a % 50 === 1) allow(db, ann.id, 'file', ids[a]!)
        for (let b = a + 1; b < 1000; b++) {
          if (!dismissed(a, b)) continue
          db.run('INSERT INTO duplicate_dismissals VALUES (?, ?)', first + a, first + b)
        }
      }
    })
    for (const [token, sees, sizes] of [
      [root.token, () => true, [894, 5]],
      [ann.token, (a: number) => a % 3 === 0 || a % 50 === 1, [310, 2]],
      [ben.token, (a: number) => a % 3 === 0, [297, 2]],
    ] as [string, (a: number) => boolean, number[]][]) {
      const files = ids.map((id, index) => ({
        id,
        hash: 0x0ff0n,
        isVisible: !isTrashed(index) && sees(index),
      }))
      const expected = plainClusters(files, 3, dismissed)
      const found = await clusters(token)
      assert.deepEqual(
        found,
        expected.map((cluster) => cluster.files),
      )
      assert.deepEqual(
        found.map((cluster) => cluster.length),
        sizes,
      )
    }
  })
})

describe('what is done to a file shows in the next list', () => {
  let ids: [string, string, string]
  let trio: string[][]
  beforeEach(async () => {
    ids = [] as unknown as typeof ids
    for (const quality of [95, 80, 60]) {
      const { body } = await library.upload(root.token, await scene(1, quality))
      ids.push(body.id)
    }
    trio = [ids]
    await rescanAll(library)
    assert.deepEqual(await clusters(), trio)
    assert.deepEqual(await clusters(ann.token), [])
  })

  async function act(method: string, path: string, body?: unknown, token = root.token) {
    const { status, text } = await library.call(method, path, { token, body })
    assert.ok(status >= 200 && status < 300, text)
  }

  it('when it is trashed, restored, and gone for good', async () => {
    const [a, b, c] = ids
    await act('DELETE', `/files/${b}`)
    assert.deepEqual(await clusters(), [[a, c]])
    await act('POST', `/files/${b}/restore`)
    assert.deepEqual(await clusters(), trio)
    await act('POST', '/files/bulk/delete', { file_ids: [a, b] })
    assert.deepEqual(await clusters(), [])
    await act('DELETE', `/files/${a}/permanent`)
    await act('POST', `/files/${b}/restore`)
    assert.deepEqual(await clusters(), [[b, c]])
  })

  it('when rights change', async () => {
    const [a, b, c] = ids
    await act('PATCH', `/files/${a}`, { is_public: true })
    const acl = (can_view: boolean) => ({ permissions: [{ user_id: ann.id, can_view }] })
    await act('PUT', `/acl/file/${c}`, acl(true))
    assert.deepEqual(await clusters(ann.token), [[a, c]])
    await act('PUT', `/acl/file/${b}`, acl(true))
    assert.deepEqual(await clusters(ann.token), trio)
    await act('PUT', `/acl/file/${c}`, acl(false))
    assert.deepEqual(await clusters(ann.token), [[a, b]])
    await act('PATCH', `/files/${a}`, { is_public: false })
    assert.deepEqual(await clusters(ann.token), [])
    await act('PATCH', `/users/${ann.id}`, { is_admin: true })
    assert.deepEqual(await clusters(ann.token), trio)
    await act('PATCH', `/users/${ann.id}`, { is_admin: false })
    assert.deepEqual(await clusters(ann.token), [])
  })

  it('when its content is replaced, and with a rescan', async () => {
    const [a, b, c] = ids
    const body = form(await scene(2), 'other.jpg')
    await act('PUT', `/files/${b}/content`, body)
    assert.deepEqual(await clusters(), [[a, c]])
    await rescanAll(library)
    assert.deepEqual(await clusters(), [[a, c]])
    await act('PUT', `/files/${b}/content`, form(await scene(1, 70), 'again.jpg'))
    assert.deepEqual(await clusters(), [[a, c]])
    await rescanAll(library)
    assert.deepEqual(await clusters(), trio)
  })

  it('when its content is replaced by one with the same hash, only with a rescan', async () => {
    const [a, b, c] = ids
    const hashOf = async () => (await library.call('GET', `/files/${b}`, root)).body.phash
    const before = await hashOf()
    await act('PUT', `/files/${b}/content`, form(await scene(1, 70), 'again.jpg'))
    assert.equal(await hashOf(), before)
    assert.deepEqual(await clusters(), [[a, c]])
    await rescanAll(library)
    assert.deepEqual(await clusters(), trio)
  })

  it('when it is new only with a rescan', async () => {
    const { body } = await library.upload(root.token, await scene(1, 50))
    assert.deepEqual(await clusters(), trio)
    await rescanAll(library)
    assert.deepEqual(await clusters(), [[...ids, body.id]])
  })
})
