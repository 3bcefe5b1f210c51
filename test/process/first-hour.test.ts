import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createClient, dataOf } from '../../src/client/index.ts'
import { picture } from '../support/harness.ts'
import { commandLine, runToEnd, spawnServer } from '../support/spawn.ts'

/** Of a machine that has a lot to do. */
const LONG = { timeout: 120_000 }

/** Where a phone would find this machine. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

// What else a newcomer meets has tests of its own: the tour in `documentation`, wrong settings in `process/start` and
// `commands/config`, a clean clone in the gate.
describe('the first hour', () => {
  let folder: string
  let dataDir: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tagstead-hour-'))
    dataDir = join(folder, 'library')
  })
  after(() => rm(folder, { recursive: true }))

  const signIn = async (baseUrl: string, password: string) => {
    const body = { name: 'admin', password }
    const session = dataOf(await createClient({ baseUrl }).POST('/api/v1/auth/login', { body }))
    return createClient({ baseUrl, token: session.access_token })
  }

  it('lets a phone in, stops and starts, and brings all back from a backup', LONG, async () => {
    const first = await spawnServer({ dataDir, env: { ADMIN_PASSWORD: '', HOST: '0.0.0.0' } })
    const { port } = new URL(first.url)
    const phone = await signIn(`http://${outside ?? '127.0.0.1'}:${port}`, first.adminPassword)
    const file = new File([await picture(1)], 'beach.jpg')
    const { id } = dataOf(await phone.POST('/api/v1/files', { body: { file } }))
    // Another one at the same port neither disturbs it nor shows a password.
    const taken = await runToEnd([], { env: { DATA_DIR: join(folder, 'second'), PORT: port } })
    assert.deepEqual([taken.code, taken.stdout], [1, ''])
    assert.equal(await first.stop(), 0)

    const second = await spawnServer({ dataDir, env: { ADMIN_PASSWORD: '' } })
    await signIn(second.url, first.adminPassword)
    const backups = join(folder, 'backups')
    await mkdir(backups)
    const [program, ...args] = commandLine()
    const run = (dir: string, ...command: string[]) =>
      promisify(execFile)(program, [...args, ...command], {
        cwd: folder,
        env: { PATH: process.env.PATH, DATA_DIR: dir, DECODER_WALLS: 'environment' },
      })
    await run(dataDir, 'backup', backups)
    assert.equal(await second.stop(), 0)

    const restored = join(folder, 'restored')
    await run(restored, 'restore', backups)
    const third = await spawnServer({ dataDir: restored, env: { ADMIN_PASSWORD: '' } })
    const again = await signIn(third.url, first.adminPassword)
    const path = { file_id: id }
    const found = dataOf(await again.GET('/api/v1/files/{file_id}', { params: { path } }))
    assert.equal(found.original_name, 'beach.jpg')
    assert.equal(await third.stop(), 0)
  })
})
