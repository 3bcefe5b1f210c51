import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { addHashedFiles } from '../../support/duplicates/scans.ts'
import { assertError } from '../../support/files.ts'
import { form, type Library, openLibrary, picture } from '../../support/harness.ts'
import { allow, allRows } from '../../support/object-rows.ts'
import { scene } from '../../support/scenes.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let library: Library
let root: { id: number; token: string }
let ann: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  root = await library.join('root', { is_admin: true })
  ann = await library.join('ann')
})
after(() => library.close())
beforeEach(() => {
  library.deps.db.run('DELETE FROM files')
})

interface Found {
  items: { file: { id: string }; distance: number }[]
}
const near = ({ items }: Found) => items.map(({ file, distance }) => [file.id, distance])

async function similar(id: string, query = '', { token } = root) {
  const answer = await library.call('GET', `/files/${id}/similar${query}`, { token })
  assert.equal(answer.status, 200, answer.text)
  return near(answer.body)
}

const post = (bytes: Uint8Array, query = '', { token } = root) =>
  library.call('POST', `/files/similar${query}`, { token, body: form(bytes, 'unknown.jpg') })

async function upload(bytes: Uint8Array): Promise<string> {
  const { status, body, text } = await library.upload(root.token, bytes)
  assert.equal(status, 201, text)
  return body.id
}

const act = async (method: string, path: string, body?: unknown) => {
  const { status, text } = await library.call(method, path, { token: root.token, body })
  assert.ok(status >= 200 && status < 300, text)
}

describe('the files like one', () => {
  it('stand nearest first, equal ones by age, as whole files without the one itself', async () => {
    // The distances from 0: 8, 9, 0, 1, 8, 64, 0.
    const ids = addHashedFiles(library.deps.db, [0xffn, 0x1ffn, 0n, 2n, 0xffn, -1n, 0n])
    const [a, b, self, c, d, e, equal] = ids as [string, ...string[]]
    const { body } = await library.call('GET', `/files/${self}/similar`, root)
    assert.deepEqual(near(body), [
      [equal, 0],
      [c, 1],
      [a, 8],
      [d, 8],
    ])
    assert.deepEqual(body.items[1].file, (await library.call('GET', `/files/${c}`, root)).body)
    const all = [
      [equal, 0],
      [c, 1],
      [a, 8],
      [d, 8],
      [b, 9],
      [e, 64],
    ]
    assert.deepEqual(await similar(self!, '?distance=64'), all)
    assert.deepEqual(await similar(self!, '?distance=63'), all.slice(0, 5))
    assert.deepEqual(await similar(self!, '?distance=0'), all.slice(0, 1))
    for (const limit of [1, 2, 3, 5]) {
      assert.deepEqual(await similar(self!, `?distance=64&limit=${limit}`), all.slice(0, limit))
    }
    assert.deepEqual(await similar(self!.toUpperCase()), all.slice(0, 4))
  })

  it('are at most fifty unless more are asked for', async () => {
    const [first, ...others] = addHashedFiles(library.deps.db, new Array(230).fill(7n)) as [string]
    const equal = others.map((id) => [id, 0])
    assert.deepEqual(await similar(first), equal.slice(0, 50))
    assert.deepEqual(await similar(first, '?limit=200'), equal.slice(0, 200))
  })

  it('are those that the caller may view, and none in the trash', async () => {
    const { db } = library.deps
    const ids = addHashedFiles(db, [0n, 1n, 3n, 7n, 15n], root.id)
    const [self, a, b, c, d] = ids as [string, string, string, string, string]
    for (const id of [self, b, d]) allow(db, ann.id, 'file', id)
    assert.deepEqual(await similar(self, '', ann), [
      [b, 2],
      [d, 4],
    ])
    await act('DELETE', `/files/${d}`)
    assert.deepEqual(await similar(self, '', ann), [[b, 2]])
    assert.deepEqual(await similar(self, '?limit=2'), [
      [a, 1],
      [b, 2],
    ])
    await act('PATCH', `/files/${c}`, { is_public: true })
    assert.deepEqual(await similar(self, '', ann), [
      [b, 2],
      [c, 3],
    ])
    // What is in the trash itself still has files like it.
    assert.deepEqual(await similar(d, '?limit=1'), [[c, 1]])
  })

  it('are found among thousands that the caller may not view', async () => {
    const { db } = library.deps
    const hashes = Array.from({ length: 5000 }, (_, index) => BigInt(index))
    const ids = addHashedFiles(db, hashes, root.id)
    const [self, far] = [ids[0]!, ids[4095]!]
    for (const id of [self, far]) allow(db, ann.id, 'file', id)
    assert.deepEqual(await similar(self, '?distance=64', ann), [[far, 12]])
    assert.deepEqual(await similar(self, '?distance=11', ann), [])
  })

  it('are none for a file without a hash', async () => {
    const id = await upload((await picture()).slice(0, 40))
    assert.deepEqual(await similar(id, '?distance=64'), [])
  })

  it('follow uploads, replacements and deletions', async () => {
    const self = await upload(await scene(1))
    assert.deepEqual(await similar(self), [])
    const copy = await upload(await scene(1, 60))
    const [found] = await similar(self)
    assert.equal(found?.[0], copy)
    const other = await upload(await scene(2))
    assert.equal((await similar(self)).length, 1)
    await act('PUT', `/files/${other}/content`, form(await scene(1, 50), 'copy.jpg'))
    const ids = (list: unknown[][]) => list.map(([id]) => id).sort()
    assert.deepEqual(ids(await similar(self)), [copy, other].sort())
    await act('PUT', `/files/${copy}/content`, form(await scene(3), 'another.jpg'))
    assert.deepEqual(ids(await similar(self)), [other])
    assert.deepEqual(await similar(copy), [])
    await act('DELETE', `/files/${other}`)
    await act('DELETE', `/files/${other}/permanent`)
    assert.deepEqual(await similar(self), [])
  })

  it('are refused for wrong numbers, unknown files, and files that the caller may not view', async () => {
    const [id] = addHashedFiles(library.deps.db, [1n], root.id)
    const get = (id: string, query = '', { token } = root) =>
      library.call('GET', `/files/${id}/similar${query}`, { token })
    for (const [query, field] of [
      ['distance=65', 'distance'],
      ['distance=-1', 'distance'],
      ['limit=0', 'limit'],
      ['limit=201', 'limit'],
    ] as const) {
      assertError(await get(id!, `?${query}`), 400, 'validation_error', [field])
      assertError(await post(await picture(), `?${query}`), 400, 'validation_error', [field])
    }
    assertError(await get('x'), 400, 'validation_error', ['file_id'])
    assertError(await get(UNKNOWN), 404, 'not_found')
    assertError(await get(id!, '', ann), 403, 'forbidden')
  })
})

describe('the files like a picture that is not stored', () => {
  const temporaryFiles = () => readdirSync(join(library.folder, 'tmp'))

  it('are found, nearest first, and nothing is kept of it', async () => {
    const copy = await upload(await scene(1))
    await upload(await scene(2))
    const rows = allRows(library.deps.db)
    const blobs = readdirSync(join(library.folder, 'files'), { recursive: true })
    const { status, body } = await post(await scene(1, 50))
    assert.equal(status, 200)
    assert.deepEqual(
      body.items.map((item: Found['items'][number]) => item.file),
      [(await library.call('GET', `/files/${copy}`, root)).body],
    )
    assert.ok(body.items[0].distance <= 8)
    assert.deepEqual(near((await post(await scene(1))).body), [[copy, 0]])
    assert.equal((await post(await scene(3), '?distance=64')).body.items.length, 2)
    assert.equal((await post(await scene(3), '?distance=64&limit=1')).body.items.length, 1)
    assert.deepEqual((await post(await scene(1), '', ann)).body, { items: [] })
    assert.deepEqual(allRows(library.deps.db), rows)
    assert.deepEqual(readdirSync(join(library.folder, 'files'), { recursive: true }), blobs)
    assert.deepEqual(temporaryFiles(), [])
  })

  it('are none when it can not be decoded', async () => {
    await upload(await scene(1))
    const answer = await post((await scene(1)).slice(0, 40), '?distance=64')
    assert.deepEqual([answer.status, answer.body], [200, { items: [] }])
    assert.deepEqual(temporaryFiles(), [])
  })

  it('are refused for what is no picture, for nothing, and for what is no form', async () => {
    assertError(await post(Buffer.from('a text')), 415, 'unsupported_mime')
    assertError(await post(Buffer.alloc(0)), 400, 'validation_error', ['file'])
    const empty = new FormData()
    empty.set('notes', 'no file')
    const call = (body: unknown) => library.call('POST', '/files/similar', { ...root, body })
    assertError(await call(empty), 400, 'validation_error', ['file'])
    assert.equal((await call({ file: 'x' })).status, 400)
    assert.deepEqual(temporaryFiles(), [])
  })
})
