import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { assertError } from '../support/files.ts'
import { type Answer, type Library, openLibrary, picture } from '../support/harness.ts'

interface Person {
  id: number
  token: string
}

const KIB = 1024
const DAY = 86_400_000
const long = (letter: string, bytes = 64 * KIB) => letter.repeat(bytes)

let library: Library
let root: Person
let ann: Person
let file: string

async function open(settings: Record<string, string> = {}) {
  library = await openLibrary(settings)
  root = await library.join('Root', { is_admin: true })
  // She may edit, and create nothing.
  ann = await library.join('Ann')
  file = (await library.upload(root.token, await picture())).body.id
  const permissions = [{ user_id: ann.id, can_edit: true }]
  const { token } = root
  await library.call('PUT', `/acl/file/${file}`, { token, body: { permissions } })
}
afterEach(() => library.close())

const patch = (body: object, { token }: Person = ann, path = `/files/${file}`) =>
  library.call('PATCH', path, { token, body })
const notes = async () => (await library.call('GET', `/files/${file}`, root)).body.notes
const undo = async (answer: Answer, person: Person) =>
  library.call('POST', `/operations/${answer.headers.get('Operation')}/undo`, person)
const sum = (sql: string) => library.deps.db.get<{ n: number }>(`SELECT coalesce(${sql}`)!.n
const inLog = () => sum('sum(octet_length(details)), 0) AS n FROM audit_log')
const beside = () => sum('sum(bytes), 0) AS n FROM audit_texts')

describe('long texts that changes replace', () => {
  beforeEach(() => open())

  it('stand beside the log, each once, and go a day later', async () => {
    const before = inLog()
    for (let n = 0; n < 40; n++) {
      assert.equal((await patch({ notes: long(n % 2 ? 'a' : 'b') })).status, 200)
    }
    assert.ok(inLog() - before < 40 * KIB)
    assert.equal(beside(), 2 * (64 * KIB + 2))
    library.time.now += 1.2 * DAY
    const { access_token: token } = await library.signIn('Ann')
    await patch({ notes: long('c') }, { ...ann, token })
    // What was replaced now is one of them, and is kept a day longer.
    assert.equal(beside(), 64 * KIB + 2)
  })

  it('come back by an undo, one by one and in bulk', async () => {
    await patch({ notes: long('a'), metadata: { a: long('m', 5000) } })
    const second = await patch({ notes: long('b'), metadata: null })
    assert.deepEqual((await undo(second, ann)).body.undone, 1)
    assert.equal(await notes(), long('a'))
    const body = { file_ids: [file], set: { notes: long('c') } }
    const bulk = await library.call('POST', '/files/bulk/update', { token: ann.token, body })
    assert.equal(await notes(), long('c'))
    const undone = await undo(bulk, ann)
    assert.equal(await notes(), long('a'))
    await undo(undone, ann)
    assert.equal(await notes(), long('c'))
  })

  it('stay as they are where somebody has changed them since, or where they are gone', async () => {
    await patch({ notes: long('a') })
    const second = await patch({ notes: long('b') })
    await patch({ notes: `${long('b', 60 * KIB)}!` })
    const changed = (await undo(second, ann)).body.kept
    assert.deepEqual(changed, [{ object_type: 'file', object_id: file, reason: 'changed' }])
    const last = await patch({ notes: 'short' })
    library.deps.db.run('DELETE FROM audit_texts')
    const gone = (await undo(last, ann)).body.kept
    assert.deepEqual(gone, [{ object_type: 'file', object_id: file, reason: 'incomplete' }])
    assert.equal(await notes(), 'short')
  })

  it('of a tag, a category and a pool come back with them', async () => {
    const fields = { name: 'long', notes: long('n', 4000), metadata: { m: long('m', 4000) } }
    for (const kind of ['tags', 'categories', 'pools']) {
      const { token } = root
      const made = await library.call('POST', `/${kind}`, { token, body: fields })
      const path = `/${kind}/${made.body.id}`
      const gone = await library.call('DELETE', path, root)
      assert.equal((await undo(gone, root)).body.undone, 1, kind)
      const back = (await library.call('GET', path, root)).body
      assert.deepEqual([back.notes, back.metadata], [fields.notes, fields.metadata])
      // What was created is as it was, and goes again.
      assert.equal((await undo(made, root)).body.undone, 1, kind)
      assert.equal((await library.call('GET', path, root)).status, 404)
    }
  })

  it('are told by their beginnings', async () => {
    await patch({ notes: long('a') })
    await patch({ notes: long('b') })
    const log = await library.call('GET', '/audit?action=file_edit&limit=1', root)
    const { notes } = log.body.items[0].details.changes
    assert.deepEqual(notes, { from: `${long('a', 200)}…`, to: `${long('b', 200)}…` })
    assert.equal(log.body.items[0].details.long, undefined)
  })

  it('are not taken from metadata that looks like one', async () => {
    await patch({ notes: long('a') })
    await patch({ notes: 'b' }, root)
    const sha256 = library.deps.db.get<{ hex: string }>(
      'SELECT lower(hex(sha256)) AS hex FROM audit_texts',
    )!.hex
    const metadata = { long: { bytes: 1, values: [[['changes', 'notes', 'from'], { sha256 }]] } }
    await patch({ metadata })
    const cleared = await patch({ metadata: null })
    await undo(cleared, ann)
    const { body } = await library.call('GET', `/files/${file}`, ann)
    assert.deepEqual([body.notes, body.metadata], ['b', metadata])
  })
})

describe('the changes of a user', () => {
  it('count what they replace in the quota', async () => {
    await open({ USER_QUOTA: '200KiB' })
    const statuses = []
    for (const letter of 'abcdef') statuses.push((await patch({ notes: long(letter) })).status)
    assert.deepEqual(statuses, [200, 200, 200, 200, 507, 507])
    assert.equal(await notes(), long('d'))
    assertError(await patch({ notes: null }), 507, 'insufficient_storage', ['file'])
    assert.equal((await patch({ is_public: true })).status, 200)
    assert.equal((await library.call('DELETE', `/files/${file}`, ann)).status, 204)
  })

  it('write so many bytes a day, and then no more until the next', async () => {
    await open({ USER_CHANGES: '200KiB' })
    const statuses = []
    for (const letter of 'abcdef') statuses.push((await patch({ notes: long(letter) })).status)
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429])
    assert.equal(await notes(), long('d'))
    const refused = await patch({ notes: 'short' })
    assertError(refused, 429, 'rate_limited')
    assert.match(refused.body.message, /204800 bytes of former states a day/)
    assert.ok(Number(refused.headers.get('Retry-After')) <= 86_400)
    assert.equal((await patch({ notes: long('r') }, root)).status, 200)
    assert.equal((await library.call('DELETE', `/files/${file}`, ann)).status, 204)
    library.time.now += DAY
    const { access_token: token } = await library.signIn('Ann')
    assert.equal((await patch({ notes: 'short' }, { ...ann, token })).status, 200)
  })

  it('may write any amount when nothing is set', async () => {
    await open({ USER_CHANGES: '0' })
    for (const letter of 'abcdef') assert.equal((await patch({ notes: long(letter) })).status, 200)
  })
})
