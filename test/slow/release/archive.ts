import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { PLACEHOLDER_PATH } from '../../../src/base/paths.ts'
import { VERSION } from '../../../src/base/version.ts'
import { eventually } from '../../support/eventually.ts'
import { corpus } from '../../support/media/media.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { type BareRoot, makeBareRoot, unpackRelease, withoutBareRoot } from './bare-root.ts'
import { type Client, signIn } from './client.ts'

// `npm run release:test`: the archive as somebody has it who has nothing else.

const NAME = `tagstead-${VERSION}-linux-x64`
const PROGRAM = `/srv/${NAME}/tagstead`
const PASSWORD = 'a password for tests'
const FILES = {
  jpeg: corpus('photos', 'Canon_40D.jpg'),
  heic: corpus('heic', 'iphone_13_pro_max.HEIC'),
  film: corpus('video', 'doorknob.mp4'),
}

if (withoutBareRoot) process.stdout.write(`Skipped, all of it: ${withoutBareRoot}\n`)

describe('the archive in a bare Debian', { skip: withoutBareRoot }, () => {
  let root: BareRoot
  let server: ChildProcess
  let url: string
  let client: Client
  const ids: Record<string, string> = {}

  before(() => {
    root = makeBareRoot()
    unpackRelease(root, '/srv')
    mkdirSync(join(root.path, 'srv/library'))
  })

  after(async () => {
    if (server?.exitCode === null) await stop()
    root?.remove()
  })

  const settings = (more: Record<string, string> = {}) => ({
    DATA_DIR: '/srv/library',
    PORT: '0',
    ADMIN_PASSWORD: PASSWORD,
    ...more,
  })
  const serve = async (more?: Record<string, string>) => {
    server = root.start([PROGRAM], settings(more))
    url = await new Promise<string>((resolve, reject) => {
      let said = ''
      for (const stream of [server.stdout!, server.stderr!]) {
        stream.on('data', (chunk) => {
          said += chunk
          const address = / is at (http:\S+)\n/.exec(said)?.[1]
          if (address) resolve(address)
        })
      }
      server.once('close', (code) => reject(new Error(`It ended with ${code}: ${said}`)))
    })
    client = await signIn(url, PASSWORD)
  }
  const stop = async () => {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    return ended
  }
  const fileOf = async (what: string) => {
    const answer = await client.call(`/files/${ids[what]}`)
    return (await answer.json()) as { phash: number | null; width: number; height: number }
  }
  const hasPicture = async (what: string) => {
    const pictures = ['thumbnail', 'preview'].map((kind) =>
      client.bytes(`/files/${ids[what]}/${kind}`),
    )
    const placeholder = readFileSync(PLACEHOLDER_PATH)
    return (await Promise.all(pictures)).every((picture) => !picture.equals(placeholder))
  }

  it('has all that its texts link to', () => {
    const folder = join(root.path, 'srv', NAME)
    const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.md') && !name.startsWith('node_modules'),
    )
    assert.ok(texts.length > 10)
    for (const name of texts) {
      const links = readFileSync(join(folder, name), 'utf8').matchAll(
        /\]\((?![a-z]+:|#)([\w./-]+)[)#]/g,
      )
      for (const [, link] of links) {
        assert.ok(existsSync(join(folder, dirname(name), link!)), `${name}: ${link}`)
      }
    }
  })

  it('is unpacked by root for everybody, and holds nothing that only Node needs', async () => {
    const found = await root.run(['/bin/sh', '-c', 'command -v node bun npm'])
    assert.equal(found.stdout, '')
    const folder = join(root.path, 'srv', NAME)
    for (const name of ['esbuild', 'tsx', 'better-sqlite3', 'typescript', '.bin']) {
      assert.equal(existsSync(join(folder, 'node_modules', name)), false, name)
    }
    for (const path of [folder, join(folder, 'tagstead'), join(folder, 'bin/bun')]) {
      const { mode, uid } = statSync(path)
      assert.deepEqual([mode & 0o777, uid], [0o755, 0])
    }
    assert.match(
      readFileSync(join(folder, 'LICENSES'), 'utf8'),
      /GNU LESSER GENERAL PUBLIC LICENSE/,
    )
  })

  it('tells its version and its commands', async () => {
    assert.deepEqual(await root.run([PROGRAM, '--version']), {
      code: 0,
      stdout: `${VERSION}\n`,
      stderr: '',
    })
    for (const command of ['serve', 'rescan', 'import', 'check', 'user', 'backup', 'restore']) {
      const { code, stdout } = await root.run([PROGRAM, 'help', command])
      assert.deepEqual([code, /^Usage: tagstead /.test(stdout)], [0, true], command)
    }
    const watching = await root.run(
      [PROGRAM, 'serve', '--watch'],
      settings({ DATA_DIR: '/tmp/none' }),
    )
    assert.equal(watching.code, 1)
    assert.match(watching.stderr, /The gallery's source is not part of a release\n$/)
  })

  it('takes a JPEG, a HEIC and a film, and gives them back', async () => {
    await serve({ FFMPEG_PATH: '' })
    for (const [what, path] of Object.entries(FILES)) {
      ids[what] = await client.upload(path)
      assert.ok(
        (await client.bytes(`/files/${ids[what]}/content`)).equals(readFileSync(path)),
        what,
      )
    }
  })

  for (const what of ['jpeg', 'heic']) {
    it(`has a hash and pictures of the ${what}`, async () => {
      // On a busy machine, what takes long follows after the answer.
      await eventually(async () => (await fileOf(what)).phash)
      const { width, height } = await fileOf(what)
      assert.ok(width > 0 && height > 0)
      assert.ok(await hasPicture(what))
    })
  }

  it('has none of a film without ffmpeg', async () => {
    const { phash } = await fileOf('film')
    assert.deepEqual([phash, await hasPicture('film')], [null, false])
  })

  it('looks for duplicates', async () => {
    const events = await (await client.call('/files/duplicates/rescan', { method: 'POST' })).text()
    assert.match(events.trim().split('\n').at(-1)!, /"type":"done"/)
  })

  for (const page of ['/', '/docs', '/about']) {
    it(`opens ${page} with all that it loads`, async () => {
      const answer = await fetch(url + page)
      assert.equal(answer.status, 200)
      const html = await answer.text()
      const named = [...html.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path]) => path!)
      assert.ok(named.length > 2, html)
      for (const path of named) assert.equal((await fetch(url + path)).status, 200, path)
    })
  }

  it('ends in order when it is asked to', async () => {
    assert.deepEqual(await stop(), [0, null])
  })

  it('takes a frame of a film when ffmpeg is there', async () => {
    await serve()
    const rescan = await root.run([PROGRAM, 'rescan'], settings())
    assert.equal(rescan.code, 0, rescan.stderr)
    const { phash } = await fileOf('film')
    assert.ok(phash !== null)
    assert.ok(await hasPicture('film'))
  })

  it('backs up beside the server, and restores', async () => {
    const backup = await root.run([PROGRAM, 'backup', '/srv/backups'], settings())
    assert.equal(backup.code, 0, backup.stderr)
    assert.deepEqual(await stop(), [0, null])
    const restored = settings({ DATA_DIR: '/srv/restored' })
    const restore = await root.run([PROGRAM, 'restore', '/srv/backups'], restored)
    assert.equal(restore.code, 0, restore.stderr)
    const check = await root.run([PROGRAM, 'check'], restored)
    assert.equal(check.code, 0, check.stdout + check.stderr)
    await serve({ DATA_DIR: '/srv/restored' })
    for (const [what, path] of Object.entries(FILES)) {
      assert.ok(
        (await client.bytes(`/files/${ids[what]}/content`)).equals(readFileSync(path)),
        what,
      )
      assert.ok(await hasPicture(what), what)
    }
    assert.deepEqual(await stop(), [0, null])
  })

  it('tells in a line that libstdc++ is missing', async () => {
    const library = join(root.path, 'usr/lib/x86_64-linux-gnu/libstdc++.so.6')
    renameSync(library, `${library}.away`)
    try {
      const { code, stderr } = await root.run([PROGRAM, '--version'])
      assert.deepEqual([code, stderr.split('\n').length], [1, 2])
      assert.match(stderr, /libstdc\+\+ is missing/)
    } finally {
      renameSync(`${library}.away`, library)
    }
  })

  it('tells in a line that glibc is too old', async () => {
    mkdirSync(join(root.path, 'srv/older'))
    const older = join(root.path, 'srv/older/getconf')
    writeFileSync(older, '#!/bin/sh\necho glibc 2.28\n', { mode: 0o755 })
    const { code, stderr } = await root.run([PROGRAM], { PATH: '/srv/older:/usr/bin:/bin' })
    assert.deepEqual([code, stderr.split('\n').length], [1, 2])
    assert.match(stderr, /glibc 2\.31 or later .* this system has glibc 2\.28\n$/)
  })
})
