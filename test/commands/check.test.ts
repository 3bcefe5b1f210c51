import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { openDatabase } from '../../src/db/client.ts'
import { acquireLock } from '../../src/db/lock.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { unlessAbsentNow } from '../../src/media/unless-absent.ts'
import { form, picture } from '../support/harness.ts'
import { without } from '../support/media/media.ts'
import { eventually } from '../support/small-server.ts'
import { commandLine, runToEnd, type SpawnedServer, spawnServer } from '../support/spawn.ts'

const run = promisify(execFile)
const withoutTerminal = without('script', '--version')
const BLOB = 'ab00112233445566778899aabbccddee'

describe('tagstead check', () => {
  let server: SpawnedServer
  let token: string
  before(async () => {
    server = await spawnServer()
    const answer = await fetch(`${server.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'admin', password: server.adminPassword }),
    })
    token = ((await answer.json()) as { access_token: string }).access_token
    for (let n = 0; n < 4; n++) await upload(n)
  })
  after(() => server.stop())

  const send = async (method: string, path: string, body?: FormData) => {
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body && { body }),
    })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
    return answer
  }
  async function upload(n: number): Promise<string> {
    const answer = await send('POST', '/files', form(await picture(n), `${n}.jpg`))
    return ((await answer.json()) as { id: string }).id
  }
  const check = (dataDir: string, ...args: string[]) =>
    runToEnd(['check', ...args], { env: { DATA_DIR: dataDir } })
  const linesOf = (stdout: string) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  /** Returns a copy of the library as it is, without the locks of the server. */
  async function copied(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'tagstead-copy-'))
    const db = openDatabase(join(server.dataDir, 'tagstead.sqlite'))
    db.run('VACUUM INTO ?', join(folder, 'tagstead.sqlite'))
    db.close()
    chmodSync(join(folder, 'tagstead.sqlite'), 0o600)
    cpSync(join(server.dataDir, 'files'), join(folder, 'files'), { recursive: true })
    chmodSync(join(folder, 'files'), 0o700)
    return folder
  }

  it('finds nothing beside the server that has just taken uploads, and while it takes more', async () => {
    assert.deepEqual(await check(server.dataDir), {
      code: 0,
      stdout: '4 contents read: nothing is wrong\n',
      stderr: '',
    })
    let isOver = false
    const changing = (async () => {
      for (let n = 10; !isOver; n++) {
        const id = await upload(n)
        if (n % 3 === 0) {
          await send('PUT', `/files/${id}/content`, form(await picture(n + 1), 'other.jpg'))
        }
        if (n % 2 === 0) {
          await send('DELETE', `/files/${id}`)
          await send('DELETE', `/files/${id}/permanent`)
        }
      }
    })()
    try {
      for (const args of [[], ['--repair'], ['--quick'], ['--part', '1/2', '--repair']]) {
        const { code, stdout, stderr } = await check(server.dataDir, ...args)
        assert.deepEqual([code, stderr], [0, ''], stdout)
        assert.match(stdout, /^\d+ contents read: nothing is wrong\n$/)
      }
    } finally {
      isOver = true
      await changing
    }
    assert.equal(existsSync(join(server.dataDir, 'lost+found')), false)
  })

  it('tells what it finds, line by line, and what it mends', async () => {
    const folder = await copied()
    const { content } = dataFolder(folder)
    const db = openDatabase(join(folder, 'tagstead.sqlite'))
    const [first] = db.all<{ blob: string; id: string }>(
      'SELECT blob, lower(hex(id)) AS id FROM file_details JOIN files ON rid = file_rid ORDER BY rid',
    )
    db.run('UPDATE usage SET file_count = 99')
    db.close()
    truncateSync(content(first!.blob), 3)
    writeFileSync(content(`${first!.blob.slice(0, 2)}${BLOB.slice(2)}`), 'bytes')

    const found = await check(folder, '--json')
    assert.deepEqual([found.code, found.stderr], [1, ''])
    const lines = linesOf(found.stdout)
    assert.deepEqual(
      lines.map(({ type, kind, repaired }) => [type, kind, repaired]),
      [
        ['finding', 'usage', false],
        ['finding', 'content_unknown', false],
        ['finding', 'content_size', false],
        ['done', undefined, 0],
      ],
    )
    assert.deepEqual(Object.keys(lines[0]!).sort(), [
      'kind',
      'repaired',
      'sentence',
      'subject',
      'type',
    ])
    assert.ok(!found.stdout.includes(folder))

    const text = await check(folder, '--repair')
    assert.equal(text.code, 1)
    const [usage, unknown, size, summary] = text.stdout.split('\n')
    assert.match(usage!, /^usage 1: The user is said to have 99 files of .* \(repaired\)$/)
    assert.match(unknown!, /^content_unknown \w{32}: .*lost\+found.* \(repaired\)$/)
    assert.match(size!, new RegExp(`^content_size ${first!.blob}: .* has 3 bytes instead of \\d+$`))
    assert.match(summary!, /^\d+ contents read: 3 findings, 2 repaired$/)
    assert.equal(
      readFileSync(join(folder, 'lost+found', first!.blob.slice(0, 2) + BLOB.slice(2)), 'utf8'),
      'bytes',
    )

    rmSync(content(first!.blob))
    const still = await check(folder, '--quick', '--json')
    assert.equal(still.code, 1)
    assert.deepEqual(
      linesOf(still.stdout).map(({ kind, contents_read }) => kind ?? contents_read),
      ['content_missing', 0],
    )
    rmSync(folder, { recursive: true })
  })

  it('ends with 0 when all was mended, and mends nothing unless asked to', async () => {
    const folder = await copied()
    const path = join(folder, 'tagstead.sqlite')
    const db = openDatabase(path)
    db.run('UPDATE usage SET file_count = 99')
    db.close()
    for (const [args, code] of [
      [[], 1],
      [['--quick'], 1],
      [['--repair', '--part', '2/9'], 0],
      [[], 0],
    ] as const) {
      assert.equal((await check(folder, ...args)).code, code)
    }
    rmSync(folder, { recursive: true })
  })

  it('repairs once at a time', async () => {
    const folder = await copied()
    const lock = acquireLock(dataFolder(folder).checkLock, '')
    const { code, stderr } = await check(folder, '--repair')
    assert.equal(code, 1)
    assert.match(stderr, /The library is being repaired already/)
    assert.equal((await check(folder)).code, 0)
    lock.release()
    rmSync(folder, { recursive: true })
  })

  it('tells that a file is no database, or one that is damaged', async () => {
    const folder = await copied()
    const path = join(folder, 'tagstead.sqlite')
    const bytes = readFileSync(path)
    for (const damage of [
      bytes.fill(7, 0, 40),
      bytes.fill(7, 0, 5000),
      Buffer.from('no database'.repeat(99)),
    ]) {
      writeFileSync(path, damage)
      const { code, stdout, stderr } = await check(folder, '--json')
      assert.deepEqual([code, stderr], [1, ''])
      assert.equal(linesOf(stdout)[0]!.kind, 'database_damaged')
    }
    rmSync(folder, { recursive: true })
  })

  it('needs a library of its own version', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tagstead-'))
    const without = await check(folder)
    assert.deepEqual([without.code, without.stdout], [1, ''])
    assert.match(without.stderr, /There is no library/)
    assert.deepEqual(readdirSync(folder), [])
    rmSync(folder, { recursive: true })
    const older = await copied()
    const db = openDatabase(join(older, 'tagstead.sqlite'))
    db.run(
      'DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)',
    )
    db.close()
    const { code, stderr } = await check(older, '--repair')
    assert.equal(code, 1)
    assert.match(stderr, /The library is of an older version/)
    rmSync(older, { recursive: true })
  })

  for (const args of [
    ['--fast'],
    ['here'],
    ['--quick', '--part', '1/2'],
    ['--part'],
    ['--part', '3/2'],
    ['--part', '0/2'],
    ['--part', 'x'],
    ['--quick=yes'],
    ['--from', '/backup'],
  ]) {
    it(`shows how it is used in place of "${args.join(' ')}"`, async () => {
      const { code, stdout, stderr } = await check(server.dataDir, ...args)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, /^Usage: tagstead check /m)
    })
  }

  it('shows on a terminal how far it is', { skip: withoutTerminal }, async () => {
    const command = [...commandLine(), 'check'].map((part) => `'${part}'`).join(' ')
    const { stdout } = await run('script', ['-qec', command, '/dev/null'], {
      env: { PATH: process.env.PATH, DATA_DIR: server.dataDir },
      cwd: tmpdir(),
    })
    assert.match(stdout, /Checking █{30} 100 %/)
    assert.match(stdout, /contents read: nothing is wrong/)
  })

  it('leaves off between two looks at the database', async () => {
    const folder = await copied()
    const path = join(folder, 'tagstead.sqlite')
    const db = openDatabase(path)
    // Nobody else reads it as long as this stands.
    db.run('PRAGMA locking_mode = exclusive')
    db.run('BEGIN IMMEDIATE')
    const [program, ...own] = commandLine()
    const child = spawn(program, [...own, 'check', '--quick'], {
      env: { PATH: process.env.PATH, DATA_DIR: folder },
      cwd: tmpdir(),
    })
    const [said, complaints] = [child.stdout.toArray(), child.stderr.toArray()]
    const files = `/proc/${child.pid}/fd`
    const hasOpened = () =>
      readdirSync(files).some((name) =>
        unlessAbsentNow(() => readlinkSync(join(files, name)))?.includes(path),
      )
    await eventually(async () => hasOpened())
    child.kill('SIGINT')
    db.close()
    const [code] = await once(child, 'close')
    assert.deepEqual([code, String(await said)], [1, ''])
    assert.match(String(await complaints), /has not checked everything: it was stopped/)
    rmSync(folder, { recursive: true })
  })

  it('leaves off when it is stopped', async () => {
    const folder = await copied()
    const db = openDatabase(join(folder, 'tagstead.sqlite'))
    const [row] = db.all<{ rid: number; blob: string }>(
      'SELECT file_rid AS rid, blob FROM file_details',
    )
    const path = dataFolder(folder).content(row!.blob)
    // It takes long to read what has no bytes on the disk.
    truncateSync(path, 2 ** 36)
    db.run('UPDATE file_details SET size = ? WHERE file_rid = ?', 2 ** 36, row!.rid)
    db.run('UPDATE usage SET file_count = 99')
    db.close()
    const [program, ...own] = commandLine()
    const child = spawn(program, [...own, 'check'], {
      env: { PATH: process.env.PATH, DATA_DIR: folder },
      cwd: tmpdir(),
    })
    const complaints = child.stderr.toArray()
    // The first finding comes before contents are read.
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    const [code] = await once(child, 'close')
    assert.equal(code, 1)
    assert.match(String(await complaints), /has not checked everything: it was stopped/)
    rmSync(folder, { recursive: true })
  })
})
