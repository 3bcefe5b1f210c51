import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { rescanInProcess } from '../../../src/duplicates/rescan/run.ts'
import { command, signIn } from '../../support/backups.ts'
import { eventually } from '../../support/eventually.ts'
import { openLibrary, picture } from '../../support/harness.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { openSmallS3, type SmallS3 } from '../../support/s3/small-s3.ts'
import { spawnServer } from '../../support/spawn.ts'

const NAME = { name: 's3://family/photos/files' }

interface Store {
  name: string
  problem: string | null
  since: string | null
}

const SECRETS = /the secret of the store|AKEXAMPLE/

describe('a server whose contents are in a store', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let store: SmallS3
  let env: Record<string, string>
  before(async () => {
    folder = await temporaryFolder()
    store = await openSmallS3()
    env = { ...store.env, FFMPEG_PATH: '', DECODER_WALLS: 'environment' }
  })
  after(async () => {
    await store.close()
    await folder.remove()
  })

  const told = async (admin: Awaited<ReturnType<typeof signIn>>) =>
    ((await admin.get('/status')) as { store: Store }).store
  const start = (dataDir = join(folder.path, 'data')) => spawnServer({ dataDir, env })
  const objects = () => [...store.objects.keys()].filter((key) => !key.endsWith('.library'))

  it('has what it acknowledged after a kill, and tells no secret', async () => {
    const first = await start()
    const { id, bytes } = await (await signIn(first)).upload('red.jpg', 'red')
    await first.stop('SIGKILL')
    const second = await start()
    const admin = await signIn(second)
    assert.deepEqual(await admin.bytes(`/files/${id}/content`), bytes)
    assert.deepEqual(objects().length, 1)
    await second.stop()
    assert.doesNotMatch(first.output() + second.output(), SECRETS)
  })

  it('keeps what is to be removed until the store is there again', async () => {
    const server = await start()
    const admin = await signIn(server)
    const { id } = await admin.upload('green.jpg', 'green')
    assert.equal(objects().length, 2)
    await admin.call('DELETE', `/files/${id}`)
    store.trouble = ({ method }) => (method === 'DELETE' ? 500 : undefined)
    await admin.call('DELETE', `/files/${id}/permanent`)
    assert.equal(objects().length, 2)
    store.trouble = () => undefined
    await server.stop()
    const next = await start()
    await eventually(() => objects().length === 1)
    await next.stop()
  })

  it('starts while the store is away: people see lists, and that contents are not there now', async () => {
    store.trouble = () => 503
    const server = await start()
    const admin = await signIn(server)
    const { items } = (await admin.get('/files')) as { items: { id: string }[] }
    assert.equal(items.length, 1)
    const { id } = items[0]!
    await admin.call('GET', `/files/${id}/thumbnail`)
    const answer = await fetch(`${server.url}/api/v1/files/${id}/content`, {
      headers: { Authorization: `Bearer ${admin.access_token}` },
    })
    assert.deepEqual([answer.status, answer.headers.get('Retry-After')], [503, '5'])
    assert.equal(((await answer.json()) as { code: string }).code, 'busy')
    await assert.rejects(admin.upload('blue.jpg', 'blue'), /503/)
    assert.equal((await told(admin)).problem, 'away')
    store.trouble = () => undefined
    await admin.upload('blue.jpg', 'blue')
    assert.deepEqual(await told(admin), { problem: null, since: null, ...NAME })
    await server.stop()
    assert.equal(objects().length, 2)
  })

  it('uses a store that was away at the start only once it is known to be its own', async () => {
    const mark = store.objects.get('photos/files/.library')!
    const own = mark.bytes
    store.trouble = () => 503
    const server = await start()
    const admin = await signIn(server)
    const { items } = (await admin.get('/files')) as { items: { id: string }[] }
    const kept = new Map(store.objects)
    // What comes back is another prefix, which has nothing of this library.
    for (const key of objects()) store.objects.delete(key)
    mark.bytes = Buffer.from('ab'.repeat(16))
    store.trouble = () => undefined
    await assert.rejects(admin.bytes(`/files/${items[0]!.id}/content`), /503/)
    await assert.rejects(admin.upload('white.jpg', 'white'), /503/)
    const { problem, since } = await told(admin)
    assert.equal(problem, 'foreign')
    assert.ok(Date.parse(since!) <= Date.now())
    await server.stop()
    assert.deepEqual(objects(), [])
    mark.bytes = own
    for (const [key, object] of kept) store.objects.set(key, object)
  })

  it('removes the parts of uploads that a stop has left, and tells how much they held', async () => {
    const part = { bytes: Buffer.alloc(7), etag: '', sha256: undefined }
    const key = `photos/files/ab/${'ab'.repeat(16)}`
    store.uploads.set('upload-1', { key, sha256: undefined, parts: new Map([[1, part]]) })
    const server = await start()
    await server.stop()
    assert.equal(store.uploads.size, 0)
    assert.match(server.output(), /cut off are removed.*"uploads":1,"bytes":7/)
  })

  it('does not start on the prefix of another library, or with a wrong key', async () => {
    const other = join(folder.path, 'other')
    await assert.rejects(
      start(other),
      /s3:\/\/family\/photos\/files: It has the contents of another/,
    )
    const wrong = { ...env, AWS_SECRET_ACCESS_KEY: 'another secret' }
    await assert.rejects(
      spawnServer({ dataDir: other, env: wrong }),
      /The store answered 403 SignatureDoesNotMatch to a GET/,
    )
  })

  it('has its contents read by a check only when that is asked', async () => {
    const object = store.objects.get(objects()[0]!)!
    const { bytes } = object
    object.bytes = Buffer.alloc(bytes.length)
    const check = async (...args: string[]) => {
      const { stdout } = await command(join(folder.path, 'data'), ['check', '--json', ...args], env)
      const told = stdout.trimEnd().split('\n')
      const lines: { kind?: string; contents_read?: number }[] = told.map((line) =>
        JSON.parse(line),
      )
      return [lines.at(-1)!.contents_read, lines.some(({ kind }) => kind === 'content_damaged')]
    }
    assert.deepEqual(await check(), [0, false])
    assert.deepEqual(await check('--part', '1/1'), [2, true])
    assert.deepEqual(await check('--read'), [2, true])
    object.bytes = bytes
  })

  it('is exported while it runs', async () => {
    const server = await start()
    const dir = join(folder.path, 'exported')
    const { code, stdout } = await command(
      join(folder.path, 'data'),
      ['export', dir, '--json'],
      env,
    )
    await server.stop()
    assert.equal(code, 0)
    const { files, written, written_bytes, faults } = JSON.parse(stdout)
    const sizes = objects().map((key) => store.objects.get(key)!.bytes.length)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    assert.deepEqual([files, written, written_bytes, faults], [2, 2, bytes, 0])
  })
})

it('a process of the server gets the key, and reads contents by it', async () => {
  const library = await openLibrary({ CONTENTS: 's3' })
  try {
    const { token } = await library.join('Ann', { is_admin: true })
    await library.upload(token, await picture(1))
    const { db, config } = library.deps
    db.run("UPDATE file_details SET derivative_state = 'pending'")
    rmSync(join(library.folder, 'contents-cache'), { recursive: true })
    const asked = library.store!.asked.length
    const types: string[] = []
    for await (const event of rescanInProcess(config, { signal: new AbortController().signal })) {
      types.push(event.type)
      assert.doesNotMatch(environmentOfChildren(), SECRETS)
    }
    assert.equal(types.at(-1), 'done')
    const { derivative_state } = db.get<{ derivative_state: string }>(
      'SELECT derivative_state FROM file_details',
    )!
    assert.equal(derivative_state, 'made')
    const reads = library.store!.asked.slice(asked).filter(({ key }) => key.includes('/files/'))
    assert.ok(reads.length > 0)
  } finally {
    await library.close()
  }
})

// Returns the environments of all processes that this one has started.
function environmentOfChildren(): string {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim()
  const read = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8')
    } catch {
      return ''
    }
  }
  return children.split(' ').map(read).join('\n')
}
