import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { fileSeed, idAt, insertFiles, writeContent } from '../../support/file-rows.ts'
import { assertError } from '../../support/files.ts'
import { type Answer, type Library, openLibrary } from '../../support/harness.ts'

interface Person {
  id: number
  token: string
}

const FILE = idAt(1.7e12, 1)
const LARGE = 100_000_000_000
const MINUTE = 60_000

let library: Library
let ann: Person
beforeEach(async () => {
  library = await openLibrary()
  ann = await library.join('Ann')
  const bytes = Buffer.alloc(2_000_000)
  writeContent(library, FILE, bytes)
  insertFiles(library.deps.db, [fileSeed(FILE, { isPublic: true, size: bytes.length })])
})
afterEach(() => library.close())

const ask = (person: Person, body: object = { file_ids: [FILE] }) =>
  library.call('POST', '/files/archive', { token: person.token, body })
const tokenOf = async (person: Person): Promise<string> => (await ask(person)).body.token
const path = (token: string) => `/files/archive?access_token=${token}`
const open = (token: string) => library.fetchRaw('GET', path(token))

/** Begins a download and returns how its client leaves it. */
async function begin(person: Person): Promise<() => Promise<void>> {
  const response = await open(await tokenOf(person))
  assert.equal(response.status, 200)
  return () => response.body!.cancel()
}

async function refused(token: string): Promise<Answer> {
  return library.call('GET', path(token))
}

describe('asking for an archive', () => {
  it('names files in one way', async () => {
    const all = { file_ids: [FILE], pool_id: FILE, filter: '{}' }
    const { file_ids, pool_id, filter } = all
    for (const body of [{}, { file_ids, pool_id }, { pool_id, filter }, { file_ids, search: '' }]) {
      assertError(await ask(ann, body), 400, 'validation_error', ['file_ids'])
    }
    const wrong = { filter: '{t=', from: 'yesterday', search: 7, to: null, file_ids: 'all' }
    for (const [field, value] of Object.entries(wrong)) {
      assertError(await ask(ann, { [field]: value }), 400, 'validation_error', [field])
    }
    assert.equal((await ask(ann, { filter: '{}' })).body.files, 1)
  })

  it('is for at most 100,000 files', async () => {
    const { db } = library.deps
    const more = (from: number, count: number) =>
      insertFiles(
        db,
        Array.from({ length: count }, (_, n) =>
          fileSeed(idAt(1.7e12, from + n), { owner: root.id }),
        ),
      )
    const root = await library.join('Root', { is_admin: true })
    more(2, 99_999)
    const most = await ask(root, { filter: '' })
    assert.deepEqual([most.body.files, most.body.bytes], [100_000, 2_099_999])
    more(100_001, 1)
    const refusal = await ask(root, { filter: '' })
    assertError(refusal, 400, 'validation_error', ['filter'])
    assert.match(refusal.body.message, /100001 files and 2100000 bytes$/)
    assert.equal((await ask(ann, { filter: '' })).body.files, 1)
  })

  it('is for at most 200 GB', async () => {
    const sizes = [LARGE, LARGE, 1].map((size, n) =>
      fileSeed(idAt(1.7e12, n + 2), { size, owner: ann.id }),
    )
    insertFiles(library.deps.db, sizes)
    const file_ids = sizes.map((file) => file.id)
    assert.equal((await ask(ann, { file_ids: file_ids.slice(0, 2) })).body.bytes, 2 * LARGE)
    const refusal = await ask(ann, { file_ids })
    assertError(refusal, 400, 'validation_error', ['file_ids'])
    assert.match(refusal.body.message, /is 3 files and 200000000001 bytes$/)
  })

  it('takes more files by their ids than other requests', async () => {
    const unknown = Array.from({ length: 20_000 }, (_, n) => idAt(1, n))
    assert.equal((await ask(ann, { file_ids: [...unknown, FILE] })).body.files, 1)
  })
})

describe('the token of an archive', () => {
  it('is for one download, of this archive alone', async () => {
    const token = await tokenOf(ann)
    for (const wrong of ['', 'x', `${token}x`, ann.token, await contentToken()]) {
      assertError(await refused(wrong), 401, 'unauthorized')
    }
    assertError(await library.call('GET', '/files/archive', ann), 401, 'unauthorized')
    assert.equal((await library.call('HEAD', path(token))).status, 401)
    const others = [`/files/${FILE}/content`, '/files', '/files/archive/x', `/files/${FILE}`]
    for (const other of others) {
      const answer = await library.call('GET', `${other}?access_token=${token}`)
      assert.ok([401, 404].includes(answer.status), other)
    }
    assertError(await library.call('GET', '/files', { token }), 401, 'unauthorized')
    assertError(await library.call('POST', path(token), { body: {} }), 401, 'unauthorized')

    const first = await open(token)
    assert.equal(first.status, 200)
    await first.body!.cancel()
    assertError(await refused(token), 404, 'not_found')
    assert.ok(!JSON.stringify(library.logged).includes(token))
  })

  it('is good for ten minutes, and not after a restart', async () => {
    const [token, late] = [await tokenOf(ann), await tokenOf(ann)]
    library.time.now += 10 * MINUTE - 1
    await (await open(token)).body!.cancel()
    library.time.now += 1
    assertError(await refused(late), 404, 'not_found')
    const lost = await tokenOf({ ...ann, token: (await library.signIn('Ann')).access_token })
    await library.restart()
    assertError(await refused(lost), 404, 'not_found')
  })

  it('outlives the session in which it was asked for', async () => {
    const token = await tokenOf(ann)
    await library.call('POST', '/auth/logout', ann)
    assert.equal((await open(token)).status, 200)
  })

  async function contentToken(): Promise<string> {
    return (await library.call('POST', `/files/${FILE}/content-token`, ann)).body.token
  }
})

describe('archives that were asked for', () => {
  const states = async (tokens: string[]) => {
    const found: number[] = []
    for (const token of tokens) {
      const response = await open(token)
      found.push(response.status)
      await response.body!.cancel()
    }
    return found
  }

  it('are three of a user, of which the oldest is forgotten', async () => {
    const tokens: string[] = []
    for (let n = 0; n < 4; n++) tokens.push(await tokenOf(ann))
    assert.deepEqual(await states(tokens), [404, 200, 200, 200])
  })

  it('are twenty in all, of which the oldest is forgotten', async () => {
    const tokens: string[] = [await tokenOf(ann)]
    for (let n = 0; n < 10; n++) {
      const person = await library.join(`Person ${n}`)
      tokens.push(await tokenOf(person), await tokenOf(person))
    }
    assert.deepEqual(await states(tokens), [404, ...Array.from({ length: 20 }, () => 200)])
  })
})

describe('downloads of archives', () => {
  it('are two of a user at once, and begin again when one has ended', async () => {
    const leave = [await begin(ann), await begin(ann)]
    const token = await tokenOf(ann)
    const refusal = await refused(token)
    assertError(refusal, 429, 'rate_limited')
    assert.equal(refusal.headers.get('Retry-After'), '60')
    await leave[0]!()
    const next = await open(token)
    assert.equal(next.status, 200)
    await leave[1]!()
    assert.equal((await next.arrayBuffer()).byteLength, Number(next.headers.get('Content-Length')))
    await begin(ann)
    await begin(ann)
    assertError(await refused(await tokenOf(ann)), 429, 'rate_limited')
  })

  it('are ten in all', async () => {
    const leave: (() => Promise<void>)[] = []
    for (let n = 0; n < 10; n++) leave.push(await begin(await library.join(`Person ${n}`)))
    const token = await tokenOf(ann)
    assertError(await refused(token), 429, 'rate_limited')
    await leave[3]!()
    assert.equal((await open(token)).status, 200)
  })
})
