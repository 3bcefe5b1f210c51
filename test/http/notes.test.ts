import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

/** Bytes. */
const OF_FILES = 65_536
const OF_OTHERS = 4096
/** Two bytes each as UTF-8. */
const full = (limit: number) => 'é'.repeat(limit / 2)

describe('notes', () => {
  let library: Library
  let ann: { token: string }
  before(async () => {
    library = await openLibrary()
    ann = await library.join('Ann', { can_create: true })
  })
  after(() => library.close())

  const write = (method: string, path: string, body: object) =>
    library.call(method, path, { ...ann, body })

  for (const kind of ['tags', 'categories', 'pools'] as const) {
    it(`of ${kind} have at most 4 KiB, counted as they are stored`, async () => {
      const FULL = full(OF_OTHERS)
      const made = await write('POST', `/${kind}`, { name: 'Full', notes: FULL })
      assert.equal(made.status, 201)
      assert.equal(made.body.notes, FULL)
      const more = await write('POST', `/${kind}`, { name: 'More', notes: `${FULL}x` })
      assertError(more, 400, 'validation_error', ['notes'])

      const path = `/${kind}/${made.body.id}`
      assertError(await write('PATCH', path, { notes: `${FULL}x` }), 400, 'validation_error', [
        'notes',
      ])
      // Decomposed and with CR LF it is longer than what is kept of it.
      const long = `${'e\u0301'.repeat(OF_OTHERS / 2 - 1)}\r\n\n`
      const kept = await write('PATCH', path, { notes: long })
      assert.equal(kept.body.notes, `${'é'.repeat(OF_OTHERS / 2 - 1)}\n\n`)
      assert.equal((await write('PATCH', path, { notes: null })).body.notes, null)
    })
  }

  it('of files at most 64 KiB, at upload and after', async () => {
    const bytes = await picture()
    const FULL = full(OF_FILES)
    const made = await library.upload(ann.token, bytes, 'a.jpg', { notes: FULL })
    assert.equal(made.status, 201)
    assert.equal(made.body.notes, FULL)
    const more = { notes: `${FULL}x` }
    const refused = await library.upload(ann.token, bytes, 'b.jpg', more)
    assertError(refused, 400, 'validation_error', ['notes'])
    const patched = await write('PATCH', `/files/${made.body.id}`, more)
    assertError(patched, 400, 'validation_error', ['notes'])
    assert.equal((await library.call('GET', '/files', ann)).body.items.length, 1)
  })

  it('have their bound in the description of the API', async () => {
    const document = await (await library.request('/api/v1/openapi.json')).json()
    const { TagCreate, TagUpdate, CategoryCreate, PoolUpdate, FileUpdate } = (
      document as { components: { schemas: Record<string, { properties: { notes: object } }> } }
    ).components.schemas
    for (const schema of [TagCreate, TagUpdate, CategoryCreate, PoolUpdate]) {
      assert.match(JSON.stringify(schema!.properties.notes), /"maxLength":4096/)
    }
    assert.match(JSON.stringify(FileUpdate!.properties.notes), /"maxLength":65536/)
  })
})
