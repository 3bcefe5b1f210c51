import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { handmade } from './support/file-rows.ts'
import { addTag, assertError } from './support/files.ts'
import { type Library, openLibrary } from './support/harness.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let library: Library
let ann: { token: string }
/** May see what ann has made, and change nothing of it. */
let bob: { token: string }
let tag: string
let hidden: { tag: string; pool: string; category: string }
before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob')
  const make = async (path: string, name: string) => {
    const { token } = ann
    return (await library.call('POST', path, { token, body: { name } })).body.id as string
  }
  tag = (await addTag(library, ann.token, 'Seen', { is_public: true })).id
  hidden = {
    tag: await make('/tags', 'Hidden'),
    pool: await make('/pools', 'Hidden'),
    category: await make('/categories', 'Hidden'),
  }
})
after(() => library.close())

describe('a change of a tag that the caller may not make', () => {
  const change = (id: string, body: unknown) =>
    library.call('PATCH', `/tags/${id}`, { token: bob.token, body })

  it('is 403, also into a category that may not be viewed', async () => {
    assertError(await change(tag, { notes: 'x' }), 403, 'forbidden')
    assertError(await change(tag, { category_id: hidden.category }), 403, 'forbidden')
    assertError(await change(tag, { category_id: null }), 403, 'forbidden')
  })

  it('is 404 when the category is unknown', async () => {
    assertError(await change(tag, { category_id: UNKNOWN }), 404, 'not_found')
    assertError(await change(hidden.tag, { category_id: UNKNOWN }), 404, 'not_found')
    assertError(await change(UNKNOWN, { category_id: hidden.category }), 404, 'not_found')
  })

  it('is 400 before both when the body is wrong', async () => {
    const answer = await change(UNKNOWN, { category_id: 'x' })
    assertError(answer, 400, 'validation_error', ['category_id'])
  })
})

describe('the query of a list of files', () => {
  // A cursor of another list.
  let foreign: string
  before(async () => {
    const list = async (query: string) =>
      (await library.call('GET', `/files?limit=1${query}`, ann)).body.next_cursor as string
    const picture = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')
    for (const name of ['a', 'b']) await library.upload(ann.token, picture, name)
    foreign = await list('&sort=original_name')
    assert.equal(typeof foreign, 'string')
  })

  const lists = (): [path: string, fields: string[]][] => [
    ['/tags/ID/files?cursor=x', ['cursor']],
    [`/tags/ID/files?cursor=${foreign}`, ['cursor']],
    ['/tags/ID/files?limit=201', ['limit']],
    ['/tags/ID/files?direction=up', ['direction']],
    ['/pools/ID/files?cursor=x', ['cursor']],
    [`/pools/ID/files?cursor=${foreign}`, ['cursor']],
    ['/pools/ID/files?limit=0', ['limit']],
    ['/pools/ID/files?filter={t=x}', ['filter']],
    ['/pools/ID/files?filter={', ['filter']],
    ...['ids', 'cells', 'timeline'].flatMap((set): [string, string[]][] => [
      [`/files/${set}?pool=ID&filter={`, ['filter']],
      [`/files/${set}?pool=ID&sort=name`, ['sort']],
      [`/files/${set}?pool=ID&from=x`, ['from']],
    ]),
    ...['ids', 'cells'].flatMap((set): [string, string[]][] => [
      [`/files/${set}?pool=ID&cursor=x`, ['cursor']],
      [
        `/files/${set}?pool=ID&cursor=${handmade(['pool', 'name', 'asc', 1, UNKNOWN, 'after'])}`,
        ['cursor'],
      ],
      [`/files/${set}?pool=ID&sort=created&cursor=${foreign}`, ['sort']],
      [`/files/${set}?pool=ID&limit=0`, ['limit']],
    ]),
    [`/files/cells?pool=ID&cursor=${foreign}&anchor=ID`, ['anchor']],
    ['/files?anchor=ID&filter={', ['filter']],
    ['/files?anchor=ID&limit=0', ['limit']],
  ]

  it('is judged before it is looked whether the object is there, or may be seen', async () => {
    for (const [path, fields] of lists()) {
      const kind = path.startsWith('/tags') ? 'tag' : 'pool'
      for (const id of [UNKNOWN, hidden[kind]]) {
        const answer = await library.call('GET', path.replace('ID', id), bob)
        assert.equal(answer.status, 400, path)
        assertError(answer, 400, 'validation_error', fields)
      }
    }
  })

  it('lets 404 and 403 be told when it is right', async () => {
    for (const kind of ['tag', 'pool'] as const) {
      const status = async (id: string) =>
        (await library.call('GET', `/${kind}s/${id}/files?limit=200`, bob)).status
      assert.deepEqual([await status(UNKNOWN), await status(hidden[kind])], [404, 403])
    }
  })
})
