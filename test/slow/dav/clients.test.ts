import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { without } from '../../support/media/media.ts'
import { keyOf, sendTo, writeOddFiles } from '../../support/served-dav.ts'
import { runToEnd, type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { signIn } from '../../torture/upload.ts'

const COUNT = process.env.MATRIX === 'all' ? 1000 : 200
const TIMEOUT = 600_000
const LITMUS = '/usr/libexec/litmus'

let server: SpawnedServer
let key: string
let folder: string
let paths: string[]
before(async () => {
  server = await spawnServer()
  key = await keyOf(server)
  folder = await mkdtemp(join(tmpdir(), 'tagstead-dav-'))
  paths = await writeOddFiles(join(folder, 'phone'), { count: COUNT })
})
after(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

/** Runs a program in the folder, and returns what it printed; fails when it does. */
async function run(program: string, args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runToEnd(args, {
    command: [program],
    cwd: folder,
    env: { HOME: folder, ...env },
  })
  assert.equal(code, 0, `${program} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout + stderr
}

describe('rclone', { skip: without('rclone', 'version') }, () => {
  const rclone = async (vendor: string, ...args: string[]) => {
    const pass = (await run('rclone', ['obscure', key])).trim().split('\n').at(-1)!
    return run('rclone', [...args, '--retries', '1', '-v'], {
      RCLONE_CONFIG: join(folder, 'rclone.conf'),
      RCLONE_WEBDAV_URL: `${server.url}/dav/`,
      RCLONE_WEBDAV_VENDOR: vendor,
      RCLONE_WEBDAV_USER: 'phone',
      RCLONE_WEBDAV_PASS: pass,
    })
  }
  const sent = (output: string) => output.match(/: Copied \(/g)?.length ?? 0

  for (const vendor of ['other', 'owncloud']) {
    it(`brings all files, finds no difference and sends none twice, as ${vendor}`, {
      timeout: TIMEOUT,
    }, async () => {
      const remote = `:webdav:${vendor}`
      assert.equal(sent(await rclone(vendor, 'sync', 'phone', remote)), COUNT)
      const checked = await rclone(vendor, 'check', '--download', 'phone', remote)
      assert.match(checked, / 0 differences found/)
      assert.match(checked, RegExp(` ${COUNT} matching files`))
      assert.equal(sent(await rclone(vendor, 'sync', 'phone', remote)), 0)
    })
  }

  it('sends none again that was renamed, trashed or purged in the library', {
    timeout: TIMEOUT,
  }, async () => {
    const token = await signIn(server)
    const call = async (method: string, path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      return fetch(`${server.url}/api/v1${path}`, init)
    }
    const list = (await (await call('GET', '/files?limit=60')).json()) as {
      items: { id: string }[]
    }
    assert.equal(list.items.length, 60)
    for (const [n, { id }] of list.items.entries()) {
      if (n < 20) await call('PATCH', `/files/${id}`, { original_name: `renamed ${n}` })
      else await call('DELETE', `/files/${id}`)
      if (n >= 40) await call('DELETE', `/files/${id}/permanent`)
    }
    for (const vendor of ['other', 'owncloud']) {
      assert.equal(sent(await rclone(vendor, 'sync', 'phone', `:webdav:${vendor}`)), 0)
    }
  })
})

describe('curl', { skip: without('curl', '--version') }, () => {
  it('sends a file, with Expect and without a length', async () => {
    const file = join(folder, 'phone', paths[1]!)
    const put = (name: string, ...args: string[]) =>
      run('curl', [
        ...['-sS', '-u', `phone:${key}`, '-w', '%{http_code}', '-o', '/dev/null'],
        ...[...args, '-T', file, `${server.url}/dav/${name}`],
      ])
    assert.equal(await put('expect%20%23.png', '-H', 'Expect: 100-continue'), '201')
    assert.equal(await put('chunked.png', '-H', 'Transfer-Encoding: chunked'), '201')
    const bytes = await readFile(file)
    for (const name of ['expect #.png', 'chunked.png']) {
      assert.ok(bytes.equals((await sendTo(server, key, 'GET', name)).body), name)
    }
  })
})

const noCadaver = existsSync('/usr/bin/cadaver') ? false : 'needs cadaver'

describe('cadaver', { skip: noCadaver }, () => {
  it('makes folders, sends, moves, locks, gets and deletes', async () => {
    const { hostname } = new URL(server.url)
    await writeFile(join(folder, '.netrc'), `machine ${hostname}\nlogin phone\npassword ${key}\n`)
    await chmod(join(folder, '.netrc'), 0o600)
    const file = join(folder, 'phone', paths[1]!)
    await writeFile(join(folder, 'one.png'), await readFile(file))
    const commands = [
      ...['mkcol cad', 'cd cad', 'put one.png two.png', 'put one.png "a b#.png"', 'ls'],
      ...['move two.png three.png', 'lock three.png', 'unlock three.png', 'get three.png got.png'],
      ...['delete three.png', 'quit'],
    ]
    const script = join(folder, '.cadaverrc')
    await writeFile(script, `${commands.join('\n')}\n`)
    const output = await run('cadaver', ['-r', script, `${server.url}/dav/`])
    assert.doesNotMatch(output, /fail/i)
    assert.equal(output.match(/succeeded/g)?.length, 9, output)
    assert.ok((await readFile(file)).equals(await readFile(join(folder, 'got.png'))))
  })
})

const noFuse = process.getuid?.() === 0 && existsSync('/dev/fuse') ? false : 'needs FUSE as root'

describe('davfs2', { skip: without('mount.davfs', '-V') || noFuse }, () => {
  it('copies all files by cp -a', { timeout: TIMEOUT }, async () => {
    // It stores what it sends under longer names of its own.
    const longest = 200
    const names = await writeOddFiles(join(folder, 'mounted'), { count: COUNT, longest })
    await mkdir(join(folder, 'mount'))
    await writeFile(join(folder, 'secrets'), `${server.url}/dav/ phone ${key}\n`)
    await chmod(join(folder, 'secrets'), 0o600)
    await writeFile(join(folder, 'davfs2.conf'), `secrets ${join(folder, 'secrets')}\n`)
    const options = `conf=${join(folder, 'davfs2.conf')}`
    await run('mount.davfs', ['-o', options, `${server.url}/dav/`, 'mount'])
    try {
      await run('mkdir', ['mount/davfs'])
      await run('cp', ['-a', 'mounted/.', 'mount/davfs/'])
    } finally {
      // It waits for all that is to be sent.
      await run('umount', ['mount'])
    }
    for (const name of names) {
      const { body } = await sendTo(server, key, 'GET', `davfs/${name}`)
      assert.ok(body.equals(await readFile(join(folder, 'mounted', name))), name)
    }
  })
})

// The tests of Debian's package send texts, which are no pictures. The file that they send most is named by HTDOCS; the
// text in `basic` becomes a GIF of as many bytes without a NUL, since it ends at one.
describe('litmus', { skip: existsSync(`${LITMUS}/basic`) ? false : 'needs litmus' }, () => {
  const TEXT = Buffer.from('This is\na test file.\nfor litmus\ntesting.\n')
  const GIF = Buffer.from(`GIF89a${'\x01'.repeat(TEXT.length - 7)};`)

  const litmus = async (suite: string): Promise<Map<string, string>> => {
    const htdocs = join(folder, 'htdocs')
    await mkdir(htdocs, { recursive: true })
    await writeFile(join(htdocs, 'foo'), await readFile(join(folder, 'phone', paths[1]!)))
    const program = await readFile(join(LITMUS, suite))
    const at = program.indexOf(TEXT)
    if (suite === 'basic') assert.ok(at > 0, 'litmus sends another text')
    if (at > 0) GIF.copy(program, at)
    const path = join(folder, suite)
    await writeFile(path, program, { mode: 0o755 })
    const args = ['--htdocs', htdocs, `${server.url}/dav/`, 'phone', key]
    const { stdout } = await runToEnd(args, { command: [path], cwd: folder })
    if (suite === 'basic') assert.doesNotMatch(stdout, /WARNING/)
    const lines = stdout.matchAll(/^ *\d+\. (\w+)\.* (pass|FAIL|SKIPPED)?/gm)
    const found = new Map<string, string>()
    for (const [, name, result] of lines) if (result) found.set(name!, result)
    return found
  }

  for (const suite of ['basic', 'http']) {
    it(`passes all of ${suite}`, async () => {
      const found = await litmus(suite)
      assert.ok(found.size >= 4, [...found.keys()].join())
      for (const [name, result] of found) assert.equal(result, 'pass', name)
    })
  }

  it('passes of copymove what copies nothing', async () => {
    const found = await litmus('copymove')
    for (const name of ['init', 'begin', 'move', 'move_cleanup', 'finish']) {
      assert.equal(found.get(name), 'pass', name)
    }
  })
})
