import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { write } from '../../src/db/write.ts'
import { deleteFirstOwned } from '../../src/users/queries.ts'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary } from '../support/harness.ts'

type Name = 'root' | 'ann' | 'vic' | 'sam'

let library: Library
const people = {} as Record<Name, { id: number; token: string }>
/** Ann's a, which Vic may view, and b, which she alone sees. */
let a: string
let b: string
let shade = 0

const call = (by: Name, method: string, path: string, body?: object) =>
  library.call(method, path, { token: people[by].token, ...(body && { body }) })
const heart = async (by: Name, id: string, method = 'PUT') => {
  const answer = await call(by, method, `/files/${id}/favourite`)
  assert.equal(answer.status, 204, answer.text)
  return answer
}
const allow = (ids: string[], names: Name[]) =>
  Promise.all(
    ids.map((id) =>
      call('ann', 'PUT', `/acl/file/${id}`, {
        permissions: names.map((name) => ({ user_id: people[name].id, can_edit: false })),
      }),
    ),
  )

/** Returns the favourites of somebody, after checking that every answer says the same. */
async function liked(by: Name): Promise<string[]> {
  const idsOf = async (query: string) =>
    (await call(by, 'GET', `/files/ids?${query}`)).body.ids as string[]
  const ids = await idsOf('filter={f=1}')
  const others = await idsOf('filter={f=0}')
  assert.deepEqual([...ids, ...others].sort(), (await idsOf('')).sort())
  const cells = (await call(by, 'GET', '/files/cells')).body
  const marked = cells.ids.filter((_: string, n: number) => (cells.f[n] & 32) !== 0)
  assert.deepEqual(marked, ids)
  const { items } = (await call(by, 'GET', '/files?filter={f=1}')).body
  assert.deepEqual(
    items.map((file: { id: string }) => file.id),
    ids,
  )
  for (const { id, is_favourite } of (await call(by, 'GET', '/files')).body.items) {
    assert.equal(is_favourite, ids.includes(id))
    assert.equal((await call(by, 'GET', `/files/${id}`)).body.is_favourite, is_favourite)
  }
  return ids
}

const rows = () => library.deps.db.get<{ n: number }>('SELECT count(*) AS n FROM favourites')!.n

before(async () => {
  library = await openLibrary()
  for (const name of ['root', 'ann', 'vic', 'sam'] as const) {
    people[name] = await library.join(name, {
      is_admin: name === 'root',
      can_create: name === 'ann',
    })
  }
})
after(() => library.close())

beforeEach(async () => {
  library.deps.db.run('DELETE FROM favourites')
  const bytes = await sharp({
    create: { width: 30, height: 20, channels: 3, background: { r: 9, g: 9, b: ++shade } },
  })
    .jpeg()
    .toBuffer()
  const upload = async () => (await library.upload(people.ann.token, bytes)).body.id as string
  a = await upload()
  b = await upload()
  await allow([a], ['vic'])
})

describe('favourites', () => {
  it('are of each user alone', async () => {
    const before = await call('ann', 'GET', `/files/${a}`)
    const cellsBefore = await call('ann', 'GET', '/files/cells')
    const audit = (await call('root', 'GET', '/audit')).body.total
    const { headers } = await heart('vic', a)
    assert.equal(headers.get('Operation'), null)
    await heart('vic', a)
    assert.deepEqual(await liked('vic'), [a])
    assert.deepEqual(await liked('ann'), [])
    assert.deepEqual(await liked('root'), [])
    assert.equal((await call('ann', 'GET', `/files/${a}`)).text, before.text)
    assert.equal((await call('ann', 'GET', '/files/cells')).text, cellsBefore.text)
    assert.equal((await call('root', 'GET', '/audit')).body.total, audit)
    await heart('vic', a, 'DELETE')
    await heart('vic', a, 'DELETE')
    assert.deepEqual(await liked('vic'), [])
  })

  it('need the right to view', async () => {
    for (const method of ['PUT', 'DELETE']) {
      assertError(await call('sam', method, `/files/${a}/favourite`), 403, 'forbidden')
      assertError(
        await call('sam', method, `/files/${people.ann.id}/favourite`),
        400,
        'validation_error',
        ['file_id'],
      )
      const unknown = '01890000-0000-7000-8000-000000000000'
      assertError(await call('sam', method, `/files/${unknown}/favourite`), 404, 'not_found')
    }
    assert.equal(rows(), 0)
  })

  it('are away while the file is, and come back with it', async () => {
    await heart('vic', a)
    await allow([a], [])
    assert.deepEqual(await liked('vic'), [])
    await allow([a], ['vic'])
    assert.deepEqual(await liked('vic'), [a])
    await call('ann', 'DELETE', `/files/${a}`)
    assert.deepEqual(await liked('vic'), [])
    await call('ann', 'POST', `/files/${a}/restore`)
    assert.deepEqual(await liked('vic'), [a])
  })

  it('are set in bulk for what may be viewed', async () => {
    await heart('vic', a)
    const set = async (by: Name, file_ids: string[], is_favourite: boolean) =>
      (await call(by, 'POST', '/files/bulk/favourite', { file_ids, is_favourite })).body
    assert.deepEqual(await set('vic', [a, b], true), { changed: 0, skipped: 1, skipped_ids: [b] })
    assert.deepEqual(await set('ann', [a, b], true), { changed: 2, skipped: 0, skipped_ids: [] })
    assert.deepEqual((await liked('ann')).sort(), [a, b].sort())
    assert.deepEqual(await set('ann', [a], false), { changed: 1, skipped: 0, skipped_ids: [] })
    assert.deepEqual(await liked('ann'), [b])
    assert.deepEqual(await liked('vic'), [a])
    const wrong = await call('ann', 'POST', '/files/bulk/favourite', { file_ids: [a] })
    assertError(wrong, 400, 'validation_error', ['is_favourite'])
  })

  it('stay with a file whose content is replaced, and go with the file or the person', async () => {
    const eve = await library.join('eve')
    await call('ann', 'PATCH', `/files/${a}`, { is_public: true })
    const put = await library.call('PUT', `/files/${a}/favourite`, { token: eve.token })
    assert.equal(put.status, 204)
    await heart('vic', a)
    const body = new FormData()
    const other = await sharp({
      create: { width: 8, height: 8, channels: 3, background: { r: 200, g: 9, b: 9 } },
    })
      .png()
      .toBuffer()
    body.append('file', new Blob([other]), 'other.png')
    const replaced = await library.call('PUT', `/files/${a}/content`, {
      token: people.ann.token,
      body,
    })
    assert.equal(replaced.status, 200)
    assert.deepEqual(await liked('vic'), [a])
    assert.equal(rows(), 2)
    assert.equal((await call('root', 'DELETE', `/users/${eve.id}`)).status, 204)
    assert.equal(rows(), 1)
    await call('ann', 'DELETE', `/files/${a}`)
    assert.equal((await call('ann', 'DELETE', `/files/${a}/permanent`)).status, 204)
    assert.equal(rows(), 0)
  })

  it('go over to the file that another is merged into', async () => {
    await heart('ann', b)
    await heart('vic', a)
    const resolved = await call('ann', 'POST', '/files/duplicates/resolve', {
      keep: b,
      discard: a,
      delete_discarded: false,
    })
    assert.equal(resolved.status, 200, resolved.text)
    assert.deepEqual(await liked('ann'), [b])
    await allow([b], ['vic'])
    assert.deepEqual((await liked('vic')).sort(), [a, b].sort())
  })

  it('go over to the file that others are settled into', async () => {
    await heart('ann', b)
    await heart('vic', a)
    const settled = await call('ann', 'POST', '/files/duplicates/proposals/settle', {
      items: [{ keep: a, discard: [b] }],
    })
    assert.equal(settled.body.settled, 1, settled.text)
    assert.deepEqual(await liked('ann'), [a])
    assert.deepEqual(await liked('vic'), [a])
  })

  it('are among what goes in portions with the person', async () => {
    const { db } = library.deps
    const eve = await library.join('eva')
    await call('ann', 'POST', '/files/bulk/update', { file_ids: [a, b], set: { is_public: true } })
    for (const id of [a, b]) {
      await library.call('PUT', `/files/${id}/favourite`, { token: eve.token })
    }
    await heart('vic', a)
    const deleted = () => write(db, { now: 0 }, (tx) => deleteFirstOwned(tx, eve.id, 1))
    const left = [deleted(), rows(), deleted(), rows(), deleted(), rows()]
    assert.deepEqual(left, [1, 2, 1, 1, 0, 1])
  })
})
