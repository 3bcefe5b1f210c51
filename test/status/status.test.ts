import assert from 'node:assert/strict'
import { statfsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { createDisk } from '../../src/base/disk.ts'
import { VERSION } from '../../src/base/version.ts'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

let library: Library
let ann: { id: number; token: string }
let bob: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann', { is_admin: true })
  bob = await library.join('Bob', { can_create: true })
})
after(() => library.close())

const status = async (token = ann.token) => library.call('GET', '/status', { token })

describe('the status', () => {
  it('is complete for a library without files', async () => {
    const { body } = await status()
    const { free_bytes, runtime, ...rest } = body
    assert.deepEqual(rest, {
      version: VERSION,
      files: 0,
      bytes: 0,
      store: null,
      decoder_jobs: 0,
      decoder_walls: 'environment',
      decoder_walls_reason: null,
      readers: 0,
      long_changes: 0,
      background: null,
      dates_operation: null,
      last_backup: null,
      backup_problem: null,
      last_scrub: null,
      damaged: 0,
    })
    assert.match(runtime, 'Bun' in globalThis ? /^bun \d+\.\d+\.\d+$/ : /^node \d+\.\d+\.\d+$/)
    const { bsize, bavail } = statfsSync(library.folder)
    // Other programs use the disk, too.
    assert.ok(Math.abs(free_bytes - bsize * bavail) < 2 ** 30)
  })

  it("counts everybody's files, with those in the trash", async () => {
    const [first, second] = [await picture(1), await picture(2)]
    await library.upload(ann.token, first)
    const { id } = (await library.upload(bob.token, second)).body
    await library.call('DELETE', `/files/${id}`, bob)
    const size = first.length + second.length
    const counted = async () => {
      const { files, bytes } = (await status()).body
      return { files, bytes }
    }
    assert.deepEqual(await counted(), { files: 2, bytes: size })
    await library.call('DELETE', `/files/${id}/permanent`, bob)
    assert.deepEqual(await counted(), { files: 1, bytes: first.length })
  })

  it('counts what is being decoded', async () => {
    const input = { path: `${library.folder}/none.jpg`, mime_type: 'image/jpeg' }
    const jobs = [1, 2, 3].map((n) =>
      library.deps.decoder.picture('preview', { ...input, to: `${library.folder}/${n}.jpg` }),
    )
    assert.equal((await status()).body.decoder_jobs, 3)
    await Promise.allSettled(jobs)
    assert.equal((await status()).body.decoder_jobs, 0)
  })

  it('says whether the store of the contents answers, and since when not', async () => {
    const stored = await openLibrary({ CONTENTS: 's3' })
    try {
      const { token } = await stored.join('Ann', { is_admin: true })
      const told = async () => (await stored.call('GET', '/status', { token })).body.store
      const name = 's3://family/photos/files'
      assert.deepEqual(await told(), { name, problem: null, since: null })
      const since = '2026-01-02T03:04:05.678Z'
      stored.store!.trouble = () => 503
      assert.deepEqual(await told(), { name, problem: 'away', since })
      stored.time.now += 60_000
      assert.deepEqual(await told(), { name, problem: 'away', since })
      stored.store!.trouble = () => 403
      const { problem, since: refused } = await told()
      assert.deepEqual([problem, refused], ['refused', '2026-01-02T03:05:05.678Z'])
      stored.store!.trouble = () => undefined
      assert.deepEqual(await told(), { name, problem: null, since: null })
    } finally {
      await stored.close()
    }
  })

  it('is for admins', async () => {
    assertError(await status(bob.token), 403, 'forbidden')
    assertError(await status('x'), 401, 'unauthorized')
  })

  it('is told when the disk is full', async () => {
    library.deps.disk = createDisk(library.folder, 2 ** 50)
    await library.restart()
    assert.equal((await status()).status, 200)
  })
})
