import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createPasswords } from '../../src/auth/password.ts'
import { parseConfig } from '../../src/config.ts'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { lockImports } from '../../src/imports/import.ts'
import { picture } from '../support/harness.ts'
import { namesIn, putFile } from '../support/imports.ts'
import { commandLine, type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { signIn } from '../torture/upload.ts'

const COUNT = 40
/** The user who owns nothing. */
const NOBODY = 65534

let dataDir: string
let folder: string
let db: Db
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tagstead-import-'))
  folder = join(dataDir, 'import')
  mkdirSync(folder)
  db = openDatabase(join(dataDir, 'tagstead.sqlite'), { migrations: 'drizzle' })
  const hash = await createPasswords({ memoryCost: 64, timeCost: 1 }).hash('a password for tests')
  const add = (name: string, isAdmin: number, isBlocked: number) =>
    db.run(
      'INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (NULL, ?, ?, ?, 1, ?)',
      name,
      hash,
      isAdmin,
      isBlocked,
    )
  add('admin', 1, 0)
  add('uma', 0, 0)
  add('bob', 1, 1)
})
after(async () => {
  db.close()
  await rm(dataDir, { recursive: true })
})
beforeEach(() => {
  execFileSync('find', [folder, '-mindepth', '1', '-delete'])
})

function start(args: string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const [program, ...own] = commandLine()
  return spawn(program, [...own, 'import', ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...options.env },
    cwd: options.cwd ?? tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs the command to its end. */
async function command(args: string[], options?: Parameters<typeof start>[1]) {
  return ended(start(args, options))
}

async function ended(child: ChildProcess) {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

const owners = () =>
  db
    .all<{ name: string; original_name: string }>(
      'SELECT name, original_name FROM files JOIN users ON users.id = creator_id ORDER BY rid',
    )
    .map(({ name, original_name }) => `${name} ${original_name}`)

describe('tagstead import', () => {
  it('imports as a named admin, in plain lines, and says what it left', async () => {
    putFile(folder, 'b.jpg', await picture(1), 1)
    putFile(folder, 'a\n.jpg', await picture(2))
    putFile(folder, '.hidden', 'x', 2)
    assert.deepEqual(await command(['--user', 'admin']), {
      code: 0,
      stdout:
        'Importing 30 %\nImporting 60 %\nImporting 100 %\nskipped ".hidden": hidden\n' +
        '3 entries: 2 imported, 1 skipped, 0 failed\n',
      stderr: '',
    })
    assert.deepEqual(owners(), ['admin a.jpg', 'admin b.jpg'])
    assert.deepEqual(namesIn(folder), ['.hidden'])
    const entries = db.all<{ user_name: string; action: string }>(
      'SELECT user_name, action FROM audit_log',
    )
    assert.deepEqual(
      entries.map(({ user_name, action }) => `${user_name} ${action}`),
      ['admin file_create', 'admin file_create'],
    )
  })

  it('takes a folder relative to where one stands, or to the import folder', async () => {
    for (const [cwd, path] of [
      [tmpdir(), 'inner'],
      [join(folder, 'inner'), '.'],
    ] as const) {
      mkdirSync(join(folder, 'inner'), { recursive: true })
      putFile(join(folder, 'inner'), 'c.jpg', await picture(3))
      const { code, stdout } = await command([path, '--user', 'admin'], { cwd })
      assert.equal(code, 0)
      assert.match(stdout, /\n1 entries: 1 imported, 0 skipped, 0 failed\n$/)
    }
  })

  it('goes into folders, unless it is to leave them out', async () => {
    mkdirSync(join(folder, 'a/b'), { recursive: true })
    putFile(join(folder, 'a/b'), 'deep.jpg', await picture(3))
    const flat = await command(['--flat', '--user', 'admin'])
    assert.match(
      flat.stdout,
      /\nskipped "a": a folder\n1 entries: 0 imported, 1 skipped, 0 failed\n$/,
    )
    const { stdout } = await command(['--user', 'admin'])
    assert.match(stdout, /\n1 entries: 1 imported, 0 skipped, 0 failed\n$/)
    assert.deepEqual(namesIn(join(folder, 'a')), ['b'])
    assert.deepEqual(namesIn(join(folder, 'a/b')), [])
  })

  it('only counts what is here already', async () => {
    const bytes = await picture(20)
    putFile(folder, 'a.jpg', bytes)
    putFile(folder, 'b.jpg', bytes, 1)
    putFile(folder, '.hidden', 'x', 2)
    const args = ['--leave-sources', '--on-duplicate', 'skip', '--user', 'admin']
    const lines = async (more: string[] = []) => {
      const { stdout } = await command([...args, ...more])
      return stdout.split('\n').filter((line) => !/^(Importing|Looking) /.test(line))
    }
    assert.deepEqual(await lines(), [
      'skipped ".hidden": hidden',
      '3 entries: 1 imported, 2 skipped (1 already here), 0 failed',
      '',
    ])
    assert.deepEqual(await lines(), [
      'skipped ".hidden": hidden',
      '3 entries: 0 imported, 3 skipped (1 already imported, 1 already here), 0 failed',
      '',
    ])
    assert.deepEqual(await lines(['--dry-run']), [
      'skipped ".hidden": hidden',
      'in the library already: 2',
      '3 entries: 0 would be imported (0 bytes), 3 skipped (1 already imported, 1 already here), 0 would fail',
      '',
    ])
  })

  it('tells what it would do, and does nothing, in a dry run', async () => {
    mkdirSync(join(folder, 'a'), { recursive: true })
    const bytes = await picture(6)
    putFile(folder, 'b.jpg', bytes)
    putFile(join(folder, 'a'), 'c.jpg', bytes, 1)
    putFile(folder, 'text.txt', 'no picture', 2)
    const before = owners()
    assert.deepEqual(await command(['--dry-run', '--user', 'admin']), {
      code: 0,
      stdout:
        'Looking 30 %\nLooking 60 %\nLooking 100 %\nwould be imported "a/c.jpg": already here\n' +
        'skipped "text.txt": The file is no picture or video of a known type\n' +
        `image/jpeg: 2\nin the library already: 1\n3 entries: 2 would be imported (${2 * bytes.length} bytes), ` +
        '1 skipped, 0 would fail\n',
      stderr: '',
    })
    assert.deepEqual([owners(), namesIn(folder)], [before, ['a', 'b.jpg', 'text.txt']])
    const env = { DISK_RESERVE: '8388607GiB' }
    const { code, stdout } = await command(['--dry-run', '--user', 'admin'], { env })
    assert.deepEqual(
      [code, stdout.split('\n').at(-3)],
      [0, "the library's disk has room for 0 bytes only"],
    )
  })

  it('refuses what it can not do, in a sentence', async () => {
    const refusal = async (args: string[], reason: string, env: Record<string, string> = {}) => {
      const stderr = `Tagstead can't import: ${reason}\n`
      assert.deepEqual(await command(args, { env }), { code: 1, stdout: '', stderr })
    }
    // These take the lock, and there is one.
    await refusal(['--user', 'nobody'], 'There is no user "nobody"')
    await refusal(['--user', 'uma'], 'The user "uma" is no admin')
    await refusal(['--user', 'bob'], 'The user "bob" is blocked')
    await Promise.all([
      refusal(
        ['..', '--user', 'admin'],
        `the path must lie in the import folder: "/" is outside of "${folder}", and only that folder ` +
          'and what is in it is imported; the setting IMPORT_PATH names another',
      ),
      refusal(['--user', 'admin'], 'Import is turned off', { IMPORT_PATH: '' }),
      refusal(['--user', 'admin'], 'There is no library in /nowhere', { DATA_DIR: '/nowhere' }),
    ])
  })

  it('shows how it is used when it is used in another way', async () => {
    const wrong = [[], ['a', 'b', '--user', 'admin'], ['--user', 'a', '--on-duplicate', 'merge']]
    for (const answer of await Promise.all(wrong.map((args) => command(args)))) {
      assert.deepEqual([answer.code, answer.stdout], [2, ''])
      assert.match(answer.stderr, /^Usage: tagstead import \[PATH\] --user NAME \[OPTION\]\.\.\.$/m)
    }
  })

  it('stops after the current file at a signal', async () => {
    for (let n = 0; n < COUNT; n++) putFile(folder, `${n}.jpg`, await picture(n), n)
    const child = start(['--user', 'admin'])
    const end = ended(child)
    await once(child.stdout!, 'data')
    child.kill('SIGINT')
    const { code, stderr } = await end
    const left = namesIn(folder).length
    assert.deepEqual(
      [code, stderr],
      [1, `Tagstead can't import: stopped after ${COUNT - left} of ${COUNT} entries\n`],
    )
    assert.ok(left > 0)
    assert.deepEqual(namesIn(join(dataDir, 'tmp-import')), [])
    assert.deepEqual(db.all('SELECT * FROM import_journal'), [])
  })

  it('says what it may not read or remove, and imports that once', {
    skip: asAnother(),
  }, async () => {
    chmodSync(putFile(folder, 'secret.jpg', await picture(4)), 0)
    putFile(folder, 'stays.jpg', await picture(5), 1)
    execFileSync('chown', ['-R', String(NOBODY), dataDir])
    chownSync(folder, 0, 0)
    const [program, ...own] = commandLine()
    const asNobody = () =>
      ended(
        spawn(
          'setpriv',
          [`--reuid=${NOBODY}`, '--clear-groups', program, ...own, 'import', '--user', 'admin'],
          { env: { PATH: process.env.PATH, DATA_DIR: dataDir } as NodeJS.ProcessEnv, cwd: '/' },
        ),
      )
    const logged = (stderr: string) =>
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ level }) => level === 'warn')
        .map(({ message, error }) => [message, /E[A-Z]+/.exec(error)?.[0]])
    const lines = [
      'Importing 50 %',
      'Importing 100 %',
      'error "secret.jpg": permission denied',
      'imported "stays.jpg": the source could not be removed',
      '2 entries: 1 imported, 0 skipped, 1 failed',
    ]
    const both = [
      ['import failed', 'EACCES'],
      ['source not removed', 'EACCES'],
    ]
    const first = await asNobody()
    assert.deepEqual([first.code, first.stdout], [1, `${lines.join('\n')}\n`])
    assert.deepEqual(logged(first.stderr), both)
    lines[3] = 'skipped "stays.jpg": already imported; the source could not be removed'
    lines[4] = '2 entries: 0 imported, 1 skipped, 1 failed'
    const again = await asNobody()
    assert.deepEqual([again.code, again.stdout], [1, `${lines.join('\n')}\n`])
    assert.deepEqual(logged(again.stderr), both)
    assert.equal(owners().filter((name) => name === 'admin stays.jpg').length, 1)
  })
})

/** Root may read everything, so that it has to become somebody else. */
function asAnother(): string | false {
  if (process.getuid?.() !== 0) return 'only root can become another user'
  const [program, ...own] = commandLine()
  const readable = ['-r', own.at(-1)!, '-a', '-x', program]
  const { status } = spawnSync('setpriv', [
    `--reuid=${NOBODY}`,
    '--clear-groups',
    'test',
    ...readable,
  ])
  return status === 0 ? false : 'another user can not run the program here'
}

describe('tagstead import beside a server', () => {
  let server: SpawnedServer
  let token: string
  before(async () => {
    server = await spawnServer({ dataDir })
    token = await signIn({ ...server, adminPassword: 'a password for tests' })
  })
  after(() => server.stop())

  const post = () =>
    fetch(`${server.url}/api/v1/files/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    })

  it('runs when no other import does, and the server sees its files at once', async () => {
    for (let n = 0; n < 3; n++) putFile(folder, `${n}.jpg`, await picture(n), n)
    const lock = lockImports(parseConfig({ DATA_DIR: dataDir }))
    const refused = await post()
    assert.deepEqual(
      [refused.status, await refused.json()],
      [409, { code: 'conflict', message: 'Another import is running' }],
    )
    assert.deepEqual(await command(['--user', 'admin']), {
      code: 1,
      stdout: '',
      stderr: "Tagstead can't import: Another import is running\n",
    })
    lock.release()
    assert.equal((await command(['--user', 'admin'])).code, 0)
    assert.deepEqual(namesIn(folder), [])
    const files = await fetch(`${server.url}/api/v1/files?limit=1`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const { items } = (await files.json()) as { items: { original_name: string }[] }
    assert.equal(items[0]?.original_name, '2.jpg')
  })
})
