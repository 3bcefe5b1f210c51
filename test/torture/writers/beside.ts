import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../../../src/db/client.ts'
import type { ImportEvent } from '../../../src/imports/schema.ts'
import { sha256 } from '../../support/imports.ts'
import { commandLine, type Runtime, type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { createRandom, type Random } from '../worlds/random.ts'
import { importOnce, readEvents, storedDigests } from './library.ts'
import { ENDED, endless } from './media.ts'
import { isSeenUnfinished, type Stretch, WAYS, type Way, writeIn } from './ways.ts'

/** Accounts of the server and of the writers, when the one that runs this may choose. */
const [SERVER, WRITER] = [65_534, 1]

interface Options {
  files: number
  /** Milliseconds over which their beginnings are spread. */
  time: number
  /** Bytes. */
  sizes: { least: number; most: number }
  /** Milliseconds, at most: of any file, and of one of three whose format says that its end is missing. */
  pauses: { any: number; long: number }
  /** Whether some have a format without an end. */
  withEndless?: boolean
  /** IMPORT_SETTLE. */
  settle: string
  /** Milliseconds; how long a server lives after one import or two, at most. */
  life: number
  runtime?: Runtime
  seed: number
}

export interface BesideOutcome {
  files: number
  bytes: number
  kills: number
  imports: number
  /** How often a file was left because it was still being written. */
  left: number
  /** Whether the writers had another account than the server. */
  isOther: boolean
}

interface Written {
  path: string
  digest: string
  size: number
  /** Whether its name is to be there, in the folder or the library. */
  isThere: boolean
}

/**
 * Writes files into an import folder in every way that programs have, with pauses, while a server imports the folder
 * again and again, and is killed with SIGKILL at random. Throws when at any time a source is gone without being in the
 * library as a whole, or the library has anything else than whole files, each once, and when at the end one is missing.
 */
export async function importBesideWriters(options: Options): Promise<BesideOutcome> {
  const { files, time, runtime, settle, life } = options
  const isOther = process.getuid!() === 0
  const dataDir = mkdtempSync(join(tmpdir(), 'tagstead-writers-'))
  // Nobody else may look into the library's own folder.
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-writers-import-'))
  chmodSync(folder, 0o777)
  if (isOther) for (const path of [dataDir, folder]) chownSync(path, SERVER, SERVER)
  const start = () => {
    const as = `${SERVER}`
    const account = ['setpriv', '--reuid', as, '--regid', as, '--clear-groups'] as const
    const env = { IMPORT_PATH: folder, IMPORT_SETTLE: settle, HOME: dataDir }
    const command = isOther && ([...account, ...commandLine(runtime)] as [string, ...string[]])
    return spawnServer({ dataDir, env, ...(runtime && { runtime }), ...(command && { command }) })
  }
  const random = createRandom(options.seed)
  const written: Written[] = []
  const outcome = { files, bytes: 0, kills: 0, imports: 0, left: 0, isOther }
  let isWriting = true
  const uid = isOther ? WRITER : undefined
  const writing = Promise.all(
    Array.from({ length: files }, async (_, n) => {
      const { way, ended, size } = chooseFile(random, options)
      const pauses = choosePauses(random, options, ended !== null)
      await setTimeout((time * n) / files)
      const bytes = ended ? await ENDED[ended](size, n) : endless(size)
      const path = join(folder, `${n}-${way}.${ended ?? 'mpg'}`)
      const file: Written = { path, digest: sha256(bytes), size: bytes.length, isThere: false }
      written.push(file)
      outcome.bytes += bytes.length
      const stretches = stretchesOf(bytes, pauses)
      let isDone = false
      const writing = writeIn(way, path, { stretches, uid }).finally(() => {
        isDone = true
      })
      while (isSeenUnfinished(way) && !file.isThere && !isDone) {
        await setTimeout(1)
        file.isThere = existsSync(path)
      }
      await writing
      file.isThere = true
    }),
  ).finally(() => {
    isWriting = false
  })
  // A failure of one is thrown at the end of a round.
  writing.catch(() => {})
  let server: SpawnedServer | undefined
  try {
    while (isWriting) {
      server = await start()
      const whole = 1 + random.below(2)
      let ended = 0
      const worked = new EventEmitter()
      const enough = once(worked, 'enough')
      const importing = importUntilGone(server, (left, isWhole) => {
        outcome.left += left
        if (!isWhole) return
        outcome.imports++
        check(dataDir, written)
        if (++ended >= whole) worked.emit('enough')
      })
      await Promise.race([enough, importing])
      await Promise.race([setTimeout(Math.random() * life), importing])
      await server.stop('SIGKILL')
      server = undefined
      outcome.kills++
      await importing
      check(dataDir, written)
    }
    await writing
    server = await start()
    for (let n = 0; n < 3 && readdirSync(folder).length > 0; n++) await importOnce(server)
    assert.deepEqual(readdirSync(folder), [])
    assert.equal(await server.stop(), 0)
    server = undefined
    const digests = written.map(({ digest }) => digest)
    assert.deepEqual(storedDigests(dataDir).sort(), digests.sort())
    return outcome
  } finally {
    await server?.stop('SIGKILL')
    await writing.catch(() => {})
    for (const path of [dataDir, folder]) await rm(path, { recursive: true })
  }
}

function chooseFile(random: Random, { sizes, withEndless = false }: Options) {
  const kinds = [...(Object.keys(ENDED) as (keyof typeof ENDED)[]), ...(withEndless ? [null] : [])]
  const { least, most } = sizes
  const size = Math.floor(least * (most / least) ** (random.below(1e6) / 1e6))
  const ended = random.pick(kinds)
  // One that has its size from the beginning on, and no end, is whole for all that can be told.
  const ways = (Object.keys(WAYS) as Way[]).filter((way) => ended !== null || way !== 'share')
  return { way: random.pick(ways), ended, size }
}

function choosePauses(random: Random, { pauses }: Options, isEnded: boolean): number[] {
  const count = 1 + random.below(3)
  const isLong = isEnded && random.below(3) === 0
  return Array.from({ length: count }, (_, n) =>
    random.below(isLong && n === 0 ? pauses.long : pauses.any),
  )
}

/** Cuts a file at random places, behind the bytes that tell its format. */
function stretchesOf(bytes: Buffer, pauses: number[]): Stretch[] {
  const places = pauses
    .map(() => 64 + Math.floor(Math.random() * (bytes.length - 65)))
    .sort((a, b) => a - b)
  return [...places, bytes.length].map((end, index) => ({
    bytes: bytes.subarray(places[index - 1] ?? 0, end),
    pause: pauses[index] ?? 0,
  }))
}

/**
 * Imports again and again, until the server is gone; tells of each import how many files it left because they were still
 * being written, and whether it came to its end.
 */
async function importUntilGone(
  server: SpawnedServer,
  onEnd: (left: number, isWhole: boolean) => void,
): Promise<void> {
  for (let isWhole = true; isWhole; ) {
    let left = 0
    const onEvent = ({ reason }: ImportEvent) => {
      if (reason === 'still being written') left++
    }
    try {
      await readEvents(server, onEvent)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      isWhole = false
    }
    onEnd(left, isWhole)
  }
}

/** Looks at the folder before it looks at the library, into which each file comes before it is removed. */
function check(dataDir: string, written: Written[]): void {
  const gone = written.filter(({ path, isThere }) => isThere && !existsSync(path))
  const db = openDatabase(join(dataDir, 'tagstead.sqlite'))
  try {
    const rows = db
      .all<{ sha256: Uint8Array; original_name: string }>(
        'SELECT sha256, original_name FROM files JOIN file_details ON file_rid = rid',
      )
      .map((row) => ({ ...row, digest: Buffer.from(row.sha256).toString('hex') }))
    const known = new Set(written.map(({ digest }) => digest))
    const stored = new Set(rows.map(({ digest }) => digest))
    const parts = rows.filter(({ digest }) => !known.has(digest))
    assert.deepEqual(
      parts.map(({ original_name }) => original_name),
      [],
      'parts are stored',
    )
    assert.equal(stored.size, rows.length, 'one is stored twice')
    const lost = gone.filter(({ digest }) => !stored.has(digest))
    assert.deepEqual(
      lost.map(({ path }) => path),
      [],
      'sources are gone',
    )
  } finally {
    db.close()
  }
}
