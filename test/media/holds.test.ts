import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { dataFolder } from '../../src/media/data-folder.ts'
import { openStorage, type Storage } from '../../src/media/storage.ts'
import { writeContent } from '../support/file-rows.ts'
import { together } from '../support/stored-files.ts'

const [FIRST, SECOND] = ['a'.repeat(32), 'b'.repeat(32)]

let folder: string
let storage: Storage
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tagstead-holds-'))
  storage = await openStorage(folder)
  for (const blob of [FIRST, SECOND]) {
    writeContent({ folder, store: null }, blob, Buffer.from(blob))
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Where a content is: in its place, among the temporary files, or nowhere. */
const whereIs = (blob: string) => {
  if (existsSync(dataFolder(folder).content(blob))) return 'kept'
  return existsSync(join(folder, 'tmp', blob)) ? 'aside' : null
}
const read = async (blob: string) => String(await together(await storage.stream(blob)))

describe('a content that is held', () => {
  it('stays until its last hold is released, and others go at once', async () => {
    const [one, other] = [storage.hold(), storage.hold()]
    one.add([FIRST])
    other.add([FIRST])
    await storage.removeBlob(FIRST)
    await storage.removeBlob(SECOND)
    assert.deepEqual([whereIs(FIRST), whereIs(SECOND)], ['aside', null])
    assert.equal(existsSync(dataFolder(folder).derivative('thumbnail', FIRST)), false)
    await one.release()
    assert.equal(await read(FIRST), FIRST)
    await storage.removeBlob(FIRST)
    assert.equal(await read(FIRST), FIRST)
    await other.release()
    assert.equal(whereIs(FIRST), null)
    await assert.rejects(storage.stream(FIRST), { code: 'ENOENT' })
  })

  it('is gone when it is released while it is set aside', async () => {
    const hold = storage.hold()
    hold.add([FIRST])
    await Promise.all([storage.removeBlob(FIRST), hold.release()])
    assert.equal(whereIs(FIRST), null)
  })

  it('goes with the next start when it was never released', async () => {
    storage.hold().add([FIRST, SECOND])
    await storage.removeBlob(FIRST)
    storage = await openStorage(folder)
    assert.deepEqual([whereIs(FIRST), whereIs(SECOND)], [null, 'kept'])
  })

  it('stays for good when it was not to be removed', async () => {
    const hold = storage.hold()
    hold.add([FIRST])
    await hold.release()
    assert.equal(whereIs(FIRST), 'kept')
    await storage.removeBlob(FIRST)
    assert.equal(whereIs(FIRST), null)
  })

  it('is removed when the library is closed, if that has waited', async () => {
    storage.hold().add([FIRST, SECOND])
    await storage.removeBlob(FIRST)
    await storage.close()
    assert.deepEqual([whereIs(FIRST), whereIs(SECOND)], [null, 'kept'])
  })
})
