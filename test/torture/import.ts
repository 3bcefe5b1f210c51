import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../../src/db/client.ts'
import type { ImportEvent } from '../../src/imports/schema.ts'
import { storedContents } from '../support/files.ts'
import { picture } from '../support/harness.ts'
import { digestOf, putFile, sha256 } from '../support/imports.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { signIn } from './upload.ts'

const ROUNDS = 30
const FILES = 200
/** Milliseconds; enough for the decoder's start and some files. */
const LONGEST_LIFE = 700
/** Milliseconds; enough for a few files. */
const LONGEST_WORK = 80

export interface Outcome {
  files: number
  /** Sources that a kill left behind although they were imported; the next import removed them. */
  finished: number
  /** Contents without a row: waste that a crash may leave. */
  unreferenced: number
}

/** Kills the server thirty times during an import of 200 files, on each runtime. */
export async function torture(): Promise<void> {
  for (const runtime of ['bun', 'node'] as const) {
    const { files, finished, unreferenced } = await killDuringImport(ROUNDS, FILES, { runtime })
    process.stdout.write(
      `import, ${runtime}: ${ROUNDS} kills, ${files} files all there once, ${finished} sources ` +
        `removed later, ${unreferenced} contents without a row\n`,
    )
  }
}

/**
 * Kills a server with SIGKILL at random moments of an import of `count` files and starts it again,
 * adding as many files once more when the kills outlast them. Throws when a file is neither in the
 * folder nor in the library at any time, or when in the end one is there twice or without its
 * bytes. With `leave_sources`, all must be in the folder at the end, and else none.
 */
export async function killDuringImport(
  rounds: number,
  count: number,
  { runtime, leave_sources = false }: { runtime?: Runtime; leave_sources?: boolean } = {},
): Promise<Outcome> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tagstead-torture-'))
  const folder = join(dataDir, 'import')
  mkdirSync(folder)
  const start = () => spawnServer({ dataDir, ...(runtime && { runtime }) })
  const body = { leave_sources }
  const all = await addFiles(folder, count, 0)
  let finished = 0
  try {
    for (let round = 0; round < rounds; round++) {
      if (readdirSync(folder).length === 0) {
        for (const digest of await addFiles(folder, count, all.size)) all.add(digest)
      }
      const server = await start()
      assert.deepEqual(readdirSync(join(dataDir, 'tmp')), [])
      const events = await importUntilKilled(server, round, body)
      finished += countFinished(events)
      const stored = storedDigests(dataDir)
      const left = new Set(readdirSync(folder).map((name) => digestOf(join(folder, name))))
      for (const digest of all) assert.ok(left.has(digest) || stored.includes(digest))
    }
    const server = await start()
    const events: ImportEvent[] = []
    await readEvents(server, (event) => events.push(event), body)
    finished += countFinished(events)
    assert.equal(events.at(-1)?.type, 'done')
    assert.equal(events.at(-1)?.errors, 0)
    assert.equal(await server.stop(), 0)
    assert.equal(readdirSync(folder).length, leave_sources ? all.size : 0)
    const stored = storedDigests(dataDir)
    assert.deepEqual(stored.sort(), [...all].sort())
    return { files: all.size, finished, unreferenced: blobNames(dataDir).length - stored.length }
  } finally {
    await rm(dataDir, { recursive: true })
  }
}

/** Adds pictures that differ in their bytes; returns their digests. */
async function addFiles(folder: string, count: number, first: number): Promise<Set<string>> {
  const digests = new Set<string>()
  for (let n = first; n < first + count; n++) {
    const bytes = Buffer.concat([await picture(n), Buffer.from(`${n}`)])
    putFile(folder, `${String(n).padStart(5, '0')}.jpg`, bytes, n)
    digests.add(sha256(bytes))
  }
  return digests
}

/**
 * Imports until the server is killed, in every other round while files come in, else at any time.
 */
async function importUntilKilled(
  server: SpawnedServer,
  round: number,
  body: object,
): Promise<ImportEvent[]> {
  const events: ImportEvent[] = []
  const hasWorked = new Promise<void>((resolve, reject) => {
    const onEvent = (event: ImportEvent) => {
      events.push(event)
      if (event.type === 'file') resolve()
    }
    // Any other error comes from the kill.
    readEvents(server, onEvent, body).then(resolve, (error) =>
      error instanceof assert.AssertionError ? reject(error) : resolve(),
    )
  })
  if (round % 2 === 0) await hasWorked
  await setTimeout(Math.random() * (round % 2 === 0 ? LONGEST_WORK : LONGEST_LIFE))
  await server.stop('SIGKILL')
  await hasWorked
  return events
}

/** Imports the server's folder and passes on each event; throws when the server is gone. */
async function readEvents(
  server: SpawnedServer,
  onEvent: (event: ImportEvent) => void,
  body: object,
) {
  const response = await fetch(`${server.url}/api/v1/files/import`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await signIn(server)}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  assert.equal(response.status, 200)
  let rest = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + Buffer.from(chunk).toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onEvent(JSON.parse(line))
  }
}

const countFinished = (events: ImportEvent[]) =>
  events.filter(({ reason }) => reason === 'already imported').length

/** Returns the digests of all files of the library, each read from its content. */
function storedDigests(dataDir: string): string[] {
  const db = openDatabase(join(dataDir, 'tagstead.sqlite'))
  try {
    assert.deepEqual(db.get('PRAGMA integrity_check'), { integrity_check: 'ok' })
    assert.deepEqual(db.all('PRAGMA foreign_key_check'), [])
    const rows = db.all<{ blob: string; sha256: Uint8Array }>(
      'SELECT blob, sha256 FROM files JOIN file_details ON file_rid = rid',
    )
    return rows.map(({ blob, sha256: digest }) => {
      const found = digestOf(join(dataDir, 'files', blob.slice(0, 2), blob))
      assert.equal(found, Buffer.from(digest).toString('hex'))
      return found
    })
  } finally {
    db.close()
  }
}

/** Returns the names of all stored contents. */
export function blobNames(dataDir: string): string[] {
  return storedContents(dataDir).map((path) => basename(path))
}
