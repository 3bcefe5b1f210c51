import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../support/eventually.ts'
import { commandLine, runToEnd, spawnServer } from '../../support/spawn.ts'
import { noTerminal, onTerminal } from '../../support/terminal.ts'
import { after, before, describe, it } from '../../support/test.ts'

const LONG = { timeout: 180_000 }
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagstead-begin-'))
})
after(() => rm(folder, { recursive: true }))

const signIn = (url: string, password: string) =>
  fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'admin', password }),
  })

describe('a start that fails', () => {
  it('shows no password when its port is taken', LONG, async () => {
    const dataDir = join(folder, 'taken')
    const other = await spawnServer()
    const env = { ADMIN_PASSWORD: '', DATA_DIR: dataDir, PORT: new URL(other.url).port }
    assert.deepEqual(await runToEnd([], { env }), {
      code: 1,
      stdout: '',
      stderr: `Tagstead can't serve: ${other.url} can't be served: another program is at this PORT\n`,
    })
    await other.stop()
    const next = await spawnServer({ dataDir, env: { ADMIN_PASSWORD: '' } })
    assert.equal((await signIn(next.url, next.adminPassword)).status, 200)
    await next.stop()
  })

  it('makes no admin whose password nobody can read', LONG, async () => {
    const dataDir = join(folder, 'full')
    const full = openSync('/dev/full', 'w')
    const [program, ...args] = commandLine()
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' },
      stdio: ['ignore', full, 'pipe'],
    })
    let complaint = ''
    child.stderr?.on('data', (chunk) => {
      complaint += chunk
    })
    const [code] = await once(child, 'close')
    closeSync(full)
    assert.equal(code, 1)
    assert.match(complaint, /^Tagstead can't serve: the first password can't be shown: .*ENOSPC/)
    const next = await spawnServer({ dataDir, env: { ADMIN_PASSWORD: '' } })
    assert.equal((await signIn(next.url, next.adminPassword)).status, 200)
    await next.stop()
  })
})

describe('a wrong setting', () => {
  it('is named with what is wrong, where the system has a code for it', LONG, async () => {
    const dataDir = join(folder, 'wrong')
    const complaint = async (env: Record<string, string>) => {
      const { code, stdout, stderr } = await runToEnd([], { env: { DATA_DIR: dataDir, ...env } })
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
      return stderr
    }
    const prefix = "Tagstead can't serve: "
    // Of a network for documentation, which no machine is in.
    const served = (host: string) =>
      `${prefix}http://${host}:0 can't be served: HOST is no address `
    assert.equal(await complaint({ HOST: '192.0.2.1' }), `${served('192.0.2.1')}of this machine\n`)
    assert.equal(
      await complaint({ HOST: 'nowhere.invalid' }),
      `${served('nowhere.invalid')}or name that is known here\n`,
    )
    await writeFile(join(folder, 'file'), '')
    assert.equal(
      await complaint({ DATA_DIR: join(folder, 'file/photos') }),
      `${prefix}DATA_DIR can't be ${folder}/file/photos: a part of it is a file, and no folder\n`,
    )
  })
})

describe('a later start', () => {
  it('tells that ADMIN_PASSWORD is not used any more', LONG, async () => {
    const dataDir = join(folder, 'later')
    const unused = '"level":"warn","message":"ADMIN_PASSWORD is not used'
    const first = await spawnServer({ dataDir, env: { ADMIN_PASSWORD: 'the first' } })
    assert.ok(!first.output().includes(unused))
    await first.stop()
    const second = await spawnServer({ dataDir, env: { ADMIN_PASSWORD: 'another' } })
    assert.ok(second.output().includes(unused))
    assert.equal((await signIn(second.url, 'the first')).status, 200)
    await second.stop()
  })
})

describe('on a terminal', { skip: noTerminal }, () => {
  /** Starts a server, waits for what it has to say, and ends it as Ctrl-C does. */
  async function begun(env: Record<string, string>): Promise<string> {
    const { child, shown } = onTerminal(commandLine(), { PORT: '0', ...env })
    await eventually(() => /\n {2}library .*\n(.*\n)*.*$/.test(shown()))
    child.stdin?.write('\x03')
    assert.deepEqual(await once(child, 'close'), [0, null])
    return shown()
  }

  it('a new library is introduced, and what is missing', LONG, async () => {
    const dataDir = join(folder, 'terminal')
    const shown = await begun({ DATA_DIR: dataDir, FFMPEG_PATH: '/nowhere/ffmpeg' })
    // The log is for people, there.
    assert.match(shown, /^(\^C)?\d\d:\d\d:\d\d the server stops why=SIGINT$/m)
    assert.match(shown, /^The first admin is "admin" with the password \S+\n/m)
    assert.match(shown, /^Tagstead 3\.0\.0 is at http:\/\/127\.0\.0\.1:\d+\n/m)
    assert.match(shown, /^ {2}others +cannot reach it: set HOST=0\.0\.0\.0 /m)
    assert.ok(shown.includes(`  library     ${dataDir}, new\n`), shown)
    assert.match(shown, /^ {2}missing +ffmpeg: /m)
    assert.match(shown, /^ {2}missing +backups: set BACKUP_DIR /m)
    assert.equal(/^ {2}weak +it runs as root/m.test(shown), process.getuid?.() === 0)

    const again = await begun({ DATA_DIR: dataDir, FFMPEG_PATH: '' })
    assert.ok(again.includes(`  library     ${dataDir}, 0 files\n`), again)
    assert.doesNotMatch(again, /^ {2}missing +ffmpeg/m)
  })

  it('the addresses are those that phones of the house can open', LONG, async () => {
    const dataDir = join(folder, 'open')
    const shown = await begun({ DATA_DIR: dataDir, HOST: '0.0.0.0', AUTH_RATE_LIMIT: '0' })
    const port = /is at http:\/\/127\.0\.0\.1:(\d+)\n/.exec(shown)?.[1]
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
    for (const { address } of outside) assert.ok(shown.includes(`http://${address}:${port}`), shown)
    assert.match(shown, /^ {2}weak +AUTH_RATE_LIMIT is 0/m)
    assert.match(shown, /^ {2}weak +PASSWORD_MIN_LENGTH is 1: 12 is better$/m)
    assert.match(shown, /^ {2}weak +plain HTTP/m)
  })
})
