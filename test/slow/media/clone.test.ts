import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorage } from '../../../src/media/storage.ts'
import { putFile, sha256 } from '../../support/imports.ts'
import { openSharingDisk, withoutSharingDisk } from '../../support/small-disk.ts'
import { after, before, describe, it } from '../../support/test.ts'

const LARGE = 60 * 2 ** 20

describe('a clone', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tagstead-clone-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  it('takes no room where a file system can share it, and is a file of its own', {
    skip: withoutSharingDisk,
  }, async () => {
    const { path: disk, remove } = openSharingDisk(256)
    try {
      const bytes = Buffer.alloc(LARGE, 'tagstead')
      const source = putFile(disk, 'source', bytes)
      execFileSync('chmod', ['0444', source])
      const storage = await openStorage(join(disk, 'data'))
      const free = () => {
        execFileSync('sync', ['-f', disk])
        return Number(execFileSync('stat', ['-f', '-c', '%f', disk])) * 4096
      }
      const before = free()
      const handle = await open(source)
      const clone = await storage.cloneTemporary(handle)
      await handle.close()
      assert.ok(clone)
      const finished = await clone.finish()
      assert.deepEqual(
        [finished.size, Buffer.from(finished.sha256).toString('hex')],
        [LARGE, sha256(bytes)],
      )
      const path = await clone.withLocalFile(async (path) => path)
      assert.equal(statSync(path).mode & 0o777, 0o600)
      assert.ok(before - free() < LARGE / 4)
      rmSync(source)
      assert.ok(readFileSync(path).equals(bytes))
      await clone.discard()
      assert.deepEqual(readdirSync(join(disk, 'data/tmp')), [])
    } finally {
      remove()
    }
  })

  it('is none, and leaves nothing, where the source lies on another disk', async () => {
    const storage = await openStorage(join(folder, 'data'))
    const handle = await open('/proc/self/status')
    assert.equal(await storage.cloneTemporary(handle), null)
    await handle.close()
    assert.deepEqual(readdirSync(join(folder, 'data/tmp')), [])
  })
})
