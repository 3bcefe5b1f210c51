import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createClient, dataOf } from '../../../src/client/index.ts'
import { picture } from '../../support/harness.ts'
import { without } from '../../support/media/media.ts'
import { runToEnd, spawnServer, THIS_RUNTIME } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { runTour } from '../../support/tour.ts'

/** Of a machine that has a lot to do; npm takes a second to start, and is started eight times. */
const LONG = { timeout: 240_000 }

/** Where a phone would find this machine. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

// What npm fetches is there: the gate begins with `npm ci` in an empty clone.
const INSTALL_AND_START = 'npm ci && npm start'
const START: [string, ...string[]] =
  THIS_RUNTIME === 'bun' ? ['npm', 'start'] : ['npm', 'run', 'start:node']

/** What .gitignore names, beside git's own folder. */
const isCloned = (path: string) =>
  !/^(node_modules|build|release|\.git|\.env)$|^data\/(?!\.gitkeep$)/.test(path)

describe('the first hour', { skip: without('curl', '--version') }, () => {
  let folder: string
  let clone: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tagstead-hour-'))
    clone = join(folder, 'tagstead')
    // What a clone has, and what is not committed yet, also where there is no git.
    await cp('.', clone, { recursive: true, filter: isCloned })
    await symlink(resolve('node_modules'), join(clone, 'node_modules'))
  })
  after(() => rm(folder, { recursive: true }))

  const npm = () => ({
    HOME: folder,
    TAGSTEAD_RUNTIME: THIS_RUNTIME,
    npm_config_update_notifier: 'false',
  })
  const dotEnv = (...lines: string[]) => writeFile(join(clone, '.env'), `${lines.join('\n')}\n`)
  const serve = (dataDir: string) =>
    spawnServer({ command: START, cwd: clone, dataDir, env: { ...npm(), ADMIN_PASSWORD: '' } })
  const run = (command: [string, ...string[]], env: Record<string, string> = {}) =>
    runToEnd([], { command, cwd: clone, env: { ...npm(), ...env } })
  const signIn = async (baseUrl: string, password: string) => {
    const body = { name: 'admin', password }
    const session = dataOf(await createClient({ baseUrl }).POST('/api/v1/auth/login', { body }))
    return createClient({ baseUrl, token: session.access_token })
  }

  it('is as the README tells, whatever goes wrong in it', LONG, async () => {
    assert.ok(
      (await readFile(join(clone, 'README.md'), 'utf8')).includes(`\n${INSTALL_AND_START} `),
    )

    await dotEnv('HSOT=0.0.0.0', 'DATA_DIR=~/photos')
    const wrong = await run(START)
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^ {2}\.env, line 1: HSOT is no setting: is it HOST\?$/m)
    assert.match(wrong.stderr, /^ {2}DATA_DIR must not begin with "~", .+: write the whole path$/m)
    assert.deepEqual(await readdir(join(clone, 'data')), ['.gitkeep'])

    await dotEnv('HOST=0.0.0.0')
    const dataDir = join(clone, 'data')
    const first = await serve(dataDir)
    assert.notEqual(first.adminPassword, '')
    const { port } = new URL(first.url)
    const phone = `http://${outside ?? '127.0.0.1'}:${port}`
    const photo = join(folder, 'beach.jpg')
    await writeFile(photo, await picture(1))
    const tour = { API: `${phone}/api/v1`, PASSWORD: first.adminPassword, PHOTO: photo }
    for (const found of [1, 2]) {
      const { stdout } = await runTour(folder, tour)
      assert.equal(stdout.match(/\[ 'beach\.jpg', '\d{4}-/g)?.length, found)
      assert.match(stdout, /^byte for byte$/m)
    }
    // Another one at the same port neither disturbs it nor shows a password.
    const other = join(folder, 'other')
    const taken = await run(START, { DATA_DIR: other, PORT: port })
    assert.equal(taken.code, 1)
    assert.match(taken.stderr, /can't be served: another program is at this PORT$/m)
    assert.doesNotMatch(taken.stdout, /password/)
    assert.equal((await fetch(`${phone}/health`)).status, 200)
    await first.stop()

    const second = await serve(dataDir)
    assert.doesNotMatch(second.output(), /password/)
    await signIn(second.url, first.adminPassword)
    const backups = join(folder, 'backups')
    await mkdir(backups)
    const made = await run(['npx', 'tagstead', 'backup', backups], { DATA_DIR: dataDir })
    assert.equal(made.code, 0, made.stderr)
    await second.stop()

    const restored = join(folder, 'restored')
    const back = await run(['npx', 'tagstead', 'restore', backups], { DATA_DIR: restored })
    assert.equal(back.code, 0, back.stderr)
    const third = await serve(restored)
    const again = await signIn(third.url, first.adminPassword)
    const { items } = dataOf(await again.GET('/api/v1/files'))
    assert.deepEqual(
      items.map(({ original_name, tags }) => [original_name, tags.map(({ name }) => name)]),
      [
        ['beach.jpg', ['Holiday']],
        ['beach.jpg', ['Holiday']],
      ],
    )
    const path = { file_id: items[0]!.id }
    const content = await again.GET('/api/v1/files/{file_id}/content', {
      params: { path },
      parseAs: 'arrayBuffer',
    })
    assert.ok(Buffer.from(dataOf(content) as ArrayBuffer).equals(await readFile(photo)))
    await third.stop()
  })
})
