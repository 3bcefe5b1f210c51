import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, rmSync, statfsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createDisk } from '../../../src/base/disk.ts'
import { openStorage } from '../../../src/media/storage.ts'
import { assertError, inventory } from '../../support/files.ts'
import { form, type Library, openLibrary, picture } from '../../support/harness.ts'
import { namesIn, putFile, runImport } from '../../support/imports.ts'
import { openSmallDisk, type SmallDisk, withoutSmallDisk } from '../../support/small-disk.ts'
import { after, before, describe, it } from '../../support/test.ts'

const MIB = 2 ** 20

describe('contents on a small disk of their own', { skip: withoutSmallDisk }, () => {
  let disk: SmallDisk
  let library: Library
  let token: string
  let small: Uint8Array
  let large: Uint8Array
  /** The bytes that are free on the disk. */
  let free: number
  before(async () => {
    if (withoutSmallDisk) return
    disk = openSmallDisk(16)
    library = await openLibrary()
    token = (await library.join('Ann', { is_admin: true })).token
    const contents = join(library.folder, 'files')
    cpSync(contents, disk.path, { recursive: true })
    rmSync(contents, { recursive: true })
    symlinkSync(disk.path, contents)
    const { bsize, bavail } = statfsSync(disk.path)
    free = bsize * bavail
    const { deps } = library
    // 4 MiB may be written there, and all but these 12 of the first disk.
    deps.disk = createDisk(library.folder, free - 4 * MIB)
    deps.storage = await openStorage(library.folder, { disk: deps.disk })
    await library.restart()
    small = await picture(1)
    large = Buffer.concat([await picture(2), Buffer.alloc(5 * MIB)])
    mkdirSync(join(library.folder, 'import'))
  })
  after(async () => {
    await library?.close()
    disk?.remove()
  })

  const upload = (bytes: Uint8Array) =>
    library.call('POST', '/files', { token, body: form(bytes, 'a.jpg') })

  it('get what leaves the reserve of that disk', async () => {
    const stored = await upload(small)
    assert.equal(stored.status, 201)
    const before = inventory(library)
    assertError(await upload(large), 507, 'insufficient_storage')
    assert.deepEqual(inventory(library), before)
    assert.deepEqual(namesIn(join(library.folder, 'tmp')), [])
  })

  it('count there from when they begin to be written elsewhere', async () => {
    const { storage } = library.deps
    const first = await storage.createTemporary(3 * MIB)
    for (let written = 0; written < 3; written++) await first.write(Buffer.alloc(MIB))
    await first.finish()
    await assert.rejects(storage.createTemporary(2 * MIB), { code: 'insufficient_storage' })
    const unknown = await storage.createTemporary()
    await assert.rejects(unknown.write(Buffer.alloc(2 * MIB)), { code: 'insufficient_storage' })
    for (const temporary of [unknown, first]) await temporary.discard()
    const again = await storage.createTemporary(3 * MIB)
    await again.discard()
    assert.deepEqual(namesIn(join(library.folder, 'tmp')), [])
  })

  it('are imported as far as the smaller disk has room, which a dry run tells', async () => {
    const folder = join(library.folder, 'import')
    putFile(folder, 'large.jpg', large)
    const [, , done] = await runImport(library, token, undefined, { dry_run: true })
    const { bsize, bavail } = statfsSync(disk.path)
    assert.equal(done!.room, bsize * bavail - (free - 4 * MIB))
    const events = await runImport(library, token)
    assert.deepEqual(
      events.slice(1, -1).map(({ status, reason }) => [status, reason]),
      [['error', "The server's disk is full"]],
    )
    assert.deepEqual(readFileSync(join(folder, 'large.jpg')), large)
  })

  it('are refused without the reserve of that disk, and people go on', async () => {
    disk.fill()
    const { id } = (await library.call('GET', '/files', { token })).body.items[0]
    // An upload measures the disk, which imports do once a second.
    assertError(await upload(small), 507, 'insufficient_storage')
    assertError(await library.call('POST', '/files/import', { token }), 507, 'insufficient_storage')
    const renamed = { token, body: { original_name: 'b.jpg' } }
    assert.equal((await library.call('PATCH', `/files/${id}`, renamed)).status, 200)
    disk.empty()
    assert.equal((await upload(small)).status, 201)
  })
})
