import assert from 'node:assert/strict'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { blobOf } from '../support/files.ts'
import { form, type Library, openLibrary, picture } from '../support/harness.ts'
import { pathsOf } from '../support/stored-files.ts'

let library: Library
let token: string
before(async () => {
  library = await openLibrary()
  token = (await library.join('Root', { is_admin: true })).token
})
after(() => library.close())

/** Uploads a picture and returns its id and the path of its thumbnail. */
async function add(seed: number) {
  const { body } = await library.upload(token, await picture(seed), `${seed}.jpg`)
  const id = body.id as string
  return { id, path: pathsOf(library.deps).derivative('thumbnail', blobOf(library.deps.db, id)) }
}

async function get(id: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = { method, headers: { Authorization: `Bearer ${token}`, ...headers } }
  const response = await library.request(`/api/v1/files/${id}/thumbnail`, request)
  return { response, body: Buffer.from(await response.arrayBuffer()) }
}

describe('a thumbnail that was asked for', () => {
  it('is sent from memory after that, whole and in part', async () => {
    const { id, path } = await add(1)
    const stored = await readFile(path)
    const first = await get(id)
    assert.deepEqual(first.body, stored)
    await rm(path)
    const second = await get(id)
    assert.deepEqual(second.body, stored)
    const withoutId = (headers: Headers) => [...headers].filter(([name]) => name !== 'x-request-id')
    assert.deepEqual(withoutId(second.response.headers), withoutId(first.response.headers))
    const range = await get(id, { Range: 'bytes=10-19' })
    assert.equal(range.response.headers.get('Content-Range'), `bytes 10-19/${stored.length}`)
    assert.deepEqual(range.body, stored.subarray(10, 20))
    const head = await get(id, {}, 'HEAD')
    assert.equal(head.response.headers.get('Content-Length'), String(stored.length))
    const etag = first.response.headers.get('ETag')!
    assert.equal((await get(id, { 'If-None-Match': etag })).response.status, 304)
  })

  it('is another one when its content is replaced', async () => {
    const { id } = await add(2)
    const { body: old } = await get(id)
    const body = form(await picture(3), 'other.jpg')
    assert.equal((await library.call('PUT', `/files/${id}/content`, { token, body })).status, 200)
    assert.notDeepEqual((await get(id)).body, old)
  })

  it('is read anew when another version of the decoder has made it', async () => {
    const { id, path } = await add(4)
    await get(id)
    const other = await sharp(await picture(5))
      .jpeg()
      .toBuffer()
    await writeFile(path, other)
    const { db } = library.deps
    const details = '(SELECT rid FROM files WHERE id = unhex(?))'
    db.run(
      `UPDATE file_details SET decoder_version = 'another' WHERE file_rid = ${details}`,
      id.replaceAll('-', ''),
    )
    assert.deepEqual((await get(id)).body, other)
  })

  it('stays on the disk when it is large', async () => {
    const { id, path } = await add(6)
    const made = await readFile(path)
    const large = Buffer.concat([made, Buffer.alloc(64 * 1024), made.subarray(-2)])
    await writeFile(path, large)
    assert.deepEqual((await get(id)).body, large)
    await rm(path)
    assert.deepEqual((await get(id)).body, made)
  })

  it('is not opened for who has it already, or asks for its head', async () => {
    const { id, path } = await add(8)
    const { response } = await get(id, {}, 'HEAD')
    const etag = response.headers.get('ETag')!
    // What can be looked at and not opened.
    await rm(path)
    await mkdir(path)
    assert.equal((await get(id, { 'If-None-Match': etag })).response.status, 304)
    assert.equal((await get(id, {}, 'HEAD')).response.status, 200)
    await rm(path, { recursive: true })
  })

  it('is sent as it is when it is written anew meanwhile', async () => {
    const { id, path } = await add(9)
    const { db, storage } = library.deps
    const found = await storage.findThumbnail(blobOf(db, id), 'a stamp')
    const other = await sharp(await picture(5))
      .jpeg()
      .toBuffer()
    await writeFile(path, other)
    assert.notEqual(other.length, found!.size)
    assert.equal(await found!.whole!(), null)
    assert.deepEqual((await get(id)).body, other)
  })

  it('goes with its file', async () => {
    const { id } = await add(7)
    const { db, storage } = library.deps
    const blob = blobOf(db, id)
    const look = () => storage.findThumbnail(blob, 'a stamp')
    await (await look())?.whole?.()
    const other = await storage.findThumbnail(blob, 'another stamp')
    assert.notEqual(await look(), other)
    assert.equal(await look(), await look())
    for (const path of [`/files/${id}`, `/files/${id}/permanent`]) {
      assert.equal((await library.call('DELETE', path, { token })).status, 204)
    }
    assert.equal(await look(), null)
  })
})
