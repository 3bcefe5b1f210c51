import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { bytesOf } from '../../src/audit/text-queries.ts'
import { createDisk } from '../../src/base/disk.ts'
import { DAY } from '../../src/base/time.ts'
import type { User } from '../../src/base/user.ts'
import { write } from '../../src/db/write.ts'
import { createQuotaShares } from '../../src/files/usage/quota.ts'
import { leftovers } from '../../src/keep/check/leftovers.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { removeExpired } from '../../src/retention/retention.ts'
import { createUploads } from '../../src/uploads/uploads.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { afterEach, beforeEach, describe, it } from '../support/test.ts'

const [ONE, TWO] = [randomBytes(100_000), randomBytes(50_000)]

let library: Library
let ann: User
beforeEach(async () => {
  library = await openLibrary({ USER_QUOTA: '1MiB', MAX_UPLOAD_SIZE: '2MiB' })
  ann = await person('Ann')
})
afterEach(() => library.close())

async function person(name: string): Promise<User> {
  const id = await library.addUser(name, { can_create: true })
  return { id, name, is_admin: false, can_create: true }
}

const uploads = () => library.deps.uploads
const begin = (length: number | null = 150_000, user = ann) =>
  uploads().open({ user, name: 'film.mp4', length })
const pathOf = ({ id }: { id: string }) => dataFolder(library.folder).upload(id)
const sha256 = (...bytes: Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(bytes)).digest('hex')
const tableSize = ({ id }: { id: string }) =>
  library.deps.db.get<{ size: number }>(
    `SELECT size FROM uploads WHERE id = unhex(replace(?, '-', ''))`,
    id,
  )?.size
const digestOf = (part: { id: string }) =>
  uploads().finish(part, async (file) => Buffer.from(file.sha256).toString('hex'))
const conflict = { code: 'conflict' }

/** Yields the chunks, each as it is. */
function chunks(...bytes: Uint8Array[]) {
  return async function* () {
    yield* bytes
  }
}

/** Yields one chunk, then nothing until it is stopped. */
function silent(bytes: Uint8Array) {
  return async function* () {
    yield bytes
    await new Promise(() => {})
  }
}

/** Resolves once that many bytes are in the file. */
async function arrived(part: { id: string }, size: number): Promise<void> {
  while (!existsSync(pathOf(part)) || readFileSync(pathOf(part)).length < size) await turn()
}

describe('an upload in parts', () => {
  it('is whole once its parts are, one after the other', async () => {
    const part = begin()
    assert.equal((await uploads().append(part, 0, chunks(ONE))).size, 100_000)
    assert.equal((await uploads().find(ann, part.id)).size, 100_000)
    assert.equal((await uploads().append(part, 100_000, chunks(TWO))).size, 150_000)
    const seen = await uploads().finish(part, async ({ temporary, ...file }) => ({
      ...file,
      sha256: Buffer.from(file.sha256).toString('hex'),
      bytes: await temporary.withLocalFile(async (path) => sha256(readFileSync(path))),
    }))
    const whole = sha256(ONE, TWO)
    assert.deepEqual(seen, {
      size: 150_000,
      sha256: whole,
      bytes: whole,
      filename: 'film.mp4',
      isCounted: true,
    })
  })

  it('goes on elsewhere only, and never past its length', async () => {
    const part = begin()
    await uploads().append(part, 0, chunks(ONE))
    await assert.rejects(uploads().append(part, 0, chunks(TWO)), conflict)
    await assert.rejects(uploads().append(part, 100_001, chunks(TWO)), conflict)
    const tooLarge = { code: 'payload_too_large' }
    await assert.rejects(uploads().append(part, 100_000, chunks(TWO, TWO)), tooLarge)
    await assert.rejects(uploads().append(part, 150_000, chunks(), { bytes: 1 }), tooLarge)
    assert.equal(await digestOf(part), sha256(ONE, TWO))
    const open = begin(null)
    const largest = { bytes: 2 * 2 ** 20 + 1 }
    await assert.rejects(uploads().append(open, 0, chunks(), largest), tooLarge)
    assert.throws(() => begin(2 * 2 ** 20 + 1), tooLarge)
    await assert.rejects(digestOf(open), { code: 'validation_error' })
  })

  it('has what came when its connection breaks', async () => {
    const part = begin()
    const broken = async function* () {
      yield ONE
      throw new Error('gone')
    }
    await assert.rejects(uploads().append(part, 0, broken), { message: 'gone' })
    assert.equal((await uploads().find(ann, part.id)).size, 100_000)
    assert.equal(tableSize(part), 100_000)
  })

  it('gets its bytes from one request at a time, until somebody asks where it is', async () => {
    const part = begin()
    const first = uploads().append(part, 0, silent(ONE))
    await arrived(part, 100_000)
    await assert.rejects(uploads().append(part, 100_000, chunks(TWO)), conflict)
    const [found] = await Promise.all([
      uploads().find(ann, part.id),
      assert.rejects(first, conflict),
    ])
    assert.equal(found.size, 100_000)
    await uploads().append(part, 100_000, chunks(TWO))
    assert.equal(await digestOf(part), sha256(ONE, TWO))
  })

  it('is for its user alone', async () => {
    const part = begin()
    const bob = await person('Bob')
    await assert.rejects(uploads().find(bob, part.id), { code: 'not_found' })
  })

  it('knows after a kill what has come, whatever the table says', async () => {
    const part = begin()
    await uploads().append(part, 0, chunks(ONE))
    appendFileSync(pathOf(part), TWO.subarray(0, 20_000))
    assert.equal(tableSize(part), 100_000)
    library.deps.uploads = createUploads(library.deps)
    await assert.rejects(uploads().append(part, 100_000, chunks(TWO)), conflict)
    assert.equal(tableSize(part), 120_000)
    assert.equal((await uploads().find(ann, part.id)).size, 120_000)
    await uploads().append(part, 120_000, chunks(TWO.subarray(20_000)))
    assert.equal(await digestOf(part), sha256(ONE, TWO))
  })

  it('begins again when its bytes are gone', async () => {
    const part = begin()
    await uploads().append(part, 0, chunks(ONE))
    writeFileSync(pathOf(part), '')
    assert.equal((await uploads().find(ann, part.id)).size, 0)
    assert.equal(tableSize(part), 0)
  })

  it('stays when it could not become a file, and its bytes go when it has', async () => {
    const part = begin(100_000)
    await uploads().append(part, 0, chunks(ONE))
    const failing = uploads().finish(part, async () => {
      throw new Error('no room')
    })
    await assert.rejects(failing, { message: 'no room' })
    assert.equal(await digestOf(part), sha256(ONE))
    const id = '0190a000-0000-7000-8000-000000000001'
    await uploads().finish(part, async () => {
      write(library.deps.db, { now: library.time.now }, (tx) =>
        uploads().finished(tx, part, { id, isNew: true }),
      )
    })
    assert.equal(existsSync(pathOf(part)), false)
    const { file_id, is_new, size } = await uploads().find(ann, part.id)
    assert.deepEqual({ file_id, is_new, size }, { file_id: id, is_new: true, size: 100_000 })
    await assert.rejects(uploads().append(part, 100_000, chunks()), conflict)
    assert.deepEqual(readdirSync(join(library.folder, 'tmp')), [])
  })
})

describe('all uploads in parts', () => {
  it('are at most 20 for each user', async () => {
    const parts = Array.from({ length: 20 }, () => begin())
    assert.throws(() => begin(), conflict)
    begin(1, await person('Bob'))
    await uploads().discard(parts[0]!)
    begin()
  })

  it('count in the quota of their user', async () => {
    const { db, config } = library.deps
    const share = createQuotaShares(db, config)
    const part = begin()
    await uploads().append(part, 0, chunks(ONE), { bytes: 100_000, quota: share(ann.id) })
    assert.equal(bytesOf(db, ann.id), 100_000)
    assert.equal(share(ann.id).left(), 2 ** 20 - 100_000)
    const big = begin(2 ** 20)
    const over = { code: 'insufficient_storage' }
    const announced = { bytes: 2 ** 20, quota: share(ann.id) }
    await assert.rejects(uploads().append(big, 0, chunks(ONE), announced), over)
    const others = Array.from({ length: 10 }, () => ONE)
    const unknown = { quota: share(ann.id) }
    await assert.rejects(uploads().append(big, 0, chunks(...others), unknown), over)
    assert.equal((await uploads().find(ann, big.id)).size, 900_000)
    await uploads().discard(big)
    assert.equal(share(ann.id).left(), 2 ** 20 - 100_000)
  })

  it('leave the reserve of the disk alone', async () => {
    const part = begin()
    const disk = createDisk(library.folder, 2 ** 60)
    const full = createUploads({ ...library.deps, disk })
    const refused = { code: 'insufficient_storage' }
    assert.throws(() => full.open({ user: ann, name: null, length: null }), refused)
    await assert.rejects(full.append(part, 0, chunks(ONE)), refused)
    await assert.rejects(full.append(part, 0, chunks(), { bytes: 1 }), refused)
    assert.equal((await uploads().append(part, 0, chunks(ONE))).size, 100_000)
  })

  it('go a day after their last byte, with what belongs to none', async () => {
    const [old, young] = [begin(), begin()]
    await uploads().append(old, 0, chunks(ONE))
    library.time.now += DAY / 2
    await uploads().append(young, 0, chunks(ONE))
    const folder = dataFolder(library.folder).uploads
    const stray = '00000000-0000-4000-8000-000000000000'
    for (const name of [stray, 'notes.txt']) writeFileSync(join(folder, name), 'bytes')
    library.time.now += DAY / 2 + 1
    await assert.rejects(uploads().find(ann, old.id), { code: 'not_found' })
    const now = Date.now() + DAY
    assert.deepEqual(
      leftovers(library.deps.db, library.folder, now).map(({ kind, subject }) => [kind, subject]),
      [
        ['leftover', `uploads/${stray}`],
        ['leftover', 'uploads/notes.txt'],
      ],
    )
    await removeExpired(library.deps, new AbortController().signal)
    assert.deepEqual(readdirSync(folder).sort(), [young.id, 'notes.txt'].sort())
    assert.equal((await uploads().find(ann, young.id)).size, 100_000)
  })

  it('stay when their bytes come until later', async () => {
    const part = begin()
    library.time.now += DAY - 1
    const slow = async function* () {
      yield ONE
      library.time.now += 2
      assert.equal(uploads().get(ann, part.id).id, part.id)
      await createUploads(library.deps).removeExpired()
    }
    await uploads().append(part, 0, slow)
    assert.equal((await uploads().find(ann, part.id)).size, 100_000)
    await uploads().append(part, 100_000, chunks(TWO))
    assert.equal(await digestOf(part), sha256(ONE, TWO))
  })

  it('are counted without those that are files already', () => {
    const plan = library.deps.db.all<{ detail: string }>(
      'EXPLAIN QUERY PLAN SELECT sum(size) FROM uploads WHERE user_id = 1 AND file_id IS NULL',
    )
    assert.match(plan[0]!.detail, /uploads_user \(user_id=\? AND file_id=\?\)/)
  })

  it('end when their user is blocked or deleted', async () => {
    const { token } = await library.join('Root', { is_admin: true })
    const bob = await person('Bob')
    const [blocked, deleted] = [begin(), begin(1, bob)]
    await uploads().append(blocked, 0, chunks(ONE))
    await library.call('PATCH', `/users/${ann.id}`, { token, body: { is_blocked: true } })
    await assert.rejects(uploads().find(ann, blocked.id), { code: 'not_found' })
    await library.call('DELETE', `/users/${bob.id}`, { token })
    await assert.rejects(uploads().find(bob, deleted.id), { code: 'not_found' })
    await uploads().removeExpired()
    assert.deepEqual(readdirSync(dataFolder(library.folder).uploads), [])
  })
})
