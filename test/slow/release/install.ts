import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { VERSION } from '../../../src/base/version.ts'
import { freePort } from '../../support/free-port.ts'
import { corpus } from '../../support/media/media.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { type BareRoot, makeBareRoot, unpackRelease, withoutBareRoot } from './bare-root.ts'
import { type Client, signIn } from './client.ts'

const SYSTEMCTL = fileURLToPath(new URL('systemctl', import.meta.url))
const PHOTO = corpus('photos', 'Canon_40D.jpg')
const PASSWORD = 'a_password_for_tests'
const NEXT = '98.0.0'
const BROKEN = '99.0.0'
/** A version that changes the library and then fails. */
const FAILING = `import { Database } from 'bun:sqlite'
if (process.argv[2] === '--version') console.log('${BROKEN}')
else {
  new Database('/var/lib/tagstead/tagstead.sqlite').run('CREATE TABLE of_a_later_version (a)')
  process.exit(1)
}
`

describe('install.sh', { skip: withoutBareRoot }, () => {
  let root: BareRoot
  let url: string
  let client: Client
  let file: string

  before(async () => {
    root = makeBareRoot()
    unpackRelease(root, '/srv')
    cpSync(SYSTEMCTL, join(root.path, 'usr/bin/systemctl'))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const settings = [`PORT=${port}`, `ADMIN_PASSWORD=${PASSWORD}`]
    writeFileSync(join(root.path, 'etc/tagstead.conf'), `${settings.join('\n')}\n`)
  })

  after(async () => {
    await root?.run(['systemctl', 'stop', 'tagstead'])
    root?.remove()
  })

  const of = (version: string) => `srv/tagstead-${version}-linux-x64`
  const install = (version: string, ...args: string[]) =>
    root.run([`/${of(version)}/install.sh`, ...args])
  /** Lays another version beside, by links. */
  const layNext = (version: string, path: string, content: string) => {
    execFileSync('cp', ['-al', join(root.path, of(VERSION)), join(root.path, of(version))])
    rmSync(join(root.path, of(version), path))
    writeFileSync(join(root.path, of(version), path), content)
  }
  const owner = (path: string) => {
    const { uid, mode } = statSync(join(root.path, path))
    return [uid, mode & 0o777]
  }
  const hasFile = async () => {
    client = await signIn(url, PASSWORD)
    assert.ok((await client.bytes(`/files/${file}/content`)).equals(readFileSync(PHOTO)))
  }

  it('makes a service of a user of its own', async () => {
    const { code, stdout, stderr } = await install(VERSION)
    assert.equal(code, 0, stderr)
    assert.match(stdout, new RegExp(`^Tagstead ${VERSION} is at ${url}; `))
    const user = Number((await root.run(['id', '-u', 'tagstead'])).stdout)
    assert.deepEqual(owner('var/lib/tagstead'), [user, 0o700])
    assert.deepEqual(owner('opt/tagstead/src/main.ts'), [0, 0o644])
    const pid = readFileSync(join(root.path, 'run/tagstead.pid'), 'utf8').trim()
    assert.equal(statSync(`/proc/${pid}`).uid, user)
    client = await signIn(url, PASSWORD)
    file = await client.upload(PHOTO)
  })

  it('upgrades what is there', async () => {
    const manifest = JSON.stringify({ name: 'tagstead', version: NEXT, type: 'module' })
    layNext(NEXT, 'package.json', manifest)
    const { code, stdout, stderr } = await install(NEXT)
    assert.equal(code, 0, stderr)
    assert.equal(stdout, `Tagstead ${NEXT} is at ${url}, in the place of ${VERSION}.\n`)
    assert.deepEqual(readdirSync(join(root.path, 'opt')), ['tagstead'])
    assert.equal(existsSync(join(root.path, 'var/lib/tagstead-before-upgrade')), false)
    await hasFile()
  })

  it('goes back when the next one fails, with the library as it was', async () => {
    layNext(BROKEN, 'src/main.ts', FAILING)
    const { code, stdout, stderr } = await install(BROKEN)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, new RegExp(`${BROKEN} did not answer, and ${NEXT} is back`))
    const database = readFileSync(join(root.path, 'var/lib/tagstead/tagstead.sqlite'))
    assert.equal(database.includes('of_a_later_version'), false)
    const kept = 'var/lib/tagstead-replaced'
    const [aside] = readdirSync(join(root.path, kept))
    assert.ok(existsSync(join(root.path, kept, aside!, 'tagstead.sqlite')))
    assert.deepEqual(owner(kept), [0, 0o700])
    const live = statSync(join(root.path, 'var/lib/tagstead/tagstead.sqlite'))
    const user = Number((await root.run(['id', '-u', 'tagstead'])).stdout)
    assert.deepEqual([live.uid, live.mode & 0o777], [user, 0o600])
    assert.equal((await root.run(['/opt/tagstead/tagstead', '--version'])).stdout, `${NEXT}\n`)
    await hasFile()
  })

  it('goes away, and leaves the library', async () => {
    const { code, stderr } = await install(VERSION, '--remove')
    assert.equal(code, 0, stderr)
    for (const gone of ['opt/tagstead', 'etc/systemd/system/tagstead.service']) {
      assert.equal(existsSync(join(root.path, gone)), false, gone)
    }
    assert.ok(existsSync(join(root.path, 'var/lib/tagstead/tagstead.sqlite')))
    await assert.rejects(fetch(`${url}/health`))
    const again = await install(VERSION, '--remove')
    assert.deepEqual([again.code, again.stderr], [1, 'install.sh: Tagstead is not installed\n'])
  })
})
