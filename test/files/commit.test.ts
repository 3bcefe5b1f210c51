import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isOutOfSpace } from '../../src/base/disk.ts'
import { emptyLog } from '../../src/db/upkeep.ts'
import { write } from '../../src/db/write.ts'
import { scheduleRemovals } from '../../src/files/content/removals.ts'
import type { Content } from '../../src/files/queries.ts'
import { commitContent } from '../../src/files/upload.ts'
import { storedContents } from '../support/contents.ts'
import { exchangeDescriptor, lacksDescriptors } from '../support/exchanged-descriptor.ts'
import { assertError, inventory } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { after, before, describe, it } from '../support/test.ts'

let library: Library
let token: string
let logPath: string
let memoryPath: string

let seed = 0
const upload = async () => library.upload(token, await picture(seed++))
const stored = () => {
  const { blobs, thumbnails } = inventory(library)
  return [blobs, thumbnails]
}
const plus = ([blobs, thumbnails]: number[], more: number) => [blobs! + more, thumbnails! + more]

/** How many frames of the write-ahead log one part of the memory that connections share has room for. */
const FRAMES_OF_PART = 4062
const [PAGE, FRAME_HEADER, LOG_HEADER] = [4096, 24, 32]

/** What makes the next commit fail; each returns what mends it. */
const FAILURES = {
  // The log refuses to be written.
  SQLITE_IOERR_WRITE: () => exchangeDescriptor(logPath, { path: logPath, flags: 'r' }),
  // It is empty, so that nothing is read of it.
  SQLITE_FULL() {
    emptyLog(library.deps.db)
    return exchangeDescriptor(logPath, { path: '/dev/full', flags: 'r+' })
  },
  // The memory that connections share can not grow, of a commit that is in the log by then.
  SQLITE_IOERR_SHMSIZE() {
    const { db } = library.deps
    const frames = () => (statSync(logPath).size - LOG_HEADER) / (PAGE + FRAME_HEADER)
    db.get('PRAGMA wal_autocheckpoint = 0')
    emptyLog(db)
    db.run('CREATE TABLE filler (bytes)')
    db.run('INSERT INTO filler VALUES (zeroblob(?))', (FRAMES_OF_PART - 100) * PAGE)
    db.run('INSERT INTO filler VALUES (0)')
    while (frames() < FRAMES_OF_PART - 4) {
      db.run('UPDATE filler SET bytes = bytes + 1 WHERE rowid = 2')
    }
    assert.ok(frames() <= FRAMES_OF_PART)
    const mend = exchangeDescriptor(memoryPath, { path: '/dev/full', flags: 'r+' })
    return () => {
      mend()
      db.get('PRAGMA wal_autocheckpoint = 1000')
      db.run('DROP TABLE filler')
    }
  },
}

/** A content that is stored, whose row is committed below. */
const OTHER: Content = {
  blob: 'ff'.repeat(16),
  size: 1,
  sha256: Buffer.alloc(32),
  mime_type: 'image/jpeg',
  mime_extension: 'jpg',
  derivatives: { state: 'made', phash: null } as Content['derivatives'],
  later: null,
}

/** Uploads a picture whose commit fails, and returns the answer. */
async function uploadFailing(code: keyof typeof FAILURES) {
  const mend = FAILURES[code]()
  return upload().finally(mend)
}

describe('an upload whose commit fails', { skip: lacksDescriptors }, () => {
  before(async () => {
    library = await openLibrary()
    token = (await library.join('ann', { can_create: true })).token
    logPath = join(library.folder, 'tagstead.sqlite-wal')
    memoryPath = join(library.folder, 'tagstead.sqlite-shm')
  })
  after(() => library.close())

  for (const [code, status, error] of [
    ['SQLITE_IOERR_WRITE', 500, 'internal_error'],
    ['SQLITE_IOERR_SHMSIZE', 507, 'insufficient_storage'],
  ] as const) {
    it(`with ${code} leaves nothing once a later one has shown that it is not there`, async () => {
      const before = stored()
      assertError(await uploadFailing(code), status, error)
      assert.deepEqual(stored(), plus(before, 1))
      assert.equal((await upload()).status, 201)
      assert.deepEqual(stored(), plus(before, 1))
    })
  }

  it('for want of room leaves nothing', async () => {
    const before = stored()
    assertError(await uploadFailing('SQLITE_FULL'), 507, 'insufficient_storage')
    assert.deepEqual(stored(), before)
  })

  it('fails no later one when it can not be removed, and goes with the next sweep', async () => {
    const before = stored()
    const contents = storedContents(library.folder)
    await uploadFailing('SQLITE_IOERR_WRITE')
    const [left] = storedContents(library.folder).filter((name) => !contents.includes(name))
    // A folder in its place, which is not removed as a file is.
    const path = join(library.folder, 'files', left!)
    renameSync(path, `${path}.kept`)
    mkdirSync(path)
    const mend = () => {
      rmSync(path, { recursive: true })
      renameSync(`${path}.kept`, path)
    }
    const logged = library.logged.length
    assert.equal((await upload().finally(mend)).status, 201)
    assertLeft(logged)
    assert.deepEqual(stored(), plus(before, 2))
    await scheduleRemovals(library.deps).stop()
    assert.deepEqual(stored(), plus(before, 1))
  })

  it('fails no later one when it can not be looked for, and goes with the next', async () => {
    const { deps } = library
    const before = stored()
    await uploadFailing('SQLITE_IOERR_WRITE')
    const logged = library.logged.length
    // Another change of what has a content, whose commit goes through, and after which no row can be looked for.
    const result = await commitContent(deps, OTHER, () => {
      write(deps.db, { now: 0 }, (tx) => tx.run('UPDATE files SET phash = phash'))
      deps.db.run('CREATE TEMP TABLE file_details (other)')
      return 'committed'
    })
    deps.db.run('DROP TABLE temp.file_details')
    assert.equal(result, 'committed')
    assertLeft(logged)
    assert.deepEqual(stored(), plus(before, 1))
    assert.equal((await upload()).status, 201)
    assert.deepEqual(stored(), plus(before, 1))
  })
})

function assertLeft(logged: number): void {
  const told = library.logged.slice(logged).filter(({ level }) => level === 'warn')
  assert.deepEqual(
    told.map(({ message }) => message),
    ['content not removed'],
  )
}

it('a file system that says so, and SQLite by three of its errors, are out of space', () => {
  const said = (code: string) => isOutOfSpace(Object.assign(new Error(), { code }))
  for (const code of ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']) {
    assert.ok(said(code), code)
  }
  for (const code of ['EIO', 'SQLITE_IOERR', 'SQLITE_IOERR_WRITE']) assert.ok(!said(code), code)
})
