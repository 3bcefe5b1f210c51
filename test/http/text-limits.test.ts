import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

const marks = (count: number) => '\u0301'.repeat(count)
/** Their names and notes, and what they are made with. */
const KINDS = ['tags', 'categories', 'pools'] as const
/** A JSON object of exactly so many bytes. */
const objectOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })

let library: Library
let ann: { id: number; token: string }
let file: string
before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann', { is_admin: true })
  file = (await library.upload(ann.token, await picture())).body.id
})
after(() => library.close())

const send = (method: string, path: string, body?: object) =>
  library.call(method, path, { token: ann.token, body })

describe('names and notes', () => {
  it('have at most 30 marks in a row', async () => {
    for (const kind of KINDS) {
      const made = await send('POST', `/${kind}`, { name: `q${marks(30)}`, notes: `q${marks(30)}` })
      assert.equal(made.status, 201)
      const path = `/${kind}/${made.body.id}`
      for (const text of [`q${marks(31)}`, `q${marks(500_000)}`, `a${'\u0344'.repeat(30)}`]) {
        for (const field of ['name', 'notes']) {
          const body = { name: 'new', [field]: text }
          assertError(await send('POST', `/${kind}`, body), 400, 'validation_error', [field])
          const patch = await send('PATCH', path, { [field]: text })
          assertError(patch, 400, 'validation_error', [field])
        }
      }
    }
    for (const field of ['original_name', 'notes']) {
      assert.equal(
        (await send('PATCH', `/files/${file}`, { [field]: `q${marks(30)}` })).status,
        200,
      )
      const more = await send('PATCH', `/files/${file}`, { [field]: `q${marks(31)}` })
      assertError(more, 400, 'validation_error', [field])
    }
    const user = (body: object) => send('POST', '/users', { name: 'n', password: 'p', ...body })
    assertError(await user({ name: `q${marks(31)}` }), 400, 'validation_error', ['name'])
    assertError(await user({ password: marks(31) }), 400, 'validation_error', ['password'])
    const self = await send('PATCH', '/users/me', { name: `q${marks(31)}` })
    assertError(self, 400, 'validation_error', ['name'])
    const upload = await library.upload(ann.token, await picture(), 'a.jpg', { notes: marks(31) })
    assertError(upload, 400, 'validation_error', ['notes'])
  })

  it('are counted as they are stored, below a bound on what is sent', async () => {
    // Four code points of Greek, and three of Hangul, make one.
    const name = async (sent: string) => send('POST', '/pools', { name: sent })
    const greek = await name('\u03b1\u0313\u0300\u0345'.repeat(256))
    assert.equal(greek.body.name, '\u1f82'.repeat(256))
    const hangul = await name('\u1112\u1161\u11ab'.repeat(256))
    assert.equal(hangul.body.name, '한'.repeat(256))
    const pairs = await name('👍'.repeat(256))
    assert.equal(pairs.body.name, '👍'.repeat(256))
    // A letter that has two code points as NFC.
    assert.equal((await name('\u0958'.repeat(128))).body.name, '\u0915\u093c'.repeat(128))
    assertError(await name('\u0958'.repeat(129)), 400, 'validation_error', ['name'])
    assertError(await name('👍'.repeat(257)), 400, 'validation_error', ['name'])
    assert.equal((await name(`x${' '.repeat(2047)}`)).body.name, 'x')
    assertError(await name(`x${' '.repeat(2048)}`), 400, 'validation_error', ['name'])
    assertError(await name('\ud83d'), 400, 'validation_error', ['name'])
  })

  it('may stay as they were stored before marks were counted', async () => {
    const stored = `q${marks(100)}`
    const { db } = library.deps
    for (const kind of KINDS) {
      const { id } = (await send('POST', `/${kind}`, { name: 'older' })).body
      db.run(`UPDATE ${kind} SET name = ?, notes = ? WHERE name = 'older'`, stored, stored)
      const shown = (await send('GET', `/${kind}/${id}`)).body
      const kept = await send('PATCH', `/${kind}/${id}`, { ...shown, is_public: true })
      assert.deepEqual(kept.body, { ...shown, is_public: true })
      for (const field of ['name', 'notes']) {
        const other = await send('PATCH', `/${kind}/${id}`, { ...shown, [field]: `${stored}x` })
        assertError(other, 400, 'validation_error', [field])
      }
      assert.equal(
        (await send('PATCH', `/${kind}/${id}`, { name: 'newer', notes: null })).status,
        200,
      )
    }
    db.run('UPDATE files SET original_name = ?', stored)
    db.run('UPDATE file_details SET notes = ?', stored)
    const shown = (await send('GET', `/files/${file}`)).body
    assert.equal(shown.original_name, stored)
    const kept = await send('PATCH', `/files/${file}`, { ...shown, is_public: true })
    assert.deepEqual([kept.status, kept.body.notes], [200, stored])
    const cid = await library.addUser('Cid')
    const { access_token: token } = await library.signIn('Cid')
    const name = `q${marks(31)}`
    db.run('UPDATE users SET name = ? WHERE id = ?', name, cid)
    const self = await library.call('PATCH', '/users/me', { token, body: { name } })
    assert.deepEqual([self.status, self.body.name], [200, name])
  })
})

describe('a search or filter', () => {
  it('has at most 30 marks in a row', async () => {
    const ask = (path: string, query: Record<string, string>) =>
      send('GET', `${path}?${new URLSearchParams(query)}`)
    for (const path of ['/files', '/tags', '/categories', '/pools']) {
      assert.equal((await ask(path, { search: `q${marks(30)}` })).status, 200)
      const refused = await ask(path, { search: `q${marks(31)}` })
      assertError(refused, 400, 'validation_error', ['search'])
      // Its lower case has a mark more.
      assert.equal((await ask(path, { search: `İ${marks(30)}`.repeat(99) })).status, 200)
      const tooLong = await ask(path, { search: 'x'.repeat(16_385) })
      assertError(tooLong, 400, 'validation_error', ['search'])
    }
    const pool = (await send('POST', '/pools', { name: 'filtered' })).body.id
    for (const path of ['/files', `/pools/${pool}/files`]) {
      assert.equal((await ask(path, { filter: `{m~q${marks(30)}}` })).status, 200)
      const refused = await ask(path, { filter: `{m~q${marks(31)}}` })
      assertError(refused, 400, 'validation_error', ['filter'])
    }
  })
})

describe('metadata', () => {
  it('of tags, categories and pools has at most 4 KiB, or what is stored', async () => {
    const { db } = library.deps
    for (const kind of KINDS) {
      const body = (bytes: number) => ({ name: 'full', metadata: objectOf(bytes) })
      assertError(await send('POST', `/${kind}`, body(4097)), 400, 'validation_error', ['metadata'])
      const made = await send('POST', `/${kind}`, body(4096))
      assert.equal(made.status, 201)
      const path = `/${kind}/${made.body.id}`
      const more = await send('PATCH', path, { metadata: objectOf(4097) })
      assertError(more, 400, 'validation_error', ['metadata'])

      const stored = { b: marks(100), ...objectOf(60_000) }
      const notes = 'é'.repeat(32_768)
      const text = JSON.stringify(stored)
      db.run(`UPDATE ${kind} SET metadata = ?, notes = ? WHERE name = 'full'`, text, notes)
      const shown = (await send('GET', path)).body
      const kept = await send('PATCH', path, { ...shown, name: 'fuller' })
      assert.deepEqual([kept.status, kept.body.metadata, kept.body.notes], [200, stored, notes])
      const other = await send('PATCH', path, { metadata: { ...stored, c: 1 }, notes: `${notes} ` })
      assertError(other, 400, 'validation_error', ['notes'])
      const both = await send('PATCH', path, {
        metadata: { ...stored, c: 1 },
        notes: notes.slice(1),
      })
      assertError(both, 400, 'validation_error', ['notes', 'metadata'])
      assert.equal((await send('PATCH', path, { metadata: null, notes: null })).status, 200)
    }
  })

  it('of files has at most 64 KiB, and its limit is in the description', async () => {
    const patch = (bytes: number) => send('PATCH', `/files/${file}`, { metadata: objectOf(bytes) })
    assert.equal((await patch(65_536)).status, 200)
    assertError(await patch(65_537), 400, 'validation_error', ['metadata'])
    const document = await (await library.request('/api/v1/openapi.json')).json()
    const { TagCreate, PoolUpdate, FileUpdate } = (
      document as { components: { schemas: Record<string, { properties: { metadata: object } }> } }
    ).components.schemas
    assert.match(JSON.stringify(TagCreate!.properties.metadata), /4 KiB/)
    assert.match(JSON.stringify(PoolUpdate!.properties.metadata), /4 KiB.*unchanged/)
    assert.match(JSON.stringify(FileUpdate!.properties.metadata), /64 KiB/)
  })
})

describe('a password', () => {
  it('has at most 1,024 bytes as it is sent', async () => {
    const create = (name: string, password: string) => send('POST', '/users', { name, password })
    assert.equal((await create('Dan', '👍'.repeat(256))).status, 201)
    assert.equal((await library.login('Dan', '👍'.repeat(256))).status, 200)
    // Three code points each that are one when they are composed: of 4 and 5 bytes.
    const refused = await create('Eve', 'e\u0323\u0302'.repeat(205))
    assertError(refused, 400, 'validation_error', ['password'])
    assert.equal((await create('Eve', 'e\u0323\u0302'.repeat(204))).status, 201)
    assert.equal((await library.login('Eve', 'ệ'.repeat(204))).status, 200)
  })
})
