import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PLACEHOLDER_PATH } from '../../../src/base/paths.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { corpus } from '../../support/media/media.ts'
import { descendantsOf } from '../../support/processes.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { signIn } from './client.ts'
import { type BuiltImage, buildImage, withoutContainers } from './image.ts'

// `npm run release:test`: the container, built by buildah, and started as one is that may do nothing.

const PHOTO = corpus('photos', 'Canon_40D.jpg')
const FILM = corpus('video', 'doorknob.mp4')
const PASSWORD = 'a password for tests'
/** Shows the image read-only, with folders for /data and /mnt, and runs what follows as its user, without any rights. */
const ENTER = `set -e
root=$0; data=$1; user=$2; shift 2
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$data/library" "$root/data"
mount --bind "$data/backups" "$root/mnt"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
exec chroot "$root" setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs \\
  --inh-caps=-all --bounding-set=-all -- env -i "$@"`

if (withoutContainers) process.stdout.write(`Skipped, all of it: ${withoutContainers}\n`)

describe('the container', { skip: withoutContainers }, () => {
  let image: BuiltImage
  let user: string
  let data: string
  let environment: string[]
  let url: string
  let running: ChildProcess | undefined
  let said: string
  let id: string

  before(async () => {
    image = buildImage()
    user = image.config.User.split(':')[0]!
    data = mkdtempSync(join(tmpdir(), 'tagstead-data-'))
    for (const name of ['library', 'backups']) {
      mkdirSync(join(data, name))
      chownSync(join(data, name), Number(user), Number(user))
    }
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    environment = [...image.config.Env, `PORT=${port}`, `ADMIN_PASSWORD=${PASSWORD}`]
  })

  after(async () => {
    if (running?.exitCode === null) running.kill('SIGKILL')
    image?.remove()
    rmSync(data, { recursive: true, force: true })
  })

  /** As the first process in namespaces of its own. */
  const start = async (line = image.config.Entrypoint) => {
    said = ''
    const own = ['--mount', '--pid', '--fork', '--kill-child', '--', 'sh', '-c', ENTER]
    const place = [image.root, data, user, '-C', image.config.WorkingDir]
    running = spawn('unshare', [...own, ...place, ...environment, ...line])
    for (const stream of [running.stdout!, running.stderr!]) {
      stream.on('data', (chunk) => {
        said += chunk
      })
    }
    const isUp = () => / is at http/.test(said)
    await eventually(() => isUp() || running!.exitCode !== null)
    assert.ok(isUp(), said)
    return descendantsOf(running.pid!)[0]!
  }
  const stop = async () => {
    const ended = once(running!, 'close')
    process.kill(descendantsOf(running!.pid!)[0]!, 'SIGTERM')
    const [code] = await ended
    assert.match(said, /"message":"the server stops","why":"SIGTERM"/)
    return code
  }
  /** Runs a program beside the first process. */
  const beside = (first: number, line: string[]) => {
    const into = ['--mount', '--pid', '--root', '--wd', '-S', user, '-G', user]
    const all = ['-t', String(first), ...into, '--', 'env', '-i', ...environment, ...line]
    return spawnSync('nsenter', all, { encoding: 'utf8' })
  }
  const health = (first: number) => {
    const [how, ...line] = image.config.Healthcheck.Test
    assert.equal(how, 'CMD')
    return beside(first, line).status
  }

  it('runs as the number of a user that is not root, and keeps all of it in /data', () => {
    assert.match(image.config.User, /^[1-9]\d*:[1-9]\d*$/)
    assert.deepEqual(Object.keys(image.config.Volumes), ['/data'])
    for (const text of ['DATA_DIR=/data', 'HOST=0.0.0.0']) {
      assert.ok(image.config.Env.includes(text), text)
    }
  })

  it('takes a picture and a film where nothing but /data can be written, and leaves nothing in /tmp', async () => {
    const first = await start()
    const client = await signIn(url, PASSWORD)
    id = await client.upload(PHOTO)
    const film = await client.upload(FILM)
    const placeholder = readFileSync(PLACEHOLDER_PATH)
    for (const one of [id, film]) {
      assert.ok(!(await client.bytes(`/files/${one}/thumbnail`)).equals(placeholder))
    }
    assert.deepEqual(readdirSync(`/proc/${first}/root/tmp`), [])
  })

  it('tells that there are no walls around its decoder, and why', async () => {
    await eventually(() => said.includes('the walls of the decoder'))
    const line = said.split('\n').find((text) => text.includes('the walls of the decoder'))!
    const { walls, namespaces, user: other } = JSON.parse(line)
    assert.equal(walls, 'environment')
    assert.ok(namespaces.length > 0)
    assert.equal(other, 'the server is not root')
  })

  it('is found healthy, and buries what is left behind', async () => {
    const first = descendantsOf(running!.pid!)[0]!
    assert.equal(health(first), 0)
    const orphan = beside(first, ['sh', '-c', 'sleep 0 & echo $!']).stdout.trim()
    assert.match(orphan, /^\d+$/)
    await eventually(() => !existsSync(`/proc/${first}/root/proc/${orphan}`))
  })

  it('backs up beside the server', () => {
    const first = descendantsOf(running!.pid!)[0]!
    const { status, stderr } = beside(first, ['tagstead', 'backup', '/mnt'])
    assert.equal(status, 0, stderr)
  })

  it('ends in order, and has everything when it is started again', async () => {
    assert.equal(await stop(), 0)
    await start()
    const client = await signIn(url, PASSWORD)
    assert.ok((await client.bytes(`/files/${id}/content`)).equals(readFileSync(PHOTO)))
    assert.equal(await stop(), 0)
  })

  it('ends in order where the server itself is the first process', async () => {
    await start(['/opt/tagstead/tagstead'])
    assert.equal(await stop(), 0)
  })

  it('is found ill when the server does not answer', async () => {
    const first = await start(['sh', '-c', 'echo it is at http://nowhere; read -r _'])
    assert.equal(health(first), 1)
    running!.kill('SIGKILL')
  })
})
