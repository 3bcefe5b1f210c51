import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ensureFirstAdmin } from '../../src/auth/first-admin.ts'
import type { User } from '../../src/base/user.ts'
import { openDatabase } from '../../src/db/client.ts'
import { openLibrary } from '../support/harness.ts'

describe('the first admin', () => {
  it('gets a generated password when none is set, once', async () => {
    const library = await openLibrary({ PASSWORD_MIN_LENGTH: '40' })
    const shown: string[] = []
    const show = (...made: string[]) => shown.push(...made)
    await ensureFirstAdmin(library.deps, show)
    const [name, password] = shown
    assert.equal(name, 'admin')
    assert.match(password!, /^[\w-]{40,}$/)
    const answer = await library.login('admin', password)
    assert.equal(answer.status, 200)
    const me = await library.call('GET', '/users/me', { token: answer.body.access_token })
    const expected: User & { is_blocked: boolean } = {
      id: 1,
      name: 'admin',
      is_admin: true,
      can_create: true,
      is_blocked: false,
    }
    assert.deepEqual(me.body, expected)
    assert.deepEqual(library.audit()[0], {
      user_id: 0,
      user_name: 'system',
      action: 'user_create',
      details: { user_id: 1, name: 'admin', is_admin: true, can_create: true },
    })
    await ensureFirstAdmin(library.deps, show)
    assert.deepEqual(shown, [name, password])
    await library.close()
  })

  it('is not there before its password was shown, and not at all when that fails', async () => {
    const library = await openLibrary()
    const other = openDatabase(join(library.folder, 'tagstead.sqlite'))
    const users = () => other.all('SELECT name FROM users')
    const cut = ensureFirstAdmin(library.deps, () => {
      assert.deepEqual(users(), [])
      throw new Error('nobody reads')
    })
    await assert.rejects(cut, /nobody reads/)
    assert.deepEqual(users(), [])
    let password = ''
    await ensureFirstAdmin(library.deps, (_, generated) => {
      password = generated
    })
    assert.deepEqual(users(), [{ name: 'admin' }])
    assert.equal((await library.login('admin', password)).status, 200)
    other.close()
    await library.close()
  })

  it('has the name and password of the settings, which are never handed out', async () => {
    const library = await openLibrary({ ADMIN_USERNAME: 'Zo\u0065\u0308', ADMIN_PASSWORD: 'given' })
    await ensureFirstAdmin(library.deps, () => assert.fail('shown'))
    assert.equal((await library.login('Zo\u00eb', 'given')).status, 200)
    await library.close()
  })
})
