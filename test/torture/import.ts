import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { ImportEvent } from '../../src/imports/schema.ts'
import { storedContents } from '../support/contents.ts'
import { picture } from '../support/harness.ts'
import { digestOf, putFile, sha256 } from '../support/imports.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { parametersOf, type TortureOptions, tell } from './worlds/options.ts'
import { importBesideWriters } from './writers/beside.ts'
import { importOnce, readEvents, storedDigests } from './writers/library.ts'

const ROUNDS = 30
const FILES = 200
/** Those that others write. */
const FILES_A_MINUTE = 30
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

/**
 * Kills the server thirty times during an import of 200 files, and then, for ten minutes or `--minutes` on all runtimes
 * together, again and again while others write 300 files of 1 to 50 MB into the folder; `--seed` chooses the same files.
 */
export async function torture(options: TortureOptions): Promise<void> {
  const { rounds, runtimes, seed } = parametersOf(options, ROUNDS)
  const minutes = Number(options.minutes ?? 10) / runtimes.length
  for (const runtime of runtimes) {
    const { files, finished, unreferenced } = await killDuringImport(rounds, FILES, { runtime })
    tell(
      `import, ${runtime}: ${rounds} kills, ${files} files all there once, ${finished} sources ` +
        `removed later, ${unreferenced} contents without a row`,
    )
    tell(`import, ${runtime}: ${await besideWriters(minutes, runtime, seed)} (seed ${seed})`)
  }
}

async function besideWriters(minutes: number, runtime: Runtime, seed: number): Promise<string> {
  const { files, bytes, kills, imports, left, isOther } = await importBesideWriters({
    files: Math.ceil(minutes * FILES_A_MINUTE),
    // The last ones may pause for a minute.
    time: Math.max(minutes - 1, minutes / 2) * 60_000,
    sizes: { least: 1e6, most: 50e6 },
    pauses: { any: 4000, long: 60_000 },
    withEndless: true,
    settle: '5s',
    life: 10_000,
    runtime,
    seed,
  })
  return (
    `${files} files (${Math.round(bytes / 1e6)} MB) of ${isOther ? 'another' : 'the same'} account all there once ` +
    `and whole, ${kills} kills, ${imports} imports, which left a file ${left} times`
  )
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
    const events = await importOnce(server, body)
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

const countFinished = (events: ImportEvent[]) =>
  events.filter(({ reason }) => reason === 'already imported').length

/** Returns the names of all stored contents. */
export function blobNames(dataDir: string): string[] {
  return storedContents(dataDir).map((path) => basename(path))
}
