import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openDatabase } from '../../../src/db/client.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { blobFor, fileSeed, idAt, insertFiles } from '../../support/file-rows.ts'
import { type SpawnedServer, spawnServer, THIS_RUNTIME } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { unzippedBytes, withoutUnzip } from '../../support/zip.ts'

const PASSWORD = 'a password for tests'
/** More than a connection holds of what nobody takes. */
const LARGE = 200_000_000

let server: SpawnedServer
let token: string
const dataDir = mkdtempSync(join(tmpdir(), 'tagstead-served-'))
before(start)
after(async () => {
  await server.stop('SIGKILL')
  rmSync(dataDir, { recursive: true })
})

async function start(): Promise<void> {
  server = await spawnServer({ dataDir })
  token = ''
  const login = await call('POST', '/auth/login', { name: 'admin', password: PASSWORD })
  token = ((await login.json()) as { access_token: string }).access_token
}

function call(method: string, path: string, body?: object): Promise<Response> {
  const headers = new Headers({ 'Content-Type': 'application/json' })
  if (token) headers.set('Authorization', `Bearer ${token}`)
  const text = body === undefined ? null : JSON.stringify(body)
  return fetch(`${server.url}/api/v1${path}`, { method, headers, body: text })
}

let made = 0
/**
 * Adds a file whose content is so many zeros, and returns its id and where that is, at first and once it
 * waits for an archive.
 */
function addFile(size: number): { id: string; path: string; aside: string } {
  const { database, content, temporary } = dataFolder(dataDir)
  const id = idAt(1.7e12, ++made)
  const path = content(blobFor(id))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  truncateSync(path, size)
  const db = openDatabase(database)
  insertFiles(db, [fileSeed(id, { name: `${made}.jpg`, size })])
  db.close()
  return { id, path, aside: join(temporary('tmp'), blobFor(id)) }
}

async function purge(id: string): Promise<void> {
  for (const path of [`/files/${id}`, `/files/${id}/permanent`]) {
    assert.equal((await call('DELETE', path)).status, 204)
  }
}

/** Asks for an archive and begins its download, which `leave` ends. */
async function download(ids: string[]) {
  const asked = await call('POST', '/files/archive', { file_ids: ids })
  const { token: archive } = (await asked.json()) as { token: string }
  const gone = new AbortController()
  const url = `${server.url}/api/v1/files/archive?access_token=${archive}`
  const response = await fetch(url, { signal: gone.signal })
  return { response, archive, leave: () => gone.abort() }
}

describe('an archive that is served', () => {
  it('is whole, with its length where the runtime tells one', { skip: withoutUnzip }, async () => {
    const sizes = [3_000_000, 0, 5]
    const ids = sizes.map((size) => addFile(size).id)
    const { response, archive } = await download(ids)
    assert.equal(response.status, 200)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const length = THIS_RUNTIME === 'node' ? String(bytes.length) : null
    assert.equal(response.headers.get('Content-Length'), length)
    assert.deepEqual(
      unzippedBytes(bytes).map((file) => file.size),
      sizes,
    )
    await eventually(() => server.output().includes('"/api/v1/files/archive","status":200'))
    assert.ok(!server.output().includes(archive))
  })

  it('lets go of everything when its client leaves', async () => {
    const { id, path, aside } = addFile(LARGE)
    const [one, other] = [await download([id]), await download([id])]
    assert.deepEqual([one.response.status, other.response.status], [200, 200])
    assert.equal((await download([id])).response.status, 429)
    await purge(id)
    one.leave()
    assert.deepEqual([path, aside].map(existsSync), [false, true])
    other.leave()
    await eventually(() => !existsSync(aside))
    const again = await download([addFile(1).id])
    assert.equal(again.response.status, 200)
    await again.response.arrayBuffer()
  })

  it('is cut when the server stops, which then removes what waited', async () => {
    const { id, aside } = addFile(LARGE)
    const { response } = await download([id])
    assert.equal(response.status, 200)
    await purge(id)
    assert.ok(existsSync(aside))
    assert.equal(await server.stop(), 0)
    assert.deepEqual(largeFiles(), [])
    await assert.rejects(response.arrayBuffer())
    await start()
  })

  it('leaves nothing of what was purged meanwhile when the server is killed', async () => {
    const { id } = addFile(LARGE)
    const { response } = await download([id])
    assert.equal(response.status, 200)
    await purge(id)
    assert.equal(largeFiles().length, 1)
    await server.stop('SIGKILL')
    await assert.rejects(response.arrayBuffer())
    await start()
    assert.deepEqual(largeFiles(), [])
  })

  function largeFiles(): string[] {
    const names = readdirSync(dataDir, { recursive: true }) as string[]
    return names.filter((name) => statSync(join(dataDir, name)).size >= LARGE)
  }
})
