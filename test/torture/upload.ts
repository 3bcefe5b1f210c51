import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../../src/db/client.ts'
import { blobToUuid } from '../../src/db/columns.ts'
import { storedContents } from '../support/contents.ts'
import { form, picture } from '../support/harness.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../support/spawn.ts'

const ROUNDS = 30
const CLIENTS = 3
/** The most bytes that follow a picture. */
const TAIL = 2 ** 20
/** Milliseconds; enough for several uploads, so that a kill may hit any moment of one. */
const LONGEST_LIFE = 300

export interface Outcome {
  /** Uploads that were answered with 201. */
  acknowledged: number
  /** Contents without a row: waste that a crash may leave. */
  unreferenced: number
}

/** Kills the server thirty times during uploads, on each runtime. */
export async function torture(): Promise<void> {
  for (const runtime of ['bun', 'node'] as const) {
    const { acknowledged, unreferenced } = await killDuringUploads(ROUNDS, runtime)
    process.stdout.write(
      `upload, ${runtime}: ${ROUNDS} kills, ${acknowledged} acknowledged uploads all there, ` +
        `${unreferenced} contents without a row\n`,
    )
  }
}

/**
 * Kills a server with SIGKILL at random moments during uploads and starts it again. Throws when an
 * acknowledged file is not there with its bytes, a row has no content, or `tmp/` is not empty.
 */
export async function killDuringUploads(rounds: number, runtime?: Runtime): Promise<Outcome> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tagstead-torture-'))
  const all = new Map<string, string>()
  const start = () => spawnServer({ dataDir, ...(runtime && { runtime }) })
  let server = await start()
  try {
    const token = await signIn(server)
    for (let round = 0; round < rounds; round++) {
      const acknowledged = new Map<string, string>()
      // The first upload starts the decoder, which takes longer than all that follows.
      await upload(server, token, acknowledged)
      const clients = Array.from({ length: CLIENTS }, () => uploadAll(server, token, acknowledged))
      await setTimeout(Math.random() * LONGEST_LIFE)
      await server.stop('SIGKILL')
      await Promise.all(clients)
      server = await start()
      assert.deepEqual(readdirSync(join(dataDir, 'tmp')), [])
      for (const [id, digest] of acknowledged) {
        assert.equal(await downloadDigest(server, token, id), digest)
        all.set(id, digest)
      }
    }
    return { acknowledged: all.size, unreferenced: checkStored(dataDir, all) }
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true })
  }
}

/** Returns an access token of the admin, or of somebody with the same password. */
export async function signIn(
  { url, adminPassword }: Pick<SpawnedServer, 'url' | 'adminPassword'>,
  name = 'admin',
): Promise<string> {
  const response = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, password: adminPassword }),
  })
  assert.equal(response.status, 200)
  return ((await response.json()) as { access_token: string }).access_token
}

/** Uploads one picture after another until the server is gone. */
async function uploadAll(server: SpawnedServer, token: string, acknowledged: Map<string, string>) {
  for (;;) {
    try {
      await upload(server, token, acknowledged)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return
    }
  }
}

/** Uploads a picture with random bytes after it; notes its id and digest once it is answered. */
async function upload(server: SpawnedServer, token: string, acknowledged: Map<string, string>) {
  const tail = randomBytes(Math.floor(Math.random() * TAIL))
  const bytes = Buffer.concat([await picture(), tail])
  const response = await fetch(`${server.url}/api/v1/files`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form(bytes, 'picture.jpg'),
  })
  assert.equal(response.status, 201)
  const { id } = (await response.json()) as { id: string }
  acknowledged.set(id, sha256(bytes))
}

async function downloadDigest({ url }: SpawnedServer, token: string, id: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/v1/files/${id}/content`, { headers })
  assert.equal(response.status, 200)
  return sha256(new Uint8Array(await response.arrayBuffer()))
}

/** Checks rows and stored contents against each other; returns how many contents have no row. */
function checkStored(dataDir: string, acknowledged: Map<string, string>): number {
  const db = openDatabase(join(dataDir, 'tagstead.sqlite'))
  try {
    assert.deepEqual(db.get('PRAGMA integrity_check'), { integrity_check: 'ok' })
    assert.deepEqual(db.all('PRAGMA foreign_key_check'), [])
    const rows = db.all<{ id: Uint8Array; blob: string; size: number; sha256: Uint8Array }>(
      'SELECT id, blob, size, sha256 FROM files JOIN file_details ON file_rid = rid',
    )
    const stored = new Map(
      rows.map((row) => [blobToUuid(row.id), Buffer.from(row.sha256).toString('hex')]),
    )
    for (const [id, digest] of acknowledged) assert.equal(stored.get(id), digest)
    for (const { blob, size, sha256: digest } of rows) {
      const path = join(dataDir, 'files', blob.slice(0, 2), blob)
      assert.ok(existsSync(path), `${blob} is missing`)
      const bytes = readFileSync(path)
      assert.equal(bytes.length, size)
      assert.equal(sha256(bytes), Buffer.from(digest).toString('hex'))
    }
    return storedContents(dataDir).length - rows.length
  } finally {
    db.close()
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
