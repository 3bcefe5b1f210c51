import { randomBytes, randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { form, picture } from '../support/harness.ts'
import { ENGINES, type Engine, openEngine, withoutEngine } from '../support/s3/engines.ts'
import { elements, send, settingsOf } from '../support/s3/signed.ts'
import { type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { signIn } from '../torture/upload.ts'
import { type Budget, printBudgets } from './budgets.ts'
import { printTable, rate, resident } from './measure.ts'

const NAMES = (process.env.BENCH_STORES?.split(',') ?? ENGINES) as Engine['name'][]
const IMPORTED = Number(process.env.BENCH_FILES ?? 2000)
const ROUNDS = 5
/** In each round. */
const [UPLOADS, OPENED, RANGES] = [20, 20, 100]
const AT_ONCE = 3
const MB = 1_000_000
/** Bytes of a picture that is opened, of one that is uploaded or imported, and of a film. */
const [PICTURE, SMALL, FILM] = [5 * MB, MB, 100 * MB]
const RANGE = 64 * 1024
/** MiB that a server whose contents are in a store may have beyond one with a disk. */
const MOST_MEMORY = 50

interface Place {
  name: string
  dataDir: string
  server: SpawnedServer
  token: string
  picture: string
  film: string
  filmKey: string
  uploads: number[]
  opened: number[]
  ranges: number[]
  /** Of the same range, asked of the store itself. */
  bare: number[]
  engine: Engine | undefined
  imported: number
  memory: number
  close(): Promise<void>
}

/**
 * Prints what the contents on a local disk and in each store that is installed cost, in turns in the same run: uploads
 * a second, the first byte of a picture, ranges of a film, an import, and the server's memory. Throws when that takes
 * more memory than it may.
 */
export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-bench-'))
  const places: Place[] = []
  try {
    places.push(await openPlace('the local disk', join(folder, 'local')))
    for (const name of NAMES) {
      const missing = withoutEngine(name)
      if (missing) process.stdout.write(`\nstore: ${name} ${missing}, left out\n`)
      else places.push(await openPlace(name, join(folder, name), await openEngine(name)))
    }
    const bytes = await uploadOf(SMALL, 0)
    for (let round = 0; round < ROUNDS; round++) {
      for (const place of places) await measureRound(place, bytes)
    }
    for (const place of places) place.imported = await importAll(place)
    for (const place of places) place.memory = resident(place.server.process.pid, 'VmRSS')
    print(places)
  } finally {
    for (const place of places) await place.close()
    rmSync(folder, { recursive: true })
  }
}

async function openPlace(name: string, dataDir: string, engine?: Engine): Promise<Place> {
  const env = engine && settingsOf(engine, '/family')
  const server = await spawnServer({
    dataDir,
    // No copy of what is opened is kept.
    env: {
      ...{ LOG_LEVEL: 'warn', ACCESS_TOKEN_TTL: '1d', FFMPEG_PATH: '', CONTENTS_CACHE: '1MiB' },
      ...env,
    },
  })
  const token = await signIn(server)
  const place = { name, dataDir, server, token, picture: '', film: '', filmKey: '' }
  place.film = await upload(place, await uploadOf(FILM, 2))
  // So far the store has one content.
  if (engine) place.filmKey = await onlyKey(engine)
  place.picture = await upload(place, await uploadOf(PICTURE, 1))
  return {
    ...place,
    ...{ engine, uploads: [], opened: [], ranges: [], bare: [], imported: 0, memory: 0 },
    async close() {
      await server.stop()
      await engine?.close()
    },
  }
}

/** Returns a picture with what no decoder reads behind it. */
const uploadOf = async (size: number, n: number) => {
  const start = await picture(n)
  return Buffer.concat([start, randomBytes(size - start.length)])
}

type Asked = Pick<Place, 'server' | 'token'>

async function upload(place: Asked, bytes: Uint8Array): Promise<string> {
  const answer = await ask(place, '/files', 201, { method: 'POST', body: form(bytes, 'a.jpg') })
  return ((await answer.json()) as { id: string }).id
}

async function ask({ server, token }: Asked, path: string, status: number, init?: RequestInit) {
  const headers = { Authorization: `Bearer ${token}`, ...(init?.headers as object) }
  const answer = await fetch(`${server.url}/api/v1${path}`, { ...init, headers })
  if (answer.status !== status) throw new Error(`${path}: ${answer.status}`)
  return answer
}

async function measureRound(place: Place, bytes: Buffer): Promise<void> {
  const copies = Array.from({ length: UPLOADS }, () => {
    bytes.writeUInt32LE(randomInt(2 ** 32), bytes.length - 4)
    return Buffer.from(bytes)
  })
  place.uploads.push(await rate(AT_ONCE, copies, (one) => upload(place, one)))
  for (let n = 0; n < OPENED; n++) {
    const started = performance.now()
    const answer = await ask(place, `/files/${place.picture}/content`, 200)
    const reader = answer.body!.getReader()
    await reader.read()
    place.opened.push(performance.now() - started)
    while (!(await reader.read()).done);
  }
  for (let n = 0; n < RANGES; n++) {
    const start = randomInt(FILM - RANGE)
    const headers = { Range: `bytes=${start}-${start + RANGE - 1}` }
    const started = performance.now()
    const answer = await ask(place, `/files/${place.film}/content`, 206, { headers })
    await answer.arrayBuffer()
    place.ranges.push(performance.now() - started)
    if (place.engine) place.bare.push(await bareRange(place.engine, place.filmKey, headers.Range))
  }
}

async function onlyKey(engine: Engine): Promise<string> {
  const query = { 'list-type': '2', prefix: 'family/files/' }
  const { text } = await send(engine, 'GET', '', { query })
  return elements(text, 'Key').find((key) => !key.endsWith('.library'))!
}

async function bareRange(engine: Engine, key: string, range: string): Promise<number> {
  const started = performance.now()
  const { status } = await send(engine, 'GET', key, { headers: { range } })
  if (status !== 206) throw new Error(`The store answered ${status}`)
  return performance.now() - started
}

/** Returns how many seconds an import takes. */
async function importAll(place: Place): Promise<number> {
  const folder = join(place.dataDir, 'import')
  mkdirSync(folder, { recursive: true })
  const tail = randomBytes(SMALL / 5)
  for (let n = 0; n < IMPORTED; n++) {
    tail.writeUInt32LE(n, 0)
    writeFileSync(join(folder, `${n}.jpg`), Buffer.concat([await picture(n), tail]))
  }
  const started = performance.now()
  const answer = await ask(place, '/files/import', 200, { method: 'POST' })
  const said = await answer.text()
  const seconds = (performance.now() - started) / 1000
  const { imported } = JSON.parse(said.trimEnd().split('\n').at(-1)!)
  if (imported !== IMPORTED) throw new Error(`The import said ${said.slice(-500)}`)
  return seconds
}

const median = (list: number[]) => list.toSorted((a, b) => a - b)[list.length >> 1]!

function print(places: Place[]): void {
  const rows = places.map((place) => ({
    'contents on': place.name,
    'uploads a second': median(place.uploads),
    'first byte of 5 MB': median(place.opened),
    '64 KiB of a film': median(place.ranges),
    'from the store itself': place.engine ? median(place.bare) : '',
    [`import of ${IMPORTED}, s`]: place.imported,
    MiB: place.memory,
  }))
  printTable(`contents in a store; medians of ${ROUNDS} rounds in turns`, rows)
  const [local, ...stores] = places
  const ratio = (place: Place, of: (place: Place) => number) => of(place) / of(local!)
  printTable(
    'the same, as times that of the local disk',
    stores.map((place) => ({
      'contents on': place.name,
      'uploads a second': ratio(place, ({ uploads }) => median(uploads)),
      'first byte of 5 MB': ratio(place, ({ opened }) => median(opened)),
      '64 KiB of a film': ratio(place, ({ ranges }) => median(ranges)),
      import: ratio(place, ({ imported }) => imported),
    })),
  )
  const budgets = stores.map((place): Budget => {
    const value = place.memory - local!.memory
    return { what: `MiB beyond the local disk's server, ${place.name}`, value, held: MOST_MEMORY }
  })
  if (budgets.length > 0) printBudgets('what a store may cost', budgets)
}
