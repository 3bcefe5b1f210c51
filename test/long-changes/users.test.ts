import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertError } from '../support/files.ts'
import { makeFiles } from '../support/long-changes/portions.ts'
import { FILES, useLongChanges } from '../support/long-changes/use-long-changes.ts'

const world = useLongChanges()
const { ask, meanwhile, waiting } = world

describe('while what a user created passes on', () => {
  it('the user is gone already, signed out, and the name is free', async () => {
    await ask('PUT', `/acl/tag/${world.sea}`, { permissions: [] })
    makeFiles(world.library, FILES, { owner: world.bob.id })
    const deletion = ask('DELETE', `/users/${world.bob.id}`, undefined, world.root)
    const [again] = await meanwhile(deletion, async () => {
      assertError(await ask('GET', '/users/me', undefined, world.bob), 401, 'unauthorized')
      assertError(
        await ask('GET', `/users/${world.bob.id}`, undefined, world.root),
        404,
        'not_found',
      )
      assertError(
        await ask('PATCH', `/users/${world.bob.id}`, { is_blocked: false }, world.root),
        404,
        'not_found',
      )
      const users = (await ask('GET', '/users', undefined, world.root)).body
      assert.deepEqual([users.total, users.items.length], [2, 2])
      assertError(await world.library.login('Bob'), 401, 'unauthorized')
      assert.equal(
        (await ask('POST', '/users', { name: 'Bob', password: 'another' }, world.root)).status,
        201,
      )
      assert.equal((await world.library.login('Bob', 'another')).status, 200)
      return waiting(ask('DELETE', `/users/${world.bob.id}`, undefined, world.root))
    })
    assert.equal((await deletion).status, 204)
    assert.equal((await again).status, 204)
    const { owned } = world.library.deps.db.get<{ owned: number }>(
      'SELECT count(*) AS owned FROM files WHERE creator_id = ?',
      world.root.id,
    )!
    assert.equal(owned, FILES)
    const deleted = world.library.audit().filter(({ action }) => action === 'user_delete')
    assert.deepEqual(
      deleted.map(({ details }) => details.handed_over),
      [{ files: FILES, tags: 0, categories: 0, pools: 0 }],
    )
    assertError(
      await ask('DELETE', `/users/${world.bob.id}`, undefined, world.root),
      404,
      'not_found',
    )
  })

  it('and who deleted them is deleted, too, it passes to the oldest admin', async () => {
    makeFiles(world.library, FILES, { owner: world.bob.id })
    const eve = await world.library.join('Eve', { is_admin: true })
    const deletion = ask('DELETE', `/users/${world.bob.id}`, undefined, eve)
    const [other] = await meanwhile(deletion, () =>
      waiting(ask('DELETE', `/users/${eve.id}`, undefined, world.root)),
    )
    assert.equal((await other).status, 204)
    assert.equal((await deletion).status, 204)
    const owners = world.library.deps.db.all<{ creator_id: number }>(
      'SELECT DISTINCT creator_id FROM files ORDER BY creator_id',
    )
    assert.deepEqual(
      owners.map((row) => row.creator_id),
      [world.root.id, world.ann.id],
    )
  })
})
