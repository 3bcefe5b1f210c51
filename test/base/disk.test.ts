import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Claim, createDisk } from '../../src/base/disk.ts'
import { openStorage } from '../../src/media/storage.ts'
import { addTag, assertError, inventory } from '../support/files.ts'
import { type Call, form, type Library, openLibrary, picture } from '../support/harness.ts'
import { namesIn, putFile } from '../support/imports.ts'
import { pathsOf } from '../support/stored-files.ts'

const MIB = 2 ** 20

const freeBytes = (folder: string) => {
  const { bsize, bavail } = statfsSync(folder)
  return bsize * bavail
}

/** Opens the library again, with another reserve, in bytes. */
async function keepFree(library: Library, reserve: number): Promise<void> {
  library.deps.config.diskReserve = reserve
  library.deps.disk = createDisk(library.folder, reserve)
  library.deps.storage = await openStorage(library.folder, { disk: library.deps.disk })
  await library.restart()
}

describe('a disk with little room', () => {
  let library: Library
  let ann: { id: number; token: string }
  let bob: { refresh_token: string; access_token: string }
  let image: Uint8Array
  let file: string
  let other: string
  let tag: string
  let pool: string

  before(async () => {
    library = await openLibrary()
    ann = await library.join('Ann', { is_admin: true })
    await library.addUser('Bob')
    bob = await library.signIn('Bob')
    image = await picture(1)
    file = (await library.upload(ann.token, image)).body.id
    other = (await library.upload(ann.token, image)).body.id
    tag = (await addTag(library, ann.token, 'Sea')).id
    pool = (await ask('POST', '/pools', { name: 'Best' })).body.id
    await ask('POST', `/pools/${pool}/files`, { file_ids: [file] })
    mkdirSync(join(library.folder, 'import'))
    putFile(join(library.folder, 'import'), 'a.jpg', image)
  })
  after(() => library.close())

  const ask = (method: string, path: string, body?: unknown) =>
    library.call(method, path, { token: ann.token, body } as Call)
  const assertFull = async (method: string, path: string, body?: unknown) => {
    const before = inventory(library)
    assertError(await ask(method, path, body), 507, 'insufficient_storage')
    assert.deepEqual(inventory(library), before)
  }
  const uploads: [string, () => string][] = [
    ['POST', () => '/files'],
    ['PUT', () => `/files/${file}/content`],
    ['POST', () => '/files/similar'],
  ]

  describe('below its reserve', () => {
    before(() => keepFree(library, 1.1 * freeBytes(library.folder)))

    it('takes no upload, and leaves nothing of it behind', async () => {
      for (const [method, path] of uploads) {
        await assertFull(method, path(), form(image, 'new.jpg'))
      }
    })

    it('imports nothing', async () => {
      await assertFull('POST', '/files/import', {})
      assert.deepEqual(namesIn(join(library.folder, 'import')), ['a.jpg'])
      assert.deepEqual(readdirSync(join(library.folder, 'tmp')), [])
    })

    it('sends the derivatives that it has, and makes no other', async () => {
      assert.equal((await ask('GET', `/files/${file}/thumbnail`)).status, 200)
      await assertFull('GET', `/files/${file}/preview`)
    })

    it('takes all other changes', async () => {
      assert.equal((await ask('PATCH', `/files/${file}`, { notes: 'x' })).status, 200)
      assert.equal((await ask('PUT', `/files/${file}/tags/${tag}`)).status, 200)
      assert.equal((await ask('POST', `/files/${file}/views`)).status, 204)
    })

    it('is searched for duplicates, but makes no thumbnails for that', async () => {
      const { db } = library.deps
      db.run("UPDATE file_details SET derivative_state = 'pending', decoder_version = NULL")
      db.run('UPDATE files SET phash = NULL')
      rmSync(
        pathsOf(library.deps).derivative(
          'thumbnail',
          db.get<{ blob: string }>('SELECT blob FROM file_details')!.blob,
        ),
      )
      const thumbnails = inventory(library).thumbnails
      const answer = await ask('POST', '/files/duplicates/rescan')
      assert.match(answer.text, /"files":2,"hashed":0/)
      assert.equal(inventory(library).thumbnails, thumbnails)
    })
  })

  describe('below a quarter of its reserve', () => {
    before(() => keepFree(library, 8 * freeBytes(library.folder)))

    it('takes no changes', async () => {
      const changes: [string, string, unknown?][] = [
        ['PATCH', `/files/${file}`, { notes: 'y' }],
        ['PUT', `/files/${file}/tags`, { tag_ids: [] }],
        ['POST', `/files/${file}/views`],
        ['POST', `/files/${file}/restore`],
        ['POST', '/files/bulk/tags', { file_ids: [file], action: 'remove', tag_ids: [tag] }],
        ['POST', '/files/duplicates/dismiss', { file_id_a: file, file_id_b: other }],
        ['POST', '/files/duplicates/rescan'],
        ['POST', '/operations/1/undo'],
        ['POST', '/tags', { name: 'Sun' }],
        ['POST', '/categories', { name: 'Places' }],
        ['PATCH', `/pools/${pool}`, { name: 'Better' }],
        ['PUT', `/acl/file/${file}`, { permissions: [] }],
        ['POST', '/users', { name: 'Cid', password: 'a password' }],
        ['PATCH', '/users/me', { name: 'Anna' }],
      ]
      for (const change of changes) await assertFull(...change)
      for (const [method, path] of uploads) await assertFull(method, path(), form(image, 'n.jpg'))
    })

    it('tells who is not signed in or no admin before that', async () => {
      const body = { name: 'Cid', password: 'a password' }
      assertError(await library.call('POST', '/users', { body }), 401, 'unauthorized')
      const token = bob.access_token
      assertError(await library.call('POST', '/users', { token, body }), 403, 'forbidden')
    })

    it('lets people sign in, stay signed in and sign out', async () => {
      const { status, body } = await library.login('Bob')
      assert.equal(status, 200)
      assert.equal((await library.refresh(bob.refresh_token)).status, 200)
      const token = body.access_token
      assert.equal((await library.call('POST', '/auth/logout', { token })).status, 204)
    })

    it('lets them read', async () => {
      const list = await ask('GET', '/files')
      assert.deepEqual([list.status, list.body.items.length], [200, 2])
      assert.equal((await ask('GET', `/files/${file}/content`)).status, 200)
      assert.equal((await ask('POST', `/files/${file}/content-token`)).status, 200)
      const common = await ask('POST', '/files/bulk/common-tags', { file_ids: [file] })
      assert.equal(common.status, 200)
    })

    it('lets them delete', async () => {
      const deletions: [string, string, unknown?][] = [
        ['POST', `/pools/${pool}/files/remove`, { file_ids: [file] }],
        ['DELETE', `/pools/${pool}`],
        ['DELETE', `/files/${file}/tags/${tag}`],
        ['DELETE', `/tags/${tag}`],
        ['DELETE', `/files/${file}`],
        ['DELETE', `/files/${file}/permanent`],
        ['POST', '/files/bulk/delete', { file_ids: [other] }],
      ]
      for (const deletion of deletions) {
        assert.equal((await ask(...deletion)).status, 204, deletion[1])
      }
      assert.equal(inventory(library).blobs, 1)
    })
  })

  it('takes uploads again when it has room', async () => {
    await keepFree(library, 0)
    assert.equal((await library.upload(ann.token, image)).status, 201)
  })
})

describe('room on a disk', () => {
  // What other programs do to the disk within one test is less than this.
  const NOISE = 256 * MIB

  it('is claimed, so that several files together leave the reserve whole', () => {
    const free = freeBytes(tmpdir())
    const disk = createDisk(tmpdir(), free - 1024 * MIB)
    const claims: Claim[] = []
    assert.throws(
      () => {
        for (;;) claims.push(disk.claim(64 * MIB))
      },
      { code: 'insufficient_storage' },
    )
    const together = claims.length * 64 * MIB
    assert.ok(Math.abs(together - 1024 * MIB) < NOISE, `${claims.length} claims`)
    const [first, second] = claims as [Claim, Claim]
    const small = disk.claim(0)
    assert.throws(() => small.need(128 * MIB), { code: 'insufficient_storage' })
    first.wrote(32 * MIB)
    first.release()
    first.release()
    for (const claim of [second, ...claims.slice(2)]) claim.release()
    small.need(1024 * MIB - NOISE)
    assert.equal(disk.hasRoom(), true)
  })

  it('is told without the reserve and what is claimed', () => {
    const disk = createDisk(tmpdir(), freeBytes(tmpdir()) - 1024 * MIB)
    const near = (bytes: number) =>
      assert.ok(Math.abs(disk.room()! - bytes) < NOISE, `${disk.room()}`)
    near(1024 * MIB)
    const claim = disk.claim(0)
    claim.need(512 * MIB)
    near(512 * MIB)
    claim.release()
    assert.equal(createDisk(tmpdir(), 2 * freeBytes(tmpdir())).room(), 0)
  })

  it('is claimed in pieces, of a file that would fit', () => {
    const free = freeBytes(tmpdir())
    const room = free / 2
    const disk = createDisk(tmpdir(), free - room)
    assert.throws(() => disk.claim(room + NOISE), { code: 'insufficient_storage' })
    // Slow ones must not keep out the others.
    const slow = Array.from({ length: 8 }, () => disk.claim(room / 2))
    disk.claim(room / 2).release()
    // A piece is renewed when it is used up, as far as there is room.
    const rest = disk.claim(0)
    const takeAll = () => {
      for (let bytes = 16 * MIB; ; bytes += 16 * MIB) rest.need(bytes)
    }
    slow[0]!.need(64 * MIB)
    slow[0]!.wrote(64 * MIB)
    assert.throws(takeAll, { code: 'insufficient_storage' })
    assert.throws(() => slow[0]!.need(1), { code: 'insufficient_storage' })
    rest.release()
    slow[0]!.need(1)
    // The rest of the piece.
    assert.throws(takeAll, { code: 'insufficient_storage' })
    slow[0]!.need(64 * MIB)
  })

  it('is 512 MiB by default, or 2 % of a small disk', () => {
    const { bsize, blocks, bavail } = statfsSync(tmpdir())
    const free = bsize * bavail
    const reserve = Math.min(512 * 2 ** 20, bsize * blocks * 0.02)
    const room = (bytes: number) => {
      const claim = createDisk(tmpdir(), null).claim(bytes)
      claim.release()
    }
    room(free - reserve - NOISE)
    assert.throws(() => room(free - reserve + NOISE), { code: 'insufficient_storage' })
  })
})
