import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '../../../src/base/config.ts'
import { openDatabase } from '../../../src/db/client.ts'
import { openForServer } from '../../../src/library.ts'
import { parseAnswer } from '../../support/contract/raw-answer.ts'
import { checkExchange } from '../../support/contract/watch.ts'
import { eventually } from '../../support/eventually.ts'
import { picture } from '../../support/harness.ts'
import { without } from '../../support/media/media.ts'
import { refused } from '../../support/refused.ts'
import {
  commandLine,
  runToEnd,
  type SpawnedServer,
  spawnServer,
  THIS_RUNTIME,
} from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'

/** Two cores may have a lot to do, and Bun's own limit is five seconds. */
const LONG = { timeout: 180_000 }
const RUNTIMES = ['bun', 'node'] as const
const AS_NOBODY = ['--reuid=65534', '--regid=65534', '--clear-groups']
/** Only root may be another account, which must be able to read the program. */
const withoutAccount = without('setpriv', ...AS_NOBODY, 'test', '-r', commandLine().at(-1)!)
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagstead-start-'))
})
after(() => rm(folder, { recursive: true }))

function signIn(url: string, password: string): Promise<Response> {
  return fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'admin', password }),
  })
}

describe('the command line', () => {
  it('shows its version and its usage', LONG, async () => {
    const version = await runToEnd(['--version'])
    assert.deepEqual(version, { code: 0, stdout: '3.0.0\n', stderr: '' })
    const help = await runToEnd(['--help'])
    assert.equal(help.code, 0)
    assert.match(help.stdout, /^Usage: tagstead \[command\]\n/)
  })

  it('names every wrong setting', LONG, async () => {
    const env = { PORT: '99999', MAX_UPLOAD_SIZE: 'lots', CORS_ORIGINS: '*', JWT_SECRET: 'short' }
    const { code, stdout, stderr } = await runToEnd([], { env })
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    for (const name of Object.keys(env)) assert.match(stderr, new RegExp(`^  ${name} must`, 'm'))
  })

  it('names a data folder that it can not use, in one line', LONG, async () => {
    const path = join(folder, 'a-file')
    await writeFile(path, '')
    const { code, stderr } = await runToEnd([], { env: { DATA_DIR: path } })
    assert.equal(code, 1)
    const reason = 'a file is there, and no folder'
    assert.equal(stderr, `Tagstead can't serve: DATA_DIR can't be ${path}: ${reason}\n`)
  })

  it('names a data folder of another account, in one line', {
    ...LONG,
    skip: withoutAccount,
  }, async () => {
    const path = join(folder, 'of-another')
    await mkdir(path, { mode: 0o700 })
    const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: path }
    const child = spawn('setpriv', [...AS_NOBODY, ...commandLine()], { env, cwd: tmpdir() })
    const complaints = child.stderr.toArray()
    const [code] = await once(child, 'close')
    assert.equal(code, 1)
    assert.match(
      Buffer.concat(await complaints).toString(),
      /^Tagstead can't serve: DATA_DIR can't be [^\n]*of-another: [^\n]*\n$/,
    )
  })

  it('refuses a library of a newer version', LONG, async () => {
    const dataDir = join(folder, 'newer')
    await mkdir(dataDir)
    const path = join(dataDir, 'tagstead.sqlite')
    const db = openDatabase(path, { migrations: 'drizzle' })
    db.run(
      `INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of the future', 9999999999999)`,
    )
    db.close()
    await assert.rejects(openForServer(parseConfig({ DATA_DIR: dataDir })), {
      message:
        `${path} can't be opened: ` +
        'The library was written by a newer version of Tagstead; install that version.',
    })
  })
})

describe('the first start', () => {
  it('makes a private data folder and an admin whose password it prints once', LONG, async () => {
    const dataDir = join(folder, 'first')
    const env = { ADMIN_PASSWORD: '' }
    const first = await spawnServer({ dataDir, env })
    assert.match(first.adminPassword, /^\S{20,}$/)
    assert.equal((await signIn(first.url, first.adminPassword)).status, 200)
    for (const [name, mode] of Object.entries({ '.': 0o700, 'secret.key': 0o600, files: 0o700 })) {
      assert.equal((await stat(join(dataDir, name))).mode & 0o777, mode, name)
    }
    const key = await readFile(join(dataDir, 'secret.key'), 'utf8')
    assert.match(key, /^[0-9a-f]{64}$/)
    assert.equal(await first.stop(), 0)
    const db = openDatabase(join(dataDir, 'tagstead.sqlite'))
    db.run('INSERT INTO phash_changes (phash, change) VALUES (1, -1)')

    const second = await spawnServer({ dataDir, env })
    assert.equal(second.adminPassword, '')
    assert.equal((await signIn(second.url, first.adminPassword)).status, 200)
    assert.equal(await readFile(join(dataDir, 'secret.key'), 'utf8'), key)
    // Nothing in memory has read it, and nothing will need it.
    assert.equal(db.get('SELECT 1 FROM phash_changes'), undefined)
    db.close()
    // As npm and a terminal both send it.
    second.process.kill('SIGINT')
    assert.equal(await second.stop('SIGINT'), 0)
  })

  it('refuses a key that is damaged', LONG, async () => {
    const dataDir = join(folder, 'first')
    await writeFile(join(dataDir, 'secret.key'), 'not hex')
    await assert.rejects(openForServer(parseConfig({ DATA_DIR: dataDir })), {
      message: /secret\.key does not hold the 64 hex digits/,
    })
  })
})

describe('a start', () => {
  it('takes secrets from files, and warns of root', LONG, async () => {
    const path = join(folder, 'password')
    await writeFile(path, 'from a file\n')
    await writeFile(join(folder, 'jwt'), `${'x'.repeat(40)}\n`)
    const dataDir = join(folder, 'files')
    const server = await spawnServer({
      dataDir,
      env: { ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: path, JWT_SECRET_FILE: join(folder, 'jwt') },
    })
    assert.equal((await signIn(server.url, 'from a file')).status, 200)
    assert.equal(server.adminPassword, '', 'nothing was printed')
    await assert.rejects(stat(join(dataDir, 'secret.key')), { code: 'ENOENT' })
    const isWarned = server.output().includes('"message":"the server runs as root (uid 0)')
    assert.equal(isWarned, process.getuid?.() === 0)
    await server.stop()

    // Nobody keeps a password lying about that is only for the first start.
    await rm(path)
    const env = { ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: path }
    const again = await spawnServer({ dataDir, env })
    assert.equal((await signIn(again.url, 'from a file')).status, 200)
    await again.stop()
  })

  it('stops without a secret that it was promised', LONG, async () => {
    const settings = { JWT_SECRET_FILE: join(folder, 'none'), ADMIN_PASSWORD_FILE: folder }
    for (const [name, value] of Object.entries(settings)) {
      const env = { DATA_DIR: join(folder, name), [name]: value }
      const { code, stderr } = await runToEnd([], { env })
      assert.equal(code, 1)
      assert.match(stderr, new RegExp(`^  ${name} must name a file that can be read: .+`, 'm'))
    }
  })
})

describe('beside a running server', () => {
  let dataDir: string
  let server: SpawnedServer
  before(async () => {
    dataDir = join(folder, 'running')
    server = await spawnServer({ dataDir })
  })

  it('another names an address that is in use, in one line', LONG, async () => {
    const { port } = new URL(server.url)
    const env = { DATA_DIR: join(folder, 'address'), PORT: port, ADMIN_PASSWORD: 'x' }
    assert.deepEqual(await runToEnd([], { env }), {
      code: 1,
      stdout: '',
      stderr: `Tagstead can't serve: ${server.url} can't be served: another program is at this PORT\n`,
    })
  })

  it('none starts on its data folder, on either runtime, until it is killed', LONG, async () => {
    const refusal = {
      code: 1,
      stdout: '',
      stderr: `Tagstead can't serve: Another Tagstead is at work in ${dataDir}\n`,
    }
    for (const runtime of RUNTIMES) {
      assert.deepEqual(await runToEnd([], { env: { DATA_DIR: dataDir }, runtime }), refusal)
    }
    await server.stop('SIGKILL')
    for (const runtime of RUNTIMES) {
      const next = await spawnServer({ dataDir, runtime })
      assert.equal(await next.stop(), 0)
    }
  })
})

describe('SIGTERM', () => {
  it(
    'lets a running request finish, waits for no other, and leaves a whole database',
    LONG,
    async () => {
      const dataDir = join(folder, 'stop')
      const server = await spawnServer({ dataDir })
      const { port } = new URL(server.url)
      const { access_token } = (await (await signIn(server.url, server.adminPassword)).json()) as {
        access_token: string
      }
      const body = Buffer.concat([
        Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n'),
        await picture(),
        Buffer.from('\r\n--b--\r\n'),
      ])
      const slow = connect(Number(port), '127.0.0.1')
      const chunks: Buffer[] = []
      slow.on('data', (chunk) => chunks.push(chunk))
      const closed = once(slow, 'close')
      const request =
        'POST /api/v1/files HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n' +
        `Authorization: Bearer ${access_token}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n`
      slow.write(request)
      slow.write(body.subarray(0, 200))
      const silent = connect(Number(port), '127.0.0.1').resume()
      const dropped = once(silent, 'close')
      await once(silent, 'connect')
      await eventually(() => readdirSync(join(dataDir, 'tmp')).length === 1)
      const stopped = server.stop()
      await refused(Number(port))
      // On Bun it stands until the process ends, and holds nothing up.
      if (THIS_RUNTIME === 'node') await dropped
      slow.write(body.subarray(200))
      await closed
      const answer = Buffer.concat(chunks)
      checkExchange(server.url, request, answer)
      assert.equal(parseAnswer(answer).status, 201)
      assert.equal(await stopped, 0)
      await assert.rejects(stat(join(dataDir, 'tagstead.sqlite-wal')), { code: 'ENOENT' })
    },
  )
})
