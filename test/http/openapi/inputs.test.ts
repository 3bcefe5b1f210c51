import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Json } from '../../../src/http/openapi/json-schema.ts'
import type { Contract } from '../../support/contract/contract.ts'
import { form, type Library, openLibrary, picture } from '../../support/harness.ts'

let library: Library
let contract: Contract
let token: string
let bytes: Uint8Array

before(async () => {
  library = await openLibrary()
  contract = library.contract
  token = (await library.join('admin', { is_admin: true })).token
  bytes = await picture()
})
after(() => library.close())

/** The schemas of everything that requests may hold, with where each stands. */
function inputs(): { at: string; schema: Json }[] {
  return contract.operations.flatMap(({ id, description }) => [
    ...(description.parameters ?? []).flatMap(({ name, schema }) =>
      within(schema, `${id} ${name}`),
    ),
    ...Object.values(description.requestBody?.content ?? {}).flatMap(({ schema }) =>
      within(schema, id),
    ),
  ])
}

function within(part: unknown, at: string): { at: string; schema: Json }[] {
  if (typeof part !== 'object' || part === null) return []
  const schema = contract.resolve(part as Json)
  const inner = Object.entries(schema).flatMap(([key, value]) => within(value, `${at} ${key}`))
  return [{ at, schema }, ...inner]
}

/** The schema of a field of a named body. */
function fieldOf(body: string, field: string): Json {
  const { properties } = contract.resolve<Json>({ $ref: `#/components/schemas/${body}` })
  return (properties as Record<string, Json>)[field]!
}

function formOf(path: string, method = 'POST'): { description: string; properties: Json } {
  const { requestBody } = contract.operationOf(method, `/api/v1${path}`)!.description
  return requestBody!.content['multipart/form-data']!.schema as never
}

describe('whole numbers that come in', () => {
  it('have a least and a most, and are 64 bits wide', () => {
    const numbers = inputs().filter(({ schema }) => schema.type === 'integer')
    assert.ok(numbers.length > 30)
    for (const { at, schema } of numbers) {
      assert.equal(schema.format, 'int64', at)
      assert.equal(typeof schema.minimum, 'number', at)
      assert.equal(typeof schema.maximum, 'number', at)
    }
  })

  it('are told their range, whatever their length', async () => {
    const range = 'must be from 0 to 9007199254740991'
    for (const digits of ['9007199254740992', '10000000000000000', '9'.repeat(400)]) {
      const { status, body } = await library.call('GET', `/tags?offset=${digits}`, { token })
      assert.equal(status, 400)
      assert.deepEqual(body.details, [{ field: 'offset', message: range }])
    }
    const most = await library.call('GET', '/tags?offset=9007199254740991', { token })
    assert.equal(most.status, 200)
    const user = await library.call('GET', '/users/99999999999999999', { token })
    assert.equal(user.body.message, 'user_id: must be from 1 to 9007199254740991')
  })

  it('are taken from the least to the most, and no further', async () => {
    const { schema } = contract
      .operationOf('GET', '/api/v1/files')!
      .description.parameters!.find(({ name }) => name === 'limit')!
    const statuses = [0, schema.minimum, schema.maximum, 201].map(async (limit) => {
      return (await library.call('GET', `/files?limit=${limit}`, { token })).status
    })
    assert.deepEqual(await Promise.all(statuses), [400, 200, 200, 400])
  })
})

describe('the pattern of a text', () => {
  const C1 = '\u0085'
  const texts = ['a', ' a ', 'a b', '\ta\r\n', '\u00a0a\u3000', 'é\u0301', '👪', 'a\u00a0b', '']
  const spaces = [
    ' ',
    '  ',
    '\t',
    '\n',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\u3000 \u1680',
    '\u202f\u205f',
  ]
  const odd = [
    '\0',
    'a\0b',
    'a\u0007',
    '\u001fa',
    'a\u007fb',
    `a${C1}b`,
    'a\nb',
    'a\tb',
    'a\rb',
    '\u200b',
    '\u2060 \u3164',
    '\u00ad',
    '\ufe0f',
    '\u2800',
    ' \u200b a \u200b ',
  ]
  const lines = ['a\nb', 'a\tb', 'a\r\nb', 'a\rb', '\r', '\r\n', '\r\r\n', '\u000b', '\u000c']

  /** Returns whether the schema takes the text: by its pattern, and by whether it may be empty. */
  function takes({ pattern, minLength = 0 }: Json, text: string): boolean {
    return new RegExp(pattern as string).test(text) && text.length >= (minLength as number)
  }

  it('says which names are taken', async () => {
    const schema = fieldOf('TagCreate', 'name')
    for (const [number, text] of [...texts, ...spaces, ...odd, ...lines].entries()) {
      const pool = await library.call('POST', '/pools', { token, body: { name: text } })
      const wanted = takes(schema, text) ? 201 : 400
      assert.equal(pool.status, wanted, `${number}: ${JSON.stringify(text)} ${pool.text}`)
    }
    assert.equal(takes(schema, ' '), false)
    assert.equal(takes(schema, 'a\0b'), false)
    for (const name of ['PoolCreate', 'PoolUpdate', 'CategoryCreate', 'UserCreate', 'TagUpdate']) {
      assert.equal(fieldOf(name, 'name').pattern, schema.pattern, name)
    }
  })

  it('says which notes are taken', async () => {
    const [schema] = fieldOf('TagCreate', 'notes').anyOf as [Json]
    for (const [number, text] of [...texts, ...spaces, ...odd, ...lines].entries()) {
      const body = { name: `notes ${number}`, notes: text }
      const tag = await library.call('POST', '/tags', { token, body })
      assert.equal(tag.status, takes(schema, text) ? 201 : 400, JSON.stringify(text))
    }
    assert.equal(takes(schema, 'a\nb\tc'), true)
    assert.equal(takes(schema, 'a\u0007'), false)
  })

  it('can be looked for in a long text', () => {
    const [notes] = fieldOf('FileUpdate', 'notes').anyOf as [Json]
    const long = `${'a\r\n'.repeat(20_000)}\0`
    assert.equal(takes(notes, long), false)
    assert.equal(takes(fieldOf('TagCreate', 'name'), `${'a '.repeat(20_000)}\0`), false)
  })

  it('says which ids of tags a form takes', async () => {
    const { body: tag } = await library.call('POST', '/tags', { token, body: { name: 'a tag' } })
    const schema = formOf('/files').properties.tag_ids as Json
    const ids = [tag.id, `${tag.id}, ${tag.id.toUpperCase()}`, '', ' ', 'x', `${tag.id},`, ',']
    for (const tag_ids of ids) {
      const { status } = await library.upload(token, bytes, 'a.jpg', { tag_ids })
      assert.equal(status, takes(schema, tag_ids) ? 201 : 400, tag_ids)
    }
  })

  it('is there for each name, note and folder', async () => {
    const kept = inputs().filter(({ at }) => / (name|notes|original_name|path)$/.test(at))
    assert.ok(kept.length > 15)
    for (const { at, schema } of kept) {
      const one = ((schema.anyOf as Json[]) ?? [schema])[0]!
      assert.ok(one.pattern || one.enum || /^(login|signInToWeb) /.test(at), at)
    }
    const path = fieldOf('ImportRequest', 'path')
    assert.deepEqual([takes(path, 'a\0'), takes(path, 'a/b c')], [false, true])
  })
})

describe('a list whose items may not come twice', () => {
  it('says so, and refuses them', async () => {
    assert.equal(fieldOf('PoolReorder', 'file_ids').uniqueItems, true)
    const { body: pool } = await library.call('POST', '/pools', { token, body: { name: 'p' } })
    const { body: file } = await library.upload(token, bytes)
    const body = { file_ids: [file.id] }
    await library.call('POST', `/pools/${pool.id}/files`, { token, body })
    const path = `/pools/${pool.id}/files/reorder`
    assert.equal((await library.call('PUT', path, { token, body })).status, 204)
    const twice = { file_ids: [file.id, file.id] }
    const { status, body: error } = await library.call('PUT', path, { token, body: twice })
    assert.deepEqual([status, error.message], [400, 'file_ids: must not name a file twice'])
  })
})

describe('a form', () => {
  it('has bytes in its part `file`', () => {
    for (const [method, path] of [
      ['POST', '/files'],
      ['PUT', '/files/x/content'],
      ['POST', '/files/similar'],
    ] as const) {
      const { format, contentMediaType } = formOf(path, method).properties.file as Json
      assert.deepEqual([format, contentMediaType], ['binary', 'application/octet-stream'])
    }
  })

  it('takes `True` and `False`, which a query does not', async () => {
    const found = []
    for (const is_public of ['true', 'True', 'false', 'False', '', 'TRUE', '1', 'yes']) {
      const { status, body } = await library.upload(token, bytes, 'a.jpg', { is_public })
      found.push(status === 201 ? body.is_public : body.message)
    }
    const refused = 'is_public: must be true or false'
    assert.deepEqual(found, [true, true, false, false, false, refused, refused, refused])
    assert.equal((await library.call('GET', '/files?trash=True', { token })).status, 400)
  })

  it('may have fields that nobody knows, once or twice', async () => {
    for (const [method, path, wanted] of [
      ['POST', '/files', 201],
      ['POST', '/files/similar', 200],
    ] as const) {
      assert.match(formOf(path).description, /Fields that are not named here are ignored/)
      const body = form(bytes, 'a.jpg')
      for (const value of ['1', '2']) body.append('unknown', value)
      body.append('toString', 'x')
      assert.equal((await library.call(method, path, { token, body })).status, wanted)
    }
    const { body: file } = await library.upload(token, bytes)
    const body = form(bytes, 'a.jpg', { notes: 'of the upload' })
    body.append('notes', 'again')
    const content = await library.call('PUT', `/files/${file.id}/content`, { token, body })
    assert.equal(content.status, 200)
    assert.equal(content.body.notes, null)
  })

  it('has each field that is known once, and no file but its own', async () => {
    assert.match(formOf('/files').description, /A file in any other part than `file` is refused/)
    const twice = form(bytes, 'a.jpg', { notes: 'a' })
    twice.append('notes', 'b')
    const two = form(bytes, 'a.jpg')
    two.append('file', new Blob([Uint8Array.from(bytes)]), 'b.jpg')
    const other = form(bytes, 'a.jpg')
    other.append('thumbnail', new Blob([Uint8Array.from(bytes)]), 'b.jpg')
    const found = []
    for (const body of [twice, two, other]) {
      const { status, body: error } = await library.call('POST', '/files', { token, body })
      found.push([status, error.message])
    }
    assert.deepEqual(found, [
      [400, 'notes: must be sent only once'],
      [400, 'file: must be sent only once'],
      [400, 'thumbnail: must not be a file'],
    ])
  })
})

describe('answers of bytes', () => {
  it('say that they are binary', () => {
    const types = contract.operations.flatMap(({ id, description }) =>
      Object.values(description.responses).flatMap((answer) =>
        Object.entries(contract.resolve(answer).content ?? {})
          .filter(([type]) => !/json/.test(type))
          .map(([type, { schema }]) => ({ id, type, schema })),
      ),
    )
    assert.ok(types.length > 10)
    for (const { id, type, schema } of types) {
      const medium = type.endsWith('/*') ? {} : { contentMediaType: type }
      assert.deepEqual(schema, { type: 'string', format: 'binary', ...medium }, id)
    }
  })
})

describe('a date-time', () => {
  it('may have a small t and z', async () => {
    const { body: file } = await library.upload(token, bytes, 'a.jpg', {
      content_datetime: '2024-05-06t07:08:09z',
    })
    assert.equal(file.content_datetime, '2024-05-06T07:08:09.000Z')
    assert.equal(file.content_offset, null)
    const body = { content_datetime: '2024-05-06t07:08:09.5+02:00' }
    const changed = await library.call('PATCH', `/files/${file.id}`, { token, body })
    assert.equal(changed.body.content_datetime, '2024-05-06T05:08:09.500Z')
    assert.equal(changed.body.content_offset, 120)
    const inTime = 'from=2024-05-06t05:08:09z&to=2024-05-06t05:08:10z&sort=content_datetime'
    const listed = await library.call('GET', `/files?${inTime}`, { token })
    assert.deepEqual(
      listed.body.items.map(({ id }: { id: string }) => id),
      [file.id],
    )
    const message = 'from: must be an RFC 3339 date-time with a zone'
    for (const from of ['2024-05-06x07:08:09z', '2024-05-06t07:08:09', 'tz']) {
      const { status, body } = await library.call('GET', `/files?from=${from}`, { token })
      assert.deepEqual([status, body.message], [400, message])
    }
  })
})

describe('the cookie of the page', () => {
  it('has a name that a cookie can have', () => {
    const { securitySchemes } = contract.document.components as {
      securitySchemes: Record<string, Json>
    }
    assert.match(securitySchemes.cookie!.name as string, /^tagstead-[0-9a-f]{8}-s$/)
  })
})
