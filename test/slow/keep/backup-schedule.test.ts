import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import {
  findBackupRecord,
  recordBackup,
  recordFailure,
} from '../../../src/keep/backup/record-queries.ts'
import { isDue } from '../../../src/keep/backup/schedule.ts'
import { command, filesIn, manifestOf, signIn } from '../../support/backups.ts'
import { storedContents } from '../../support/contents.ts'
import { eventually } from '../../support/eventually.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'

const HOUR = 3_600_000

describe('a backup of the server', () => {
  let library: Library
  before(async () => {
    library = await openLibrary()
  })
  after(() => library.close())

  it('is due when its folder has no generation of the last interval', async () => {
    const dir = join(library.folder, '..', `${basename(library.folder)}-backups`)
    const due = (now: number, hasContents = true) =>
      isDue(dir, { now, interval: 24 * HOUR, hasContents })
    const now = Date.now()
    assert.equal(await due(now), true)
    const { code, result } = await command(library.folder, ['backup', dir, '--json'])
    assert.equal(code, 0)
    const { made_at } = manifestOf(dir, result.generation).head
    const made = Date.parse(made_at)
    assert.deepEqual(await Promise.all([due(made), due(made + 24 * HOUR - 1)]), [false, false])
    assert.equal(await due(made + 24 * HOUR), true)
    // The clock was wrong then, or is now.
    assert.equal(await due(made - 1), true)
    // One by hand that leaves out contents, which nobody else has, puts nothing off.
    const record = findBackupRecord(library.deps.db)
    const alone = await command(library.folder, ['backup', '--database-only', dir, '--json'])
    const later = Date.parse(manifestOf(dir, alone.result.generation).head.made_at)
    assert.equal(await due(Math.max(later, made + 24 * HOUR)), true)
    assert.equal(await due(later, false), false)
    assert.deepEqual(findBackupRecord(library.deps.db), record)
    await rm(dir, { recursive: true })
  })

  it('is known with what it lacked, and a failure until the next one', () => {
    const { deps, time } = library
    const at = (work: Parameters<typeof write<void>>[2]) => write(deps.db, { now: time.now }, work)
    at((tx) => recordBackup(tx, 5, 'incomplete'))
    at(recordFailure)
    const { made_at, problem, failed_at } = findBackupRecord(deps.db)
    assert.deepEqual([made_at, problem, failed_at], [5, 'incomplete', time.now])
    at((tx) => recordBackup(tx, 6, null))
    assert.deepEqual(findBackupRecord(deps.db), { made_at: 6, problem: null, failed_at: null })
  })
})

describe('a server with BACKUP_DIR', () => {
  let server: SpawnedServer | undefined
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tagstead-daily-'))
  })
  afterEach(async () => {
    await server?.stop()
    server = undefined
  })
  after(() => rm(folder, { recursive: true }))

  const start = async (env: Record<string, string>) => {
    server = await spawnServer({ env })
    const admin = await signIn(server)
    const status = () => admin.get('/status') as Promise<Record<string, string | null>>
    return { server, admin, status }
  }

  it('makes one when it is due, and tells of it', async () => {
    const dir = join(folder, 'backups')
    mkdirSync(dir)
    const { server, status } = await start({ BACKUP_DIR: dir })
    await eventually(async () => (await status()).last_backup !== null)
    const { last_backup, backup_problem } = await status()
    assert.equal(backup_problem, 'same_disk')
    const [path] = filesIn(join(dir, 'generations'))
    const generation = path!.split('/')[0]!
    assert.equal(manifestOf(dir, generation).head.made_at, last_backup)
    await eventually(() => server.output().includes('"backed up"'))
    assert.match(server.output(), new RegExp(`"backed up".*"generation":"${generation}"`))
  })

  it('tells when it could not, and goes on', async () => {
    const { server, status } = await start({ BACKUP_DIR: join(folder, 'not', 'mounted') })
    await eventually(async () => (await status()).backup_problem === 'failed')
    assert.equal((await status()).last_backup, null)
    await eventually(() => server.output().includes('the backup failed'))
    assert.match(server.output(), /"the backup failed".*is its disk mounted\?/)
    assert.ok(!existsSync(join(folder, 'not')))
  })

  it('is told of one that was made by hand, and of what that lacked', async () => {
    const { server, admin, status } = await start({})
    const { bytes } = await admin.upload('one.jpg', 'red')
    const path = storedContents(server.dataDir)[0]
    rmSync(join(server.dataDir, 'files', path!))
    const dir = join(folder, 'by hand')
    const { code, result } = await command(server.dataDir, ['backup', dir, '--json'])
    assert.equal(code, 1)
    const { last_backup, backup_problem } = await status()
    assert.equal(last_backup!.replaceAll(':', '-'), result.generation)
    assert.equal(backup_problem, 'incomplete')
    writeFileSync(join(server.dataDir, 'files', path!), bytes)
    await command(server.dataDir, ['backup', dir])
    assert.equal((await status()).backup_problem, 'same_disk')
    assert.deepEqual(readFileSync(join(dir, 'contents', path!)), Buffer.from(bytes))
  })
})
