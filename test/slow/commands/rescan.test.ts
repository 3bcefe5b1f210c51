import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createPasswords } from '../../../src/auth/password.ts'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { acquireLock } from '../../../src/db/lock.ts'
import type { RescanEvent } from '../../../src/duplicates/rescan/schema.ts'
import { adoptStore } from '../../../src/files/content/store-marker.ts'
import { addHashedFiles, leftOver, storedScan } from '../../support/duplicates/scans.ts'
import { eventually } from '../../support/eventually.ts'
import { commandLine, runToEnd, type SpawnedServer, spawnServer } from '../../support/spawn.ts'

const THRESHOLD = { DUPLICATE_HASH_THRESHOLD: '3' }
const NO_FFMPEG = { FFMPEG_PATH: '/nowhere/ffmpeg', LOG_LEVEL: 'info' }

let dataDir: string
let db: Db
let server: SpawnedServer
let token: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tagstead-rescan-'))
  db = openDatabase(join(dataDir, 'tagstead.sqlite'), { migrations: 'drizzle' })
  const hash = await createPasswords({ memoryCost: 64, timeCost: 1 }).hash('a password for tests')
  db.run(
    "INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (1, 'admin', ?, 1, 1, 0)",
    hash,
  )
  addHashedFiles(db, [1n, 2n])
  // There are no contents.
  await adoptStore(db, { dataDir, store: null })
  server = await spawnServer({ dataDir, env: { ...THRESHOLD, ...NO_FFMPEG } })
  const login = { name: 'admin', password: 'a password for tests' }
  token = ((await (await post('/auth/login', login)).json()) as { access_token: string })
    .access_token
})
after(async () => {
  await server.stop()
  db.close()
  await rm(dataDir, { recursive: true })
})

function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    signal: signal ?? null,
  })
}

const command = (env = {}) =>
  runToEnd(['rescan'], { env: { DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...THRESHOLD, ...env } })

function startCommand(): ChildProcess {
  const [program, ...args] = commandLine()
  return spawn(program, [...args, 'rescan', '--json'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...THRESHOLD } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Resolves when a rescan writes what it found. */
async function untilWriting(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let text = ''
  for await (const chunk of chunks) {
    text += Buffer.from(chunk).toString()
    if (text.includes('"stage":"write"')) return
  }
  assert.fail(`It never wrote: ${text}`)
}

async function untilFree(): Promise<void> {
  await eventually(() => {
    try {
      acquireLock(join(dataDir, 'rescan.lock'), 'taken').release()
      return true
    } catch {
      return false
    }
  })
}

describe('rescan beside a running server', () => {
  it('says in plain lines how far it is, and what it found', async () => {
    const { code, stdout, stderr } = await command()
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(
      stdout,
      /^Searching \d+ %\n(Searching \d+ %\n)*Writing 100 %\n2 files: 0 hashed now, 0 failed; 1 pairs in 1 clusters, in [\d.]+ seconds\n$/,
    )
    const answer = await fetch(`${server.url}/api/v1/files/duplicates`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    assert.equal(((await answer.json()) as { total: number }).total, 1)
  })

  it('is for admins, one line for each event', async () => {
    const answer = await post('/files/duplicates/rescan', {})
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('Content-Type'), 'application/x-ndjson')
    const lines = (await answer.text()).trimEnd().split('\n')
    const events = lines.map((line): RescanEvent => JSON.parse(line))
    assert.deepEqual(events[0], { type: 'start' })
    assert.ok(events.slice(1, -1).every((event) => event.type === 'progress'))
    const { seconds, ...last } = events.at(-1) as Extract<RescanEvent, { type: 'done' }>
    assert.equal(typeof seconds, 'number')
    const found = { files: 2, hashed: 0, failed: 0, pairs: 1, clusters: 1 }
    assert.deepEqual(last, { type: 'done', ...found })
    const users = db.all("SELECT user_id FROM audit_log WHERE action = 'duplicate_rescan'")
    assert.deepEqual(
      users.map((row) => ({ ...(row as object) })),
      // The command line's, then the admin's.
      [{ user_id: 0 }, { user_id: 1 }],
    )
  })

  it('logs apart from what it tells people', async () => {
    const { code, stderr, stdout } = await command(NO_FFMPEG)
    assert.equal(code, 0)
    assert.doesNotMatch(stdout, /ffmpeg/)
    const logged = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      logged.map(({ message, path }) => [message, path]),
      [['no ffmpeg: videos get a placeholder instead of a picture', '/nowhere/ffmpeg']],
    )
  })

  it('logs into the log of the server that has started it', async () => {
    const told = () => server.output().split('no ffmpeg: videos').length - 1
    const before = told()
    await (await post('/files/duplicates/rescan', {})).text()
    assert.equal(told(), before + 1)
  })

  it('runs once at a time', async () => {
    const lock = acquireLock(join(dataDir, 'rescan.lock'), 'taken')
    assert.deepEqual(await command(), {
      code: 1,
      stdout: '',
      stderr: "Tagstead can't rescan: Another rescan is running\n",
    })
    const refused = await post('/files/duplicates/rescan', {})
    assert.equal(refused.status, 409)
    assert.deepEqual(await refused.json(), {
      code: 'conflict',
      message: 'Another rescan is running',
    })
    lock.release()
  })

  it('leaves the old state when it is killed or the client hangs up', async () => {
    const old = storedScan(db)
    addHashedFiles(
      db,
      Array.from({ length: 2000 }, (_, index) => BigInt(index + 100)),
    )
    const running = startCommand()
    await untilWriting(running.stdout!)
    running.kill('SIGKILL')
    await once(running, 'exit')
    assert.ok(leftOver(db) > 0)
    assert.deepEqual(storedScan(db), old)

    const client = new AbortController()
    const answer = await post('/files/duplicates/rescan', {}, client.signal)
    await untilWriting(answer.body as unknown as AsyncIterable<Uint8Array>)
    client.abort()
    await untilFree()
    assert.ok(leftOver(db) > 0)
    assert.deepEqual(storedScan(db), old)

    assert.equal((await command()).code, 0)
    assert.equal(leftOver(db), 0)
    assert.ok(storedScan(db).pairs.length > 10_000)
  })

  it('refuses a folder that holds no library', async () => {
    const folder = join(dataDir, 'nothing')
    const { code, stdout, stderr } = await runToEnd(['rescan'], { env: { DATA_DIR: folder } })
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.equal(stderr, `Tagstead can't rescan: There is no library in ${folder}\n`)
  })

  it('leaves the database of another version to its server', async () => {
    const refusal = 'The library is of an older version, whose server is running: stop it first'
    const change = (by: number) =>
      db.run('UPDATE __drizzle_migrations SET created_at = created_at + ?', by)
    change(-1)
    const { code, stderr } = await command()
    assert.deepEqual([code, stderr], [1, `Tagstead can't rescan: ${refusal}\n`])
    change(2)
    const newer = await command()
    assert.match(newer.stderr, /^Tagstead can't rescan: The library was written by a newer version/)
    change(-1)
  })
})
