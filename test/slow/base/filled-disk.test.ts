import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../../src/db/client.ts'
import { eventually } from '../../support/eventually.ts'
import { form, picture } from '../../support/harness.ts'
import { openExt4Disk, withoutExt4Disk } from '../../support/small-disk.ts'
import { spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'

const FILES = 12
const DELETED = 10

describe('a disk that another program keeps full', { skip: withoutExt4Disk }, () => {
  let disk: ReturnType<typeof openExt4Disk>
  let server: Awaited<ReturnType<typeof spawnServer>>
  let filler: ChildProcess
  let token = ''
  let ids: string[] = []
  const fill = () => join(disk.path, 'fill')
  /** Returns how many bytes are free. */
  const free = () => {
    const { bavail, bsize } = statfsSync(disk.path)
    return bavail * bsize
  }
  const endFiller = () => process.kill(-filler.pid!, 'SIGKILL')

  async function ask(method: string, path: string, body?: object) {
    const isForm = body instanceof FormData
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body && !isForm && { 'Content-Type': 'application/json' }),
      },
      body: isForm ? body : (JSON.stringify(body) ?? null),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }

  async function signIn() {
    const body = { name: 'admin', password: server.adminPassword }
    const answer = await ask('POST', '/auth/login', body)
    if (answer.status === 200) token = answer.body.access_token
    return answer.status
  }

  const upload = async (n: number) => ask('POST', '/files', form(await picture(n), `${n}.png`))

  before(async () => {
    disk = openExt4Disk(80)
    server = await spawnServer({ dataDir: join(disk.path, 'data') })
    assert.equal(await signIn(), 200)
    for (let n = 0; n < FILES; n++) ids.push((await upload(n)).body.id)
    // It takes each block that becomes free, at once.
    const loop =
      'while :; do cat /dev/zero >> "$0" 2>/dev/null; dd if=/dev/zero bs=1 count=512 >> "$0" 2>/dev/null; done'
    filler = spawn('sh', ['-c', loop, fill()], { stdio: 'ignore', detached: true })
    await eventually(() => free() === 0)
  })
  after(async () => {
    if (filler?.exitCode === null && filler.signalCode === null) endFiller()
    await server?.stop()
    disk?.remove()
  })

  it('lets people sign in, look, delete and empty the trash', async () => {
    for (let n = 0; n < 20; n++) assert.equal(await signIn(), 200, `the ${n}th time`)
    assert.equal((await ask('GET', '/files')).body.items.length, FILES)
    for (const id of ids.slice(0, DELETED)) {
      assert.equal((await ask('DELETE', `/files/${id}`)).status, 204)
    }
    assert.equal((await ask('GET', '/files?trash=true')).body.items.length, DELETED)
    for (const id of ids.slice(0, DELETED)) {
      assert.equal((await ask('DELETE', `/files/${id}/permanent`)).status, 204)
    }
    ids = ids.slice(DELETED)
    assert.equal((await ask('GET', '/files')).body.items.length, ids.length)
    assert.equal((await upload(99)).status, 507)
  })

  it('takes uploads again once there is room, and is whole', async () => {
    const ended = once(filler, 'exit')
    endFiller()
    await ended
    rmSync(fill())
    // What it had open frees its blocks when the last of its processes has gone.
    await eventually(() => free() > 20 * 2 ** 20)
    assert.equal((await upload(100)).status, 201)
    const db = openDatabase(join(server.dataDir, 'tagstead.sqlite'))
    assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
    db.close()
  })
})
