import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { openDatabase } from '../../../src/db/client.ts'
import { write } from '../../../src/db/write.ts'
import { beginRound, endRound, findScrub, storePlace } from '../../../src/keep/scrub/queries.ts'
import { isDue, scheduleScrub } from '../../../src/keep/scrub/schedule.ts'
import { signIn } from '../../support/backups.ts'
import { storedContents } from '../../support/contents.ts'
import { eventually } from '../../support/eventually.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { isRunning, stateOf } from '../../support/processes.ts'
import { addSmallContents, contentsIn, readersOf } from '../../support/scrubbing.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'

const DAY = 86_400_000

describe('a round of the scrub', () => {
  let library: Library
  let contents: ReturnType<typeof contentsIn>
  let stored: Map<string, Uint8Array>
  let scrub: { stop(): Promise<void> } | undefined
  beforeEach(async () => {
    library = await openLibrary()
    contents = contentsIn(library.folder)
    const owner = await library.addUser('Ann', { is_admin: true })
    stored = addSmallContents(library.deps.db, library.folder, { count: 250, owner })
  })
  afterEach(async () => {
    await scrub?.stop()
    await eventually(() => readersOf(process.pid).length === 0)
    await library.close()
  })

  const blobAt = (n: number) => [...stored.keys()][n]!
  const damages = () =>
    library.deps.db.all<{ blob: string }>('SELECT blob FROM damages').map(({ blob }) => blob)
  const isOver = () => findScrub(library.deps.db)?.place === null
  const told = (message: RegExp) => library.logged.filter((one) => message.test(one.message))

  it('is due after the interval since it began, and as long as it is under way', async () => {
    const { deps, time } = library
    const at = (work: Parameters<typeof write<void>>[2]) => write(deps.db, { now: time.now }, work)
    const dueAfter = (ms: number) => isDue({ ...deps, clock: () => time.now + ms })
    assert.equal(dueAfter(0), true)
    at(beginRound)
    assert.deepEqual([dueAfter(0), findScrub(deps.db)?.place], [true, ''])
    at((tx) => storePlace(tx, blobAt(7)))
    assert.deepEqual([dueAfter(0), findScrub(deps.db)?.place], [true, blobAt(7)])
    const begun_at = time.now
    time.now += DAY
    at(endRound)
    assert.deepEqual(findScrub(deps.db), { begun_at, place: null, ended_at: time.now })
    assert.deepEqual([dueAfter(29 * DAY - 1), dueAfter(29 * DAY)], [false, true])
    // The clock was set.
    assert.equal(dueAfter(-DAY - 1), true)
    deps.db.run('DELETE FROM scrub')
    deps.db.run('DELETE FROM files')
    assert.equal(dueAfter(0), false)
  })

  it('goes through all contents, tells of its end, and rests', async () => {
    for (const n of [0, 99, 100, 249]) contents.flip(blobAt(n))
    scrub = scheduleScrub(library.deps)
    await eventually(isOver)
    assert.deepEqual(damages(), [0, 99, 100, 249].map(blobAt))
    assert.equal(findScrub(library.deps.db)?.ended_at, library.time.now)
    assert.deepEqual(told(/looked at again/)[0]?.fields, { damaged: 4 })
    assert.equal(told(/damaged/).length, 4)
    await eventually(() => readersOf(process.pid).length === 0)
  })

  it('goes on at its place', async () => {
    for (const n of [50, 150]) contents.flip(blobAt(n))
    write(library.deps.db, { now: 0 }, (tx) => {
      beginRound(tx)
      storePlace(tx, blobAt(99))
    })
    scrub = scheduleScrub(library.deps)
    await eventually(isOver)
    assert.deepEqual(damages(), [blobAt(150)])
  })

  it('is preceded by what is known to be damaged, also when it is not due', async () => {
    contents.flip(blobAt(50))
    scrub = scheduleScrub(library.deps)
    await eventually(isOver)
    await scrub.stop()
    contents.restore(blobAt(50), stored.get(blobAt(50))!)
    contents.flip(blobAt(51))
    scrub = scheduleScrub(library.deps)
    await eventually(() => damages().length === 0)
    await eventually(() => readersOf(process.pid).length === 0)
    assert.deepEqual(damages(), [])
  })

  it('stops when the disk is not there, at its place', async () => {
    for (const blob of stored.keys()) contents.remove(blob)
    scrub = scheduleScrub(library.deps)
    await eventually(() => told(/goes on later/).length > 0)
    assert.deepEqual([damages(), findScrub(library.deps.db)?.place], [[], ''])
    assert.match(String(told(/goes on later/)[0]!.fields?.reason), /Hardly any content is in/)
    assert.deepEqual(library.audit(), [])
    await scrub.stop()
    for (const [blob, bytes] of stored) contents.restore(blob, bytes)
    scrub = scheduleScrub(library.deps)
    await eventually(isOver)
    assert.deepEqual(damages(), [])
  })

  it('names all of a stretch that is lost while the others are there', async () => {
    // As many as a stretch has, all of which lie together.
    const lost = [...stored.keys()].slice(0, 100)
    for (const blob of lost) contents.remove(blob)
    scrub = scheduleScrub(library.deps)
    await eventually(isOver)
    assert.deepEqual(damages(), lost)
  })

  it('is never without an interval', async () => {
    library.deps.config.scrubInterval = 0
    scrub = scheduleScrub(library.deps)
    await scrub.stop()
    assert.deepEqual([findScrub(library.deps.db), readersOf(process.pid)], [undefined, []])
  })
})

describe('a server with SCRUB_INTERVAL', () => {
  let server: SpawnedServer | undefined
  let dataDir: string
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tagstead-scrub-'))
  })
  afterEach(async () => {
    await server?.stop()
    server = undefined
    await rm(dataDir, { recursive: true })
    dataDir = await mkdtemp(join(tmpdir(), 'tagstead-scrub-'))
  })
  after(() => rm(dataDir, { recursive: true }))

  const start = async (SCRUB_INTERVAL: string) => {
    server = await spawnServer({ dataDir, env: { SCRUB_INTERVAL } })
    const admin = await signIn(server)
    return { server, admin, pid: server.process.pid! }
  }
  /** Asks the database itself: each request would put off the scrub. */
  const inDatabase = <T>(ask: (db: ReturnType<typeof openDatabase>) => T): T => {
    const db = openDatabase(join(dataDir, 'tagstead.sqlite'))
    try {
      return ask(db)
    } finally {
      db.close()
    }
  }
  const count = (table: string) =>
    inDatabase((db) => db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n)
  const endedAt = () => inDatabase(findScrub)?.ended_at ?? 0

  it('goes round, names what is damaged, and takes back what is well again', async () => {
    const { admin } = await start('1s')
    const status = () =>
      admin.get('/status') as Promise<{ last_scrub: string | null; damaged: number }>
    const audited = () =>
      admin.get('/audit?action=content_damaged') as Promise<{
        total: number
        items: { details: { what: string } }[]
      }>
    const bytes = new Map<string, Uint8Array>()
    for (const color of ['red', 'green', 'blue', 'white']) {
      const before = new Set(storedContents(dataDir))
      const { bytes: uploaded } = await admin.upload(`${color}.jpg`, color)
      const path = storedContents(dataDir).find((one) => !before.has(one))!
      bytes.set(path.split('/')[1]!, uploaded)
    }
    await eventually(() => endedAt() > 0)
    assert.deepEqual([(await status()).damaged, (await audited()).total], [0, 0])

    const contents = contentsIn(dataDir)
    const [flipped, shorter, gone] = [...bytes.keys()]
    contents.flip(flipped!)
    contents.truncate(shorter!)
    contents.remove(gone!)
    await eventually(() => count('damages') === 3)
    const found = endedAt()
    await eventually(() => endedAt() > found)
    const { last_scrub, damaged } = await status()
    assert.ok(Date.parse(last_scrub!) > found)
    assert.equal(damaged, 3)
    const { items } = await audited()
    assert.deepEqual(items.map(({ details }) => details.what).sort(), ['missing', 'sha256', 'size'])

    for (const blob of [flipped!, shorter!, gone!]) contents.restore(blob, bytes.get(blob)!)
    await eventually(() => count('damages') === 0)
    assert.equal((await audited()).total, 3)
  })

  it('ends at once while its reader hangs, leaves none behind when it is killed, and goes on after that', async () => {
    let stored = new Map<string, Uint8Array>()
    const contents = contentsIn(dataDir)
    const first = await start('0')
    await first.server.stop()
    inDatabase((db) => {
      const { id } = db.get<{ id: number }>('SELECT id FROM users')!
      stored = addSmallContents(db, dataDir, { count: 250, owner: id })
    })
    const blobAt = (n: number) => [...stored.keys()][n]!
    const place = () => inDatabase(findScrub)?.place
    contents.hang(blobAt(150))

    const { server: ended, pid: endedPid } = await start('30d')
    await eventually(() => place() === blobAt(99))
    const [hanging] = readersOf(endedPid)
    assert.ok(hanging)
    await eventually(() => stateOf(hanging) === 'S')
    assert.equal(await ended.stop(), 0)
    await eventually(() => !isRunning(hanging))

    const { server: killed, admin, pid } = await start('30d')
    await eventually(() => readersOf(pid).length > 0)
    const [reader] = readersOf(pid)
    assert.ok(reader)
    await admin.get('/status')
    await eventually(() => stateOf(reader) === 'T')
    await killed.stop('SIGKILL')
    await eventually(() => !isRunning(reader))
    assert.equal(place(), blobAt(99))

    contents.restore(blobAt(150), stored.get(blobAt(150))!)
    for (const n of [50, 160]) contents.flip(blobAt(n))
    await start('30d')
    await eventually(() => endedAt() > 0)
    const found = inDatabase((db) => db.all<{ blob: string }>('SELECT blob FROM damages'))
    assert.deepEqual(
      found.map(({ blob }) => blob),
      [blobAt(160)],
    )
  })
})
