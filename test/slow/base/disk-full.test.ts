import assert from 'node:assert/strict'
import { appendFileSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../../src/db/client.ts'
import { storedContents } from '../../support/contents.ts'
import { form, picture } from '../../support/harness.ts'
import { openSmallDisk, type SmallDisk, withoutSmallDisk } from '../../support/small-disk.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'

const MIB = 2 ** 20
const RESERVE = 16 * MIB

describe('a disk that fills up', { skip: withoutSmallDisk }, () => {
  let server: SpawnedServer
  let token: string
  let disk: SmallDisk
  let dataDir: string
  let ballast: string
  const uploaded: string[] = []
  let small: Uint8Array

  before(async () => {
    disk = openSmallDisk(64)
    dataDir = join(disk.path, 'data')
    ballast = join(disk.path, 'ballast')
    server = await spawnServer({ dataDir, env: { DISK_RESERVE: `${RESERVE / MIB}MiB` } })
    small = await picture(1)
    token = (await signIn()).token
  })
  after(async () => {
    await server.stop()
    disk.remove()
  })

  const freeBytes = () => {
    const { bsize, bavail } = statfsSync(disk.path)
    return bsize * bavail
  }

  /** Sends a request and returns the status and the body. */
  async function ask(method: string, path: string, body?: unknown) {
    const headers: Record<string, string> = { Authorization: `Bearer ${token}` }
    const isJson =
      body !== undefined && !(body instanceof FormData || body instanceof ReadableStream)
    if (isJson) headers['Content-Type'] = 'application/json'
    if (body instanceof ReadableStream) headers['Content-Type'] = 'multipart/form-data; boundary=b'
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers,
      body: (isJson ? JSON.stringify(body) : body) as string,
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    } as RequestInit)
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
  }

  async function signIn() {
    const body = { name: 'admin', password: server.adminPassword }
    const answer = await ask('POST', '/auth/login', body)
    return { status: answer.status, token: answer.body.access_token as string }
  }

  /** Uploads a picture of that many bytes. */
  const upload = (bytes: number) =>
    ask(
      'POST',
      '/files',
      form(Buffer.concat([small, Buffer.alloc(bytes - small.length, 7)]), 'a.jpg'),
    )
  const temporary = () => readdirSync(join(dataDir, 'tmp'))
  const fill = (left: number) => appendFileSync(ballast, Buffer.alloc(freeBytes() - left, 1))

  it('takes uploads, many at once, until only the reserve is left', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => upload(6 * MIB)))
    for (const { status, body } of answers) {
      if (status === 201) uploaded.push(body.id)
      else assert.deepEqual([status, body.code], [507, 'insufficient_storage'])
    }
    assert.ok(uploaded.length > 2 && uploaded.length < 9, `${uploaded.length} were taken`)
    // Rows and thumbnails are small.
    assert.ok(freeBytes() > RESERVE - 2 * MIB, `${freeBytes()} bytes are free`)
    assert.deepEqual(temporary(), [])
  })

  it('takes what is small and refuses what is large, also of unknown length', async () => {
    const small = await upload(64 * 1024)
    assert.equal(small.status, 201)
    uploaded.push(small.body.id)
    const head =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n' +
      'Content-Type: image/jpeg\r\n\r\n'
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        controller.enqueue(sent === 0 ? Buffer.from(head) : Buffer.alloc(MIB, 1))
        sent++
        if (sent === 40) controller.close()
      },
    })
    assert.equal((await ask('POST', '/files', endless)).status, 507)
    assert.deepEqual(temporary(), [])
  })

  it('lets people sign in, look and delete when other programs have filled most of the rest', async () => {
    fill(3 * MIB)
    assert.equal((await upload(64 * 1024)).status, 507)
    const id = uploaded.pop()
    assert.equal((await ask('PATCH', `/files/${id}`, { notes: 'x' })).status, 507)
    const again = await signIn()
    assert.equal(again.status, 200)
    token = again.token
    assert.equal((await ask('GET', '/files')).body.items.length, uploaded.length + 1)
    assert.equal((await ask('GET', `/files/${id}/thumbnail`)).status, 200)
    assert.equal((await ask('GET', '/status')).body.files, uploaded.length + 1)
    assert.equal((await ask('DELETE', `/files/${id}`)).status, 204)
    assert.equal((await ask('DELETE', `/files/${id}/permanent`)).status, 204)
  })

  it('still lets people look when nothing is left, and changes nothing by halves', async () => {
    fill(0)
    const [id] = uploaded
    const answers = new Set<number>()
    for (let n = 0; n < 50; n++)
      answers.add((await ask('DELETE', `/files/${id}/tags/${id}`)).status)
    answers.add((await upload(64 * 1024)).status)
    assert.ok(
      [...answers].every((status) => [404, 507].includes(status)),
      [...answers].join(),
    )
    assert.equal((await ask('GET', '/files')).body.items.length, uploaded.length)
    assert.equal((await ask('GET', `/files/${id}`)).body.is_deleted, false)
    assert.deepEqual(temporary(), [])
  })

  it('takes uploads again as soon as there is room', async () => {
    rmSync(ballast)
    const [id] = uploaded
    assert.equal((await upload(6 * MIB)).status, 507)
    assert.equal((await ask('DELETE', `/files/${id}`)).status, 204)
    assert.equal((await ask('DELETE', `/files/${id}/permanent`)).status, 204)
    assert.equal((await upload(5 * MIB)).status, 201)
    assert.equal((await ask('PATCH', `/files/${uploaded[1]}`, { notes: 'x' })).status, 200)
  })

  it('leaves the database whole', async () => {
    const db = openDatabase(join(dataDir, 'tagstead.sqlite'))
    assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
    assert.deepEqual(db.all('PRAGMA foreign_key_check'), [])
    db.close()
    const { items } = (await ask('GET', '/files')).body
    assert.equal(storedContents(dataDir).length, items.length)
  })
})
