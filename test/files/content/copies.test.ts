import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { blobOf } from '../../support/files.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'

/** Bytes that are sent whole, and in pieces. */
const SIZES = [50_000, 3_000_000]

describe('a content in a store', () => {
  let library: Library
  let token: string
  before(async () => {
    library = await openLibrary({ CONTENTS: 's3' })
    token = (await library.join('Ann', { is_admin: true, can_create: true })).token
  })
  after(() => library.close())

  /** Uploads a picture with what no decoder reads behind it; there is no copy then. */
  const upload = async (size: number) => {
    const start = await picture(size)
    const bytes = Buffer.concat([start, randomBytes(size - start.length)])
    const { id } = (await library.upload(token, bytes)).body
    const path = dataFolder(library.folder).cachedContent(blobOf(library.deps.db, id))
    rmSync(path)
    return { id, bytes, path }
  }
  const get = (id: string, range?: string, method = 'GET') =>
    library.fetchRaw(method, `/files/${id}/content`, {
      token,
      headers: range === undefined ? {} : { range },
    })
  const settled = () =>
    eventually(() => readdirSync(dataFolder(library.folder).temporary('tmp')).length === 0)

  for (const size of SIZES) {
    it(`of ${size} bytes is copied when all of it is sent, and not asked for again`, async () => {
      const { id, bytes, path } = await upload(size)
      assert.equal((await get(id, undefined, 'HEAD')).status, 200)
      assert.equal((await get(id, 'bytes=99999999-')).status, 416)
      assert.equal((await (await get(id, 'bytes=1-')).arrayBuffer()).byteLength, size - 1)
      await settled()
      assert.equal(existsSync(path), false)
      const all = await get(id, 'bytes=0-')
      assert.deepEqual([all.status, Buffer.from(await all.arrayBuffer())], [206, bytes])
      await settled()
      assert.equal(existsSync(path), true)
      const { asked } = library.store!
      const before = asked.length
      const again = await get(id)
      assert.deepEqual([again.status, Buffer.from(await again.arrayBuffer())], [200, bytes])
      assert.equal(asked.length, before)
    })
  }

  it('is asked for again when its copy was cut off', async () => {
    const { id, bytes, path } = await upload(3_000_000)
    await (await get(id)).arrayBuffer()
    await settled()
    writeFileSync(path, bytes.subarray(0, 100))
    const again = await get(id)
    assert.deepEqual([again.status, Buffer.from(await again.arrayBuffer())], [200, bytes])
  })

  it('leaves no copy when the client goes, or when it is deleted for good meanwhile', async () => {
    const [left, deleted] = [await upload(3_000_000), await upload(3_000_000)]
    const gone = (await get(left.id)).body!.getReader()
    await gone.read()
    await gone.cancel()
    const reader = (await get(deleted.id)).body!.getReader()
    await reader.read()
    for (const path of [`/files/${deleted.id}`, `/files/${deleted.id}/permanent`]) {
      assert.equal((await library.call('DELETE', path, { token })).status, 204)
    }
    while (!(await reader.read()).done);
    await settled()
    assert.deepEqual([existsSync(left.path), existsSync(deleted.path)], [false, false])
  })
})
