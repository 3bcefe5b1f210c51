import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type FileSeed,
  handmade,
  idsOf,
  inOrder,
  insertFiles,
  pageFrom,
  pages,
  sees,
  shown,
  tiedFiles,
} from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'

const NOBODY = '01234567-89ab-7def-8123-456789abcdef'

let library: Library
let root: { id: number; token: string }
let ann: { id: number; token: string }
let files: FileSeed[]
let shownTag: string
let hiddenTag: string
let bareTag: string

const listed = () => files.filter((file) => !file.trashed && file.tags.includes(1))

before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann')
  const tag = async (name: string, is_public: boolean) => {
    const body = { name, is_public }
    return (await library.call('POST', '/tags', { token: root.token, body })).body.id
  }
  // Their row numbers are 1, 2 and 3.
  shownTag = await tag('shown', true)
  hiddenTag = await tag('hidden', false)
  bareTag = await tag('bare', true)
  files = tiedFiles([ann.id, await library.addUser('Bob')]).map((file, index) => ({
    ...file,
    tags: index % 4 === 0 ? [] : [1, 2],
  }))
  insertFiles(library.deps.db, files)
})
after(() => library.close())

describe('the files of a tag', () => {
  it('are listed newest first, as far as the caller sees them, both ways', async () => {
    const people = [
      { token: root.token, list: listed() },
      { token: ann.token, list: listed().filter((file) => sees(ann.id, file)) },
    ]
    for (const { token, list } of people) {
      const expected = idsOf(inOrder(list, 'created', 'desc'))
      assert.ok(expected.length > 30)
      const get = pages(library, token, `/tags/${shownTag.toUpperCase()}/files`)
      assert.deepEqual(shown(await get({})), pageFrom(expected, 0, 50))
      assert.deepEqual(shown(await get({ limit: 200 })), pageFrom(expected, 0, 200))
      const limit = 9
      let page = await get({ limit })
      let at = 0
      for (; page.next_cursor; at += limit) {
        assert.deepEqual(shown(page), pageFrom(expected, at, at + limit))
        page = await get({ limit, cursor: page.next_cursor, direction: 'forward' })
      }
      assert.deepEqual(shown(page), pageFrom(expected, at, at + limit))
      let end = expected.length
      page = await get({ limit, direction: 'backward' })
      for (; page.prev_cursor; end -= limit) {
        assert.deepEqual(shown(page), pageFrom(expected, end - limit, end))
        page = await get({ limit, cursor: page.prev_cursor, direction: 'backward' })
      }
      assert.deepEqual(shown(page), pageFrom(expected, end - limit, end))
    }
  })

  it('are the same Files as anywhere', async () => {
    const { items } = await pages(library, ann.token, `/tags/${shownTag}/files`)({ limit: 1 })
    const { body } = await library.call('GET', `/files/${items[0]!.id}`, { token: ann.token })
    assert.deepEqual(items, [body])
    assert.deepEqual(
      body.tags.map((tag: { name: string }) => tag.name),
      ['shown'],
    )
  })

  it('are none where no file has the tag', async () => {
    const none = { items: [], next_cursor: null, prev_cursor: null }
    assert.deepEqual(await pages(library, ann.token, `/tags/${bareTag}/files`)({}), none)
  })

  it('are 401 for nobody, 403 for a hidden tag, 404 for none, 400 for no id', async () => {
    const status = async (tag: string, token?: string) => {
      const answer = await library.call('GET', `/tags/${tag}/files`, token ? { token } : {})
      return [answer.status, answer.body.code]
    }
    assert.deepEqual(await status(shownTag), [401, 'unauthorized'])
    assert.deepEqual(await status(hiddenTag, ann.token), [403, 'forbidden'])
    assert.deepEqual(await status(NOBODY, ann.token), [404, 'not_found'])
    assert.deepEqual(await status('x', ann.token), [400, 'validation_error'])
  })

  it('take a cursor, a direction and a limit, and refuse wrong ones by name', async () => {
    const cursors = [
      handmade(['tags', 'created', 'desc', null, NOBODY, 'after']),
      handmade(['files', 'created', 'desc', 'x', NOBODY, 'after']),
      handmade(['files', 'created', 'asc', null, NOBODY, 'after']),
      handmade(['files', 'mime', 'desc', 'image/png', NOBODY, 'after']),
    ]
    const wrong: [string, string][] = [
      ...['', 'x', ...cursors].map((cursor): [string, string] => [`cursor=${cursor}`, 'cursor']),
      ...['', '0', '201', 'x'].map((limit): [string, string] => [`limit=${limit}`, 'limit']),
      ...['', 'up'].map((way): [string, string] => [`direction=${way}`, 'direction']),
      ['limit=1&limit=1', 'limit'],
    ]
    for (const [query, field] of wrong) {
      const path = `/tags/${shownTag}/files?${query}`
      const { status, body } = await library.call('GET', path, { token: ann.token })
      assert.deepEqual([status, body.code], [400, 'validation_error'], query)
      assert.deepEqual(
        body.details.map((detail: { field: string }) => detail.field),
        [field],
        query,
      )
    }
  })
})
