import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError, inventory } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
/** Bytes that an answer to a wrong body may have. */
const ANSWER = 4096

let library: Library
let token: string
let pool: string
before(async () => {
  library = await openLibrary()
  token = (await library.join('Ann', { is_admin: true })).token
  pool = (await send('POST', '/pools', { name: 'Summer' })).body.id
})
after(() => library.close())

const send = (method: string, path: string, body: unknown) =>
  library.call(method, path, { token, body })

/** Every list in a body: its operation, its field, and the body's other fields. */
const lists = (): [method: string, path: string, field: string, rest: object][] => [
  ['POST', '/files/bulk/tags', 'file_ids', { action: 'add', tag_ids: [] }],
  ['POST', '/files/bulk/tags', 'tag_ids', { action: 'add', file_ids: [] }],
  ['POST', '/files/bulk/common-tags', 'file_ids', {}],
  ['POST', '/files/bulk/review', 'file_ids', { needs_review: true }],
  ['POST', '/files/bulk/favourite', 'file_ids', { is_favourite: true }],
  ['POST', '/files/bulk/delete', 'file_ids', {}],
  ['POST', '/files/bulk/update', 'file_ids', { set: { notes: 'a note' } }],
  ['POST', '/files/bulk/restore', 'file_ids', {}],
  ['POST', '/files/bulk/permanent', 'file_ids', {}],
  ['POST', '/files/bulk/share', 'file_ids', { is_public: true }],
  ['POST', '/files/bulk/share', 'add', { file_ids: [] }],
  ['POST', '/files/bulk/share', 'remove', { file_ids: [] }],
  ['POST', '/files/reach', 'file_ids', { user_ids: [] }],
  ['POST', '/files/reach', 'user_ids', { file_ids: [] }],
  ['POST', '/files/archive', 'file_ids', {}],
  ['POST', '/shares', 'file_ids', {}],
  ['POST', '/shares/reach', 'file_ids', {}],
  ['POST', '/files/known', 'sha256', {}],
  ['POST', '/files/import', 'leave_out', {}],
  ['POST', '/files/duplicates/proposals/settle', 'items', {}],
  ['PUT', `/files/${UNKNOWN}/tags`, 'tag_ids', {}],
  ['POST', `/pools/${pool}/files`, 'file_ids', {}],
  ['POST', `/pools/${pool}/files/remove`, 'file_ids', {}],
  ['PUT', `/pools/${pool}/files/reorder`, 'file_ids', {}],
  ['PUT', `/acl/pool/${pool}`, 'permissions', {}],
]

describe('a list in a body', () => {
  it('is known to this test wherever the document has one', async () => {
    const { paths, components } = (await (
      await library.request('/api/v1/openapi.json')
    ).json()) as {
      paths: Record<string, Record<string, { requestBody?: object }>>
      components: { schemas: Record<string, object> }
    }
    const withList = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]) => {
        const [, name] = /application\/json.*schemas\/(\w+)/.exec(JSON.stringify(requestBody)) ?? []
        const schema = JSON.stringify(components.schemas[name ?? '']) ?? ''
        return schema.includes('"type":"array"') ? [`${method.toUpperCase()} ${path}`] : []
      }),
    )
    const known = lists().map(([method, path]) =>
      `${method} /api/v1${path}`
        .replace(UNKNOWN, '{file_id}')
        .replace(`pool/${pool}`, '{object_type}/{object_id}')
        .replace(pool, '{pool_id}'),
    )
    assert.deepEqual(withList.sort(), [...new Set(known)].sort())
  })

  const wrong: Record<string, string> = {
    '250,000 numbers': `[${'1,'.repeat(249_999)}1]`,
    '250,000 different numbers': `[${Array.from({ length: 140_000 }, (_, n) => n).join()}]`,
    '300,000 objects': `[${'{},'.repeat(299_999)}{}]`,
    '1,000 wrong ids': `[${'"\\u0301",'.repeat(999)}"x"]`,
    '10,000 wrong ids': `[${Array.from({ length: 10_000 }, (_, n) => `"${n}"`).join()}]`,
    'one long id': `["${'x'.repeat(1_000_000)}"]`,
    'objects with a long key': `[{"${'k'.repeat(1_000_000)}":1}]`,
  }
  for (const [what, list] of Object.entries(wrong)) {
    it(`of ${what} is refused in a short answer`, async () => {
      for (const [method, path, field, rest] of lists()) {
        const body = `${JSON.stringify(rest).slice(0, -1)}${Object.keys(rest).length > 0 ? ',' : ''}"${field}":${list}}`
        const answer = await send(method, path, body)
        assert.deepEqual([answer.status, answer.body.code], [400, 'validation_error'], path)
        assert.ok(answer.text.length < ANSWER, `${path}: ${answer.text.length} bytes`)
      }
    })
  }

  it('may repeat an id in any case beyond its limit, where repeated ids count once', async () => {
    const ids = Array.from({ length: 12_000 }, (_, n) =>
      n % 2 === 0 ? UNKNOWN.replace('7', 'A') : UNKNOWN.replace('7', 'a'),
    )
    assert.equal((await send('POST', '/files/bulk/delete', { file_ids: ids })).status, 204)
    const reorder = await send('PUT', `/pools/${pool}/files/reorder`, { file_ids: ids })
    assertError(reorder, 400, 'validation_error', ['file_ids'])
  })
})

describe('details', () => {
  const remove = (count: number) =>
    send('POST', '/files/bulk/delete', {
      file_ids: Array.from({ length: count }, (_, n) => `${n}`),
    })
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `file_ids.${n}`)

  it('name the first 20 fields and count the rest', async () => {
    assertError(await remove(20), 400, 'validation_error', fields(20))
    const more = await remove(23)
    assertError(more, 400, 'validation_error', [...fields(20), ''])
    assert.equal(more.body.details.at(-1).message, 'and 3 more')
    assert.equal(more.body.message, 'The request is not valid')
  })

  it('with a single one are in the message too', async () => {
    const { message } = (await remove(1)).body
    assert.equal(message, 'file_ids.0: must be a UUID')
    const filter = await library.call('GET', '/files?filter=x', { token })
    assert.equal(filter.body.message, `filter: ${filter.body.details[0].message}`)
    const unknown = await send('PUT', `/acl/pool/${pool}`, { permissions: [{ user_id: 99 }] })
    assert.match(unknown.body.message, /^permissions\.0\.user_id: .*no user 99$/)
  })

  it('say what is required, where nothing was given', async () => {
    const details = async (path: string, body: object) =>
      (await send('POST', path, body)).body.details
    assert.deepEqual(await details('/tags', {}), [{ field: 'name', message: 'is required' }])
    assert.deepEqual(await details('/files/bulk/tags', { file_ids: [] }), [
      { field: 'action', message: 'is required' },
      { field: 'tag_ids', message: 'is required' },
    ])
    const [{ field, message }] = await details('/tags', { name: 1 })
    assert.equal(field, 'name')
    assert.notEqual(message, 'is required')
  })

  it('of what only stored data can tell are as few', async () => {
    const permissions = Array.from({ length: 1000 }, (_, n) => ({ user_id: 1000 + n }))
    const answer = await send('PUT', `/acl/pool/${pool}`, { permissions })
    assert.equal(answer.body.details.length, 21)
    assert.equal(answer.body.details.at(-1).message, 'and 980 more')
    assert.ok(answer.text.length < ANSWER)
  })

  it('cut the name of a part of a form', async () => {
    const before = inventory(library)
    const form = new FormData()
    form.set('\u0301'.repeat(3000), new Blob([await picture()]), 'a.jpg')
    const answer = await library.call('POST', '/files', { token, body: form })
    assertError(answer, 400, 'validation_error', ['\u0301'.repeat(100)])
    assert.deepEqual(inventory(library), before)
  })
})

describe('the depth of a body', () => {
  const tags = async (body: string) => (await send('POST', '/tags', body)).body
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

  it('is at most 32 levels, whatever stands in its texts', async () => {
    const text = JSON.stringify(`${nested(40)}\\"${'{'.repeat(40)}\\`)
    const deep = await tags(`{"name":${text},"metadata":{"${'['.repeat(40)}":${nested(30)}}}`)
    assert.equal(deep.name, JSON.parse(text))
    assert.deepEqual(Object.keys(deep.metadata), ['['.repeat(40)])
    const wide = await tags(`{"name":"wide","metadata":{"a":[${`${nested(29)},`.repeat(20)}1]}}`)
    assert.equal(wide.name, 'wide')
    const tooDeep = await tags(`{"name":"deep","metadata":{"a":${nested(31)}}}`)
    assert.deepEqual(tooDeep.details, [
      { field: 'body', message: 'must not be nested deeper than 32 levels' },
    ])
  })

  const hostile: Record<string, string> = {
    'a million lists that never end': '['.repeat(2 ** 20),
    'a list in a list, half a million times': `{"name":${nested(2 ** 19 - 10)}}`,
    'objects that never end': '{"a":'.repeat(200_000),
    'objects in objects': `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`,
    'a text that never ends': `{"name":"${'\\"'.repeat(500_000)}`,
    'closing braces': '}'.repeat(2 ** 20),
    'a million empty lists without a name': `{"x":[${'[],'.repeat(300_000)}[]]}`,
  }
  for (const [what, body] of Object.entries(hostile)) {
    it(`is judged of ${what}`, async () => {
      const answer = await send('POST', '/tags', body)
      assert.deepEqual([answer.status, answer.body.code], [400, 'validation_error'])
      assert.ok(answer.text.length < ANSWER)
    })
  }

  it('holds for metadata in a form', async () => {
    const metadata = `{"a":${nested(32)}}`
    const answer = await library.upload(token, await picture(), 'a.jpg', { metadata })
    assertError(answer, 400, 'validation_error', ['metadata'])
  })
})
