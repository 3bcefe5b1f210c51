import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { assertError } from '../support/files.ts'
import { countRows, makeFiles, operationOf } from '../support/long-changes/portions.ts'
import { FILES, useLongChanges } from '../support/long-changes/use-long-changes.ts'
import { storedPool } from '../support/object-rows.ts'

const world = useLongChanges()
const { ask, entries, meanwhile, waiting } = world

/** A pool of all files, the newest first, which everybody may view. */
let pool: string
let order: string[]
beforeEach(async () => {
  pool = (await ask('POST', '/pools', { name: 'trip', is_public: true, notes: 'n' })).body.id
  order = world.files.toReversed()
  assert.equal((await ask('POST', `/pools/${pool}/files`, { file_ids: order })).status, 201)
})

const letBobEdit = () => {
  const permissions = [{ user_id: world.bob.id, can_view: true, can_edit: true }]
  return ask('PUT', `/acl/pool/${pool}`, { permissions })
}
const remove = (user = world.ann) => ask('DELETE', `/pools/${pool}`, undefined, user)
const left = () => countRows(world.library.deps.db, 'pool_files')
const newestOperation = () =>
  world.library.deps.db.get<{ operation: number }>(
    'SELECT operation FROM audit_log ORDER BY id DESC LIMIT 1',
  )!.operation
const undo = (operation: number) => ask('POST', `/operations/${operation}/undo`)

describe('while the files of a deleted pool are taken out of it', () => {
  it('it is gone already, for everybody and everywhere', async () => {
    await letBobEdit()
    const other = (await ask('POST', '/pools', { name: 'trip 2' })).body.id
    const deletion = remove()
    await meanwhile(deletion, async () => {
      assert.ok(left() > 0 && left() < FILES, String(left()))
      const file_ids = world.files.slice(0, 1)
      for (const user of [world.ann, world.bob, world.root]) {
        for (const [method, path, body] of [
          ['GET', `/pools/${pool}`],
          ['PATCH', `/pools/${pool}`, { name: 'x' }],
          ['GET', `/pools/${pool}/files`],
          ['POST', `/pools/${pool}/files`, { file_ids }],
          ['POST', `/pools/${pool}/files/remove`, { file_ids }],
          ['POST', `/pools/${pool}/views`],
          ['GET', `/acl/pool/${pool}`],
          ['GET', `/files/cells?pool=${pool}`],
          ['GET', `/files/timeline?pool=${pool}`],
          ['POST', '/files/reach', { pool_id: pool, user_ids: [world.bob.id] }],
        ] as const) {
          const answer = await ask(method, path, body, user)
          assert.equal(answer.status, 404, `${method} ${path}: ${answer.text}`)
        }
        for (const query of ['', '?search=trip', '?sort=name&order=asc']) {
          const { items, total } = (await ask('GET', `/pools${query}`, undefined, user)).body
          const ids = items.map((item: { id: string }) => item.id)
          assert.deepEqual([ids, total], user === world.bob ? [[], 0] : [[other], 1])
        }
      }
      assert.equal((await ask('GET', `/files/${world.files[0]}`)).status, 200)
    })
    const answer = await deletion
    assert.equal(answer.status, 204)
    assert.deepEqual([left(), countRows(world.library.deps.db, 'pools')], [0, 1])
    assert.equal(countRows(world.library.deps.db, 'files'), FILES)
    const { action, details } = world.library.audit().at(-1)!
    assert.equal(action, 'pool_delete')
    const { name, file_count, files } = details as Record<string, unknown>
    assert.deepEqual([name, file_count, files], ['trip', FILES, FILES])
    assert.equal(operationOf(answer), newestOperation())
  })

  it('who asks for that again waits for it, and to everybody else it is gone', async () => {
    const deletion = remove()
    let isOver = false
    const again = await meanwhile(deletion, async () => {
      assertError(await remove(world.bob), 404, 'not_found')
      const second = remove()
      second.then(() => {
        isOver = countRows(world.library.deps.db, 'long_changes') === 0
      })
      return waiting(second)
    })
    assert.equal((await again[0]).status, 204)
    assert.equal(isOver, true)
    assert.equal((await deletion).status, 204)
    assert.equal(entries().filter((action) => action === 'pool_delete').length, 1)
  })

  it('a merge of two files joins it no more', async () => {
    const [keep, discard] = world.files.slice(-2)
    await ask('POST', `/pools/${pool}/files/remove`, { file_ids: [keep] })
    const deletion = remove()
    const merge = await meanwhile(deletion, async () =>
      ask('POST', '/files/duplicates/resolve', { keep, discard, fields: { pools: 'both' } }),
    )
    assert.equal(merge.status, 200, merge.text)
    assert.equal((await deletion).status, 204)
    const merged = world.library.audit().find(({ action }) => action === 'file_merge')
    assert.deepEqual([merged!.details.pools_joined, merged!.details.pool_ids], [0, []])
  })

  it('the ids of new pools go on ascending', async () => {
    const deletion = remove()
    const next = await meanwhile(deletion, () => ask('POST', '/pools', { name: 'next' }))
    assert.equal((await deletion).status, 204)
    const last = await ask('POST', '/pools', { name: 'last' })
    const ids = [pool, next.body.id, last.body.id]
    assert.deepEqual(ids.toSorted(), ids)
  })

  it('its deletion is not undone yet, and afterwards it comes back as it was', async () => {
    await letBobEdit()
    const was = (await ask('GET', `/pools/${pool}`)).body
    const deletion = remove()
    await meanwhile(deletion, async () => {
      const answer = await undo(newestOperation())
      assertError(answer, 409, 'conflict')
      assert.match(answer.body.message, /not over yet/)
    })
    const undone = await undo(operationOf(await deletion))
    assert.deepEqual([undone.status, undone.body.kept_total], [200, 0])
    assert.deepEqual((await ask('GET', `/pools/${pool}`)).body, was)
    const stored = storedPool(world.library.deps.db, pool)
    assert.deepEqual(
      stored.map(([id]) => id),
      order,
    )
    const rename = await ask('PATCH', `/pools/${pool}`, { name: 'mine' }, world.bob)
    assert.equal(rename.status, 200)
  })
})

describe('while the files of a pool are shared', () => {
  const letBobView = () =>
    ask('PUT', `/acl/pool/${pool}`, { permissions: [{ user_id: world.bob.id }] })
  const share = (shares_files: boolean) => ask('PATCH', `/pools/${pool}`, { shares_files })
  const seen = async () => (await ask('GET', '/files/ids', undefined, world.bob)).body.total

  for (const [what, act, again] of [
    ['its creator ends that', () => share(false), () => share(true)],
    [
      'somebody is taken off its list',
      () => ask('PUT', `/acl/pool/${pool}`, { permissions: [] }),
      letBobView,
    ],
    ['it is deleted', () => remove(), async () => undo(newestOperation())],
  ] as const) {
    it(`nothing is left when ${what}, and all files are seen when that is taken back`, async () => {
      await letBobView()
      const sharing = share(true)
      const end = await meanwhile(sharing, async () => {
        const part = await seen()
        assert.ok(part > 0 && part < FILES, String(part))
        return [act()] as const
      })
      assert.equal((await sharing).status, 200)
      assert.ok((await end[0]).status < 300)
      assert.equal(await seen(), 0)
      const { db } = world.library.deps
      assert.deepEqual(
        [countRows(db, 'acl WHERE pool_rid > 0'), countRows(db, 'long_changes')],
        [0, 0],
      )
      assert.ok((await again()).status < 300)
      assert.equal(await seen(), FILES)
    })
  }

  it('files that are put into it are shared in portions, but not one that is out again', async () => {
    await letBobView()
    await ask('POST', `/pools/${pool}/files/remove`, { file_ids: order })
    await share(true)
    const adding = ask('POST', `/pools/${pool}/files`, { file_ids: order })
    await meanwhile(adding, async () => {
      const part = await seen()
      assert.ok(part > 0 && part < FILES, String(part))
      await ask('POST', `/pools/${pool}/files/remove`, { file_ids: order.slice(0, 10) })
    })
    assert.equal((await adding).status, 201)
    assert.equal(await seen(), FILES - 10)
  })
})

it('a deleted pool comes back with its files in portions, and is found once the last one is there', async () => {
  const undoing = undo(operationOf(await remove()))
  await meanwhile(undoing, async () => {
    assert.ok(left() > 0 && left() < FILES, String(left()))
    for (const path of [`/pools/${pool}`, `/pools/${pool}/files`, `/acl/pool/${pool}`])
      assertError(await ask('GET', path, undefined, world.root), 404, 'not_found')
    assert.equal((await ask('GET', '/pools')).body.total, 0)
    assertError(await remove(), 404, 'not_found')
    assertError(await undo(newestOperation()), 409, 'conflict')
    const last = order.at(-1)
    assert.equal((await ask('DELETE', `/files/${last}`)).status, 204)
    const purge = await ask('DELETE', `/files/${last}/permanent`, undefined, world.root)
    assert.equal(purge.status, 204)
  })
  assert.equal((await undoing).status, 200)
  assert.equal((await ask('GET', `/pools/${pool}`)).body.file_count, FILES - 1)
  const stored = storedPool(world.library.deps.db, pool)
  assert.deepEqual(
    stored.map(([id]) => id),
    order.slice(0, -1),
  )
})

it('a pool that an undo deletes again has no files left when the undo is answered', async () => {
  const restored = await undo(operationOf(await remove()))
  const deletion = undo(operationOf(restored))
  await meanwhile(deletion, async () => {
    assert.ok(left() > 0)
    assertError(await ask('GET', `/pools/${pool}`), 404, 'not_found')
  })
  assert.equal((await deletion).status, 200)
  assert.deepEqual([left(), countRows(world.library.deps.db, 'pools')], [0, 0])
  assert.deepEqual(entries().slice(-2), ['pool_delete', 'operation_undo'])
})

it('a pool of which little is there is deleted in one write', async () => {
  const small = (await ask('POST', '/pools', { name: 'small' })).body.id
  const file_ids = makeFiles(world.library, 100, { owner: world.ann.id })
  await ask('POST', `/pools/${small}/files`, { file_ids })
  await world.library.deps.longChanges.stop()
  assert.equal((await ask('DELETE', `/pools/${small}`)).status, 204)
  assert.equal(left(), FILES)
})
