import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { blobOf } from '../../support/files.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { runImport } from '../../support/imports.ts'
import { openSmallDisk, type SmallDisk, withoutSmallDisk } from '../../support/small-disk.ts'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'

const MIB = 2 ** 20
const RESERVE = 8 * MIB

describe('a disk that is full of copies of what is in a store', { skip: withoutSmallDisk }, () => {
  let disk: SmallDisk
  let library: Library
  let token: string
  let id: string
  before(async () => {
    disk = openSmallDisk(160)
    const { TMPDIR } = process.env
    process.env.TMPDIR = disk.path
    library = await openLibrary({ CONTENTS: 's3', DISK_RESERVE: '8MiB' })
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    token = (await library.join('Ann', { is_admin: true, can_create: true })).token
    mkdirSync(join(library.folder, 'import'))
  })
  after(async () => {
    await library?.close()
    disk?.remove()
  })

  const padded = async (size: number) => Buffer.concat([await picture(1), randomBytes(size * MIB)])
  const copies = () =>
    readdirSync(dataFolder(library.folder).cachedContents, { recursive: true }).length
  /** Leaves so many bytes free. */
  const leave = (bytes: number) => {
    const { disk: measured } = library.deps
    writeFileSync(join(disk.path, 'ballast'), Buffer.alloc(measured.free()! - bytes))
    // It is measured anew by this.
    assert.ok(measured.free()! <= bytes)
  }
  beforeEach(async () => {
    writeFileSync(join(disk.path, 'ballast'), '')
    for (let n = 0; n < 4; n++) {
      const { status, body, text } = await library.upload(token, await padded(8))
      assert.equal(status, 201, text)
      id = body.id
    }
    assert.ok(copies() >= 4)
  })

  it('has room for an upload in parts that needs more than half of them', async () => {
    const bytes = await padded(24)
    leave(RESERVE + MIB)
    const metadata = `filename ${btoa('film.jpg')}`
    const send = (method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
      library.request(path, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0', ...headers },
        ...(body && { body }),
      })
    const begun = await send('POST', '/api/v1/uploads', {
      'Upload-Length': String(bytes.length),
      'Upload-Metadata': metadata,
    })
    assert.equal(begun.status, 201, await begun.text())
    const sent = await send(
      'PATCH',
      begun.headers.get('Location')!,
      { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
      bytes,
    )
    assert.equal(sent.status, 204, await sent.text())
    const file = sent.headers.get('Upload-File-Id')!
    const { body } = await library.call('GET', `/files/${file}`, { token })
    assert.equal(body.size, bytes.length)
  })

  it('has room for a preview that is still to be made', async () => {
    await library.deps.storage.removeDerivatives(blobOf(library.deps.db, id))
    leave(RESERVE / 2)
    const { status, headers } = await library.fetchRaw('GET', `/files/${id}/preview`, { token })
    assert.deepEqual([status, headers.get('Content-Type')], [200, 'image/jpeg'])
  })

  it('has room for an import', async () => {
    writeFileSync(join(library.folder, 'import', 'new.jpg'), await picture(2))
    leave(RESERVE / 2)
    const events = await runImport(library, token)
    assert.equal(events[1]!.status, 'imported')
  })
})
