import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openDatabase } from '../../../src/db/client.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { commandLine, type SpawnedServer, spawnServer } from '../../support/spawn.ts'

describe('tagstead user', () => {
  let server: SpawnedServer
  before(async () => {
    server = await spawnServer({ env: { AUTH_RATE_LIMIT: '0' } })
  })
  after(() => server.stop())

  /** Runs the command with a text as standard input, by default in the data folder of the server. */
  async function user(args: string[], input = '', env: Record<string, string> = {}) {
    const [program, ...own] = commandLine()
    const child = spawn(program, [...own, 'user', ...args], {
      env: { PATH: process.env.PATH, DATA_DIR: server.dataDir, ...env },
      cwd: tmpdir(),
    })
    child.stdin.on('error', () => {}).end(input)
    const [out, err] = [child.stdout.toArray(), child.stderr.toArray()]
    const [code] = await once(child, 'close')
    return { code, stdout: Buffer.concat(await out).toString(), stderr: String(await err) }
  }
  const done = async (args: string[], input?: string) => {
    const { code, stdout, stderr } = await user(args, input)
    assert.deepEqual([code, stderr], [0, ''])
    return stdout
  }
  const login = (name: string, password: string) =>
    fetch(`${server.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, password }),
    })
  const keyOf = async (token: string): Promise<string> => {
    const answer = await fetch(`${server.url}/api/v1/auth/keys`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'app', scope: 'read' }),
    })
    return ((await answer.json()) as { key: string }).key
  }
  const tokenOf = async (name: string, password: string) => {
    const answer = await login(name, password)
    assert.equal(answer.status, 200)
    return ((await answer.json()) as { access_token: string }).access_token
  }
  const self = async (token: string) => {
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await fetch(`${server.url}/api/v1/users/me`, { headers })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  /** Returns all that the library knows of its users. */
  const users = () => {
    const db = openDatabase(dataFolder(server.dataDir).database)
    try {
      return db.all('SELECT * FROM users')
    } finally {
      db.close()
    }
  }

  it('adds users, who sign in at once', async () => {
    await done(
      ['add', ' Zoë ', '--can-create'],
      'a password\nof which only the first line counts\n',
    )
    const { body } = await self(await tokenOf('Zoë', 'a password'))
    const { id, ...rest } = body
    assert.equal(typeof id, 'number')
    const rights = { is_admin: false, can_create: true, is_blocked: false }
    assert.deepEqual(rest, { name: 'Zoë', ...rights })
    await done(['add', 'adam', '--admin'], 'another one')
    assert.equal((await self(await tokenOf('adam', 'another one'))).body.is_admin, true)
  })

  it('lists them', async () => {
    assert.equal(
      await done(['list']),
      'admin (admin, can create)\nZoë (can create)\nadam (admin)\n',
    )
    const listed = JSON.parse(await done(['list', '--json'])) as { name: string }[]
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['admin', 'Zoë', 'adam'],
    )
  })

  it('gives a new password, with which the former one, all sessions and, if asked, all keys end', async () => {
    const token = await tokenOf('Zoë', 'a password')
    const key = await keyOf(token)
    assert.equal((await self(key)).status, 200)
    await done(['password', 'Zoe\u0308', '--end-keys'], 'a new one\n')
    assert.equal((await self(token)).status, 401)
    assert.equal((await self(key)).status, 401)
    assert.equal((await login('Zoë', 'a password')).status, 401)
    assert.equal((await login('Zoë', 'a new one')).status, 200)
  })

  it('makes admins, and no longer, while one is left', async () => {
    const token = await tokenOf('Zoë', 'a new one')
    await done(['admin', 'Zoë'])
    assert.equal((await self(token)).body.is_admin, true)
    for (const name of ['Zoë', 'adam']) await done(['admin', name, '--off'])
    assert.equal((await self(token)).body.is_admin, false)
    const last = await user(['admin', 'admin', '--off'])
    assert.equal(last.code, 1)
    assert.match(last.stderr, /last admin who is not blocked/)
  })

  it('blocks, and lets in again', async () => {
    const token = await tokenOf('Zoë', 'a new one')
    await done(['block', 'Zoë'])
    assert.equal((await self(token)).status, 401)
    assert.equal((await login('Zoë', 'a new one')).status, 403)
    assert.match(await done(['list']), /^Zoë \(can create, blocked\)$/m)
    await done(['block', 'Zoë', '--off'])
    assert.equal((await login('Zoë', 'a new one')).status, 200)
  })

  it('is written down as what the system did', async () => {
    const headers = { Authorization: `Bearer ${await tokenOf('admin', server.adminPassword)}` }
    const answer = await fetch(`${server.url}/api/v1/audit?user_id=0&limit=100`, { headers })
    const { items } = (await answer.json()) as { items: { action: string }[] }
    const actions = items.map(({ action }) => action).reverse()
    assert.deepEqual(actions, [
      'user_create',
      ...['user_create', 'user_create', 'user_password_reset'],
      ...['user_role_change', 'user_role_change', 'user_role_change'],
      ...['user_block', 'user_unblock'],
    ])
  })

  it('gives a new password to who has a name that no new user may have', async () => {
    const { database } = dataFolder(server.dataDir)
    const old = 'x'.repeat(40)
    const db = openDatabase(database)
    const added = `INSERT INTO users (name, password_hash, is_admin, can_create, is_blocked)
      VALUES (?, '', 0, 0, 1)`
    db.run(added, old)
    try {
      await done(['password', old], 'a password\n')
      // Who is blocked is told so only with the right password.
      assert.equal((await login(old, 'a password')).status, 403)
    } finally {
      db.run('DELETE FROM users WHERE name = ?', old)
      db.close()
    }
  })

  const REFUSED: Record<string, [args: string[], input: string, complaint: RegExp]> = {
    'somebody unknown': [['password', 'nobody'], 'x', /There is no user "nobody"/],
    'a name that is taken': [['add', 'Zoë'], 'a password', /Another user has this name/],
    'a name that is too long': [['add', 'x'.repeat(33)], 'a password', /the name must have/],
    'no password': [['add', 'new'], '', /no password was given/],
    'an empty password': [['add', 'new'], '\n', /the password must have 1 to 256 characters/],
  }
  for (const [what, [args, input, complaint]] of Object.entries(REFUSED)) {
    it(`refuses ${what}, and changes nothing`, async () => {
      const before = users()
      const { code, stdout, stderr } = await user(args, input)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, complaint)
      assert.deepEqual(users(), before)
    })
  }

  it('refuses a password that is shorter than the settings ask for', async () => {
    const { code, stderr } = await user(['add', 'new'], 'short', { PASSWORD_MIN_LENGTH: '12' })
    assert.equal(code, 1)
    assert.match(stderr, /12 to 256 characters/)
  })

  it('needs a library', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'tagstead-'))
    const { code, stderr } = await user(['list'], '', { DATA_DIR: empty })
    assert.equal(code, 1)
    assert.match(stderr, /There is no library/)
    rmSync(empty, { recursive: true })
  })

  for (const args of [[], ['list', 'Zoë'], ['add'], ['fly', 'Zoë'], ['block', 'Zoë', '--admin']]) {
    it(`shows how it is used in place of "${args.join(' ')}"`, async () => {
      const { code, stderr } = await user(args)
      assert.equal(code, 2)
      assert.match(stderr, /^Usage: tagstead user list/)
    })
  }
})
