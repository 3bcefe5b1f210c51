import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { beginUpload } from '../support/begun-upload.ts'
import { assertError, grant, inventory } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let library: Library
let ann: { id: number; token: string }
let bob: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob', { can_create: true })
})
after(() => library.close())

const upload = (bytes: Uint8Array, on_duplicate?: string, { token } = ann) =>
  library.upload(token, bytes, 'again.jpg', {
    notes: 'given again',
    ...(on_duplicate !== undefined && { on_duplicate }),
  })
/** Uploads a content for the first time. */
const first = async (bytes: Uint8Array, { token } = ann) =>
  (await library.upload(token, bytes, 'first.jpg')).body
const get = async (id: string) => (await library.call('GET', `/files/${id}`, ann)).body
const trash = (id: string) => library.call('DELETE', `/files/${id}`, ann)

describe('an upload of a content that is there already', () => {
  it('is another file when nothing else is said, or nothing is left to say', async () => {
    const bytes = await picture(1)
    const { id } = await first(bytes)
    for (const on_duplicate of [undefined, '', 'keep']) {
      const again = await upload(bytes, on_duplicate)
      assert.equal(again.status, 201)
      assert.notEqual(again.body.id, id)
    }
  })

  it('is answered with the oldest file when it is to be skipped, which stays as it is', async () => {
    const bytes = await picture(2)
    const old = await first(bytes)
    await first(bytes)
    const before = inventory(library)
    const answer = await upload(bytes, 'skip')
    assert.deepEqual([answer.status, answer.body], [200, old])
    assert.deepEqual(await get(old.id), old)
    assert.deepEqual(inventory(library), before)
  })

  it('is a conflict that names the oldest file when it must be new', async () => {
    const bytes = await picture(3)
    const { id } = await first(bytes)
    await first(bytes)
    const before = inventory(library)
    const answer = await upload(bytes, 'conflict')
    assertError(answer, 409, 'conflict', ['file_id'])
    assert.equal(answer.body.details[0].message, id)
    assert.deepEqual(inventory(library), before)
  })

  it('counts a file in the trash, when there is no other one', async () => {
    const bytes = await picture(4)
    const [old, young] = [await first(bytes), await first(bytes)]
    await trash(old.id)
    assert.equal((await upload(bytes, 'skip')).body.id, young.id)
    await trash(young.id)
    const { status, body } = await upload(bytes, 'skip')
    assert.deepEqual([status, body.id, body.is_deleted], [200, old.id, true])
  })

  it("counts no file in somebody else's trash, whom it may leave any day", async () => {
    const bytes = await picture(9)
    const { id } = await first(bytes)
    await library.call('PATCH', `/files/${id}`, { ...ann, body: { is_public: true } })
    assert.equal((await upload(bytes, 'skip', bob)).body.id, id)
    await trash(id)
    const own = await upload(bytes, 'skip', bob)
    assert.equal(own.status, 201)
    assert.equal(own.body.creator_id, bob.id)
  })

  it('never counts a file that the uploader may not view', async () => {
    const bytes = await picture(5)
    const { id } = await first(bytes)
    const own = await upload(bytes, 'conflict', bob)
    assert.equal(own.status, 201)
    assert.equal((await upload(bytes, 'skip', bob)).body.id, own.body.id)
    grant(library, bob.id, 'file', id)
    assert.equal((await upload(bytes, 'skip', bob)).body.id, id)
  })

  it('is one file of two that come at once', async () => {
    const bytes = await picture(6)
    const before = inventory(library)
    const [a, b] = await Promise.all([upload(bytes, 'skip'), upload(bytes, 'skip')])
    assert.deepEqual([a!.status, b!.status].sort(), [200, 201])
    assert.equal(a!.body.id, b!.body.id)
    const [c, d] = await Promise.all([upload(bytes, 'conflict'), upload(bytes, 'conflict')])
    assert.deepEqual([c!.status, d!.status], [409, 409])
    assert.deepEqual(inventory(library), {
      ...before,
      files: before.files + 1,
      entries: before.entries + 1,
      blobs: before.blobs + 1,
      thumbnails: before.thumbnails + 1,
    })
  })

  it('is refused to somebody who lost the right to create while it came', async () => {
    const bytes = await picture(8)
    await first(bytes)
    for (const on_duplicate of ['skip', 'conflict']) {
      const cem = await library.join(`Cem ${on_duplicate}`, { is_admin: true })
      const fields = { on_duplicate }
      const { answer, end } = await beginUpload(library, cem.token, { file: bytes, fields })
      library.deps.db.run('UPDATE users SET is_admin = 0, can_create = 0 WHERE id = ?', cem.id)
      end()
      assert.equal((await answer).status, 403, on_duplicate)
    }
  })

  it('is wrong all the same with a wrong field or tag', async () => {
    const bytes = await picture(7)
    await first(bytes)
    assertError(await upload(bytes, 'merge'), 400, 'validation_error', ['on_duplicate'])
    const fields = { on_duplicate: 'skip', tag_ids: UNKNOWN }
    const tagged = await library.upload(ann.token, bytes, 'again.jpg', fields)
    assertError(tagged, 404, 'not_found')
  })
})
