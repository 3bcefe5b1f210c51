import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { knownContents } from '../../src/files/known/known.ts'
import { assertError, grant } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { sha256 } from '../support/imports.ts'

let library: Library
let ann: { id: number; token: string }
let bob: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob')
})
after(() => library.close())

const ask = (digests: unknown, { token } = ann) =>
  library.call('POST', '/files/known', { token, body: { sha256: digests } })
const known = async (digests: string[], as = ann) => {
  const { status, body, text } = await ask(digests, as)
  assert.equal(status, 200, text)
  return body.known
}
const upload = async (bytes: Uint8Array): Promise<string> =>
  (await library.upload(ann.token, bytes)).body.id
const trash = (id: string) => library.call('DELETE', `/files/${id}`, ann)
const ABSENT = '0'.repeat(64)

describe('known contents', () => {
  it('are told in the order asked, each once, with the files that have them', async () => {
    const [first, second] = [await picture(1), await picture(2)]
    const ids = [await upload(first), await upload(second), await upload(first)]
    const [a, b] = [sha256(first), sha256(second)]
    assert.deepEqual(await known([b, ABSENT, a.toUpperCase(), b, a]), [
      { sha256: b, file_ids: [ids[1]], in_trash: false },
      { sha256: a, file_ids: [ids[0], ids[2]], in_trash: false },
    ])
    assert.deepEqual(await known([]), [])
  })

  it('have those in the trash last, and say when nothing else is left', async () => {
    const bytes = await picture(3)
    const ids = [await upload(bytes), await upload(bytes)]
    const digest = sha256(bytes)
    await trash(ids[0]!)
    const [old, young] = ids
    assert.deepEqual(await known([digest]), [
      { sha256: digest, file_ids: [young, old], in_trash: false },
    ])
    await trash(young!)
    assert.deepEqual(await known([digest]), [{ sha256: digest, file_ids: ids, in_trash: true }])
    for (const id of ids) await library.call('DELETE', `/files/${id}/permanent`, ann)
    assert.deepEqual(await known([digest]), [])
  })

  it('are as absent to who may view none of their files', async () => {
    const bytes = await picture(4)
    const [hidden, seen] = [await upload(bytes), await upload(bytes)]
    const digest = sha256(bytes)
    assert.equal((await ask([digest], bob)).text, (await ask([ABSENT], bob)).text)
    grant(library, bob.id, 'file', seen)
    assert.deepEqual(await known([digest], bob), [
      { sha256: digest, file_ids: [seen], in_trash: false },
    ])
    await trash(seen)
    assert.deepEqual(await known([digest], bob), [
      { sha256: digest, file_ids: [seen], in_trash: true },
    ])
    assert.deepEqual((await known([digest]))[0].file_ids, [hidden, seen])
  })

  it('name ten files at most', async () => {
    const bytes = await picture(5)
    const ids: string[] = []
    for (let n = 0; n < 12; n++) ids.push(await upload(bytes))
    await trash(ids[0]!)
    assert.deepEqual((await known([sha256(bytes)]))[0].file_ids, ids.slice(1, 11))
    for (const id of ids.slice(1, 6)) await trash(id)
    assert.deepEqual((await known([sha256(bytes)]))[0].file_ids, [
      ...ids.slice(6),
      ...ids.slice(0, 4),
    ])
  })

  it('follow a content that is replaced', async () => {
    const [before, after] = [await picture(6), await picture(7)]
    const id = await upload(before)
    const body = new FormData()
    body.set('file', new Blob([Uint8Array.from(after)]), 'after.jpg')
    await library.call('PUT', `/files/${id}/content`, { token: ann.token, body })
    assert.deepEqual(await known([sha256(before), sha256(after)]), [
      { sha256: sha256(after), file_ids: [id], in_trash: false },
    ])
  })

  it('are looked for in turns with other requests', async () => {
    const { db } = library.deps
    const viewer = { id: ann.id, name: 'Ann', is_admin: false, can_create: true }
    // So many take longer than a turn on any machine.
    const digests = Array.from({ length: 50_000 }, (_, n) => n.toString(16).padStart(64, '0'))
    const others: string[] = []
    const other = setImmediate().then(() => others.push('other'))
    await knownContents(db, viewer, digests)
    others.push('contents')
    await other
    assert.deepEqual(others, ['other', 'contents'])
  })

  it('are asked for by at most 1,000 digests, each of 64 hex digits', async () => {
    const digests = (count: number) =>
      Array.from({ length: count }, (_, n) => n.toString(16).padStart(64, '0'))
    assert.deepEqual(await known(digests(1000)), [])
    assertError(await ask(digests(1001)), 400, 'validation_error', ['sha256'])
    assertError(await ask(undefined), 400, 'validation_error', ['sha256'])
    for (const wrong of [ABSENT.slice(1), `${ABSENT}0`, `${ABSENT.slice(1)}g`, 1, null]) {
      assertError(await ask([ABSENT, wrong]), 400, 'validation_error', ['sha256.1'])
    }
  })
})
