import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { fileSeed, idAt, insertFiles, writeContent } from '../../support/file-rows.ts'
import { assertError } from '../../support/files.ts'
import { type Library, openLibrary } from '../../support/harness.ts'

interface Person {
  id: number
  token: string
}

const FILE = idAt(1.7e12, 1)

let library: Library
let root: Person
let ann: Person
beforeEach(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann')
  const bytes = Buffer.alloc(1000)
  writeContent(library, FILE, bytes)
  insertFiles(library.deps.db, [fileSeed(FILE, { isPublic: true, size: bytes.length })])
})
afterEach(() => library.close())

const tokenOf = async ({ token }: Person): Promise<string> =>
  (await library.call('POST', '/files/archive', { token, body: { file_ids: [FILE] } })).body.token
const contentTokenOf = async (person: Person): Promise<string> =>
  (await library.call('POST', `/files/${FILE}/content-token`, person)).body.token
const archive = (token: string) => library.call('GET', `/files/archive?access_token=${token}`)
const content = (token: string) =>
  library.call('GET', `/files/${FILE}/content?access_token=${token}`)
const block = async (is_blocked: boolean) => {
  const body = { is_blocked }
  const answer = await library.call('PATCH', `/users/${ann.id}`, { token: root.token, body })
  assert.equal(answer.status, 200)
}

describe('the token of an archive', () => {
  it('ends when its user is blocked, and stays ended after that', async () => {
    const [token, forContent] = [await tokenOf(ann), await contentTokenOf(ann)]
    await block(true)
    assertError(await archive(token), 401, 'unauthorized')
    assertError(await content(forContent), 401, 'unauthorized')
    await block(false)
    assertError(await archive(token), 401, 'unauthorized')
    // That of a file is good until it expires.
    assert.equal((await content(forContent)).status, 200)
    const { access_token } = await library.signIn('Ann')
    assert.equal((await archive(await tokenOf({ ...ann, token: access_token }))).status, 200)
  })

  it('ends with a password that its user sets', async () => {
    const [token, forContent, others] = [
      await tokenOf(ann),
      await contentTokenOf(ann),
      await tokenOf(root),
    ]
    const body = { password: 'another one of hers' }
    assert.equal((await library.call('PATCH', '/users/me', { token: ann.token, body })).status, 200)
    assertError(await archive(token), 401, 'unauthorized')
    assert.equal((await content(forContent)).status, 200)
    assert.equal((await archive(others)).status, 200)
    // The session that has set it goes on.
    assert.equal((await archive(await tokenOf(ann))).status, 200)
  })

  it('ends with a password that an admin gives its user', async () => {
    const token = await tokenOf(ann)
    assert.equal((await library.call('POST', `/users/${ann.id}/password`, root)).status, 200)
    assertError(await archive(token), 401, 'unauthorized')
  })

  it('stays when only the name or the rights of its user change', async () => {
    const token = await tokenOf(ann)
    await library.call('PATCH', '/users/me', { token: ann.token, body: { name: 'Anna' } })
    const body = { can_create: true }
    await library.call('PATCH', `/users/${ann.id}`, { token: root.token, body })
    assert.equal((await archive(token)).status, 200)
  })
})
