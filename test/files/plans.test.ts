import assert from 'node:assert/strict'
import type { User } from '../../src/base/user.ts'
import type { Db } from '../../src/db/client.ts'
import { listFiles } from '../../src/files/find/list.ts'
import { type FileCursorPage, FileListQuery } from '../../src/files/schema.ts'
import { fileSeed, handmade, idAt, insertFiles, ORDERS, SORTS } from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { lacksCounters, pagesRead } from '../support/pages-read.ts'
import { after, before, describe, it } from '../support/test.ts'

const FILES = 12_000
/** Pages that a list of few files may take: a place in an index, and for each file its rows and a right to it. */
const FEW_PAGES = 80
/** The files' names and types, and the key of one that stands in the middle of each order. */
const NAMES = ['a.jpg', 'b.jpg', 'c.jpg']
const TYPES = ['image/gif', 'image/jpeg', 'image/png']
const MIDDLE = {
  created: null,
  content_datetime: 5,
  original_name: NAMES[1]!,
  mime: TYPES[1]!,
}
const AT = idAt(1.7e12, 1)

let library: Library
const admin: User = { id: 1, name: 'Root', is_admin: true, can_create: false }
const user: User = { id: 2, name: 'Ann', is_admin: false, can_create: false }

/** Returns a page, and how many pages of the database were read for it by one who keeps nothing in memory yet. */
async function listed(viewer: User, query: Record<string, string>) {
  const { db } = library.deps
  const fresh: Db = { ...db }
  const { result, pages } = await pagesRead(db, () =>
    listFiles(fresh, viewer, FileListQuery.parse(query)),
  )
  const { items }: FileCursorPage = JSON.parse(result)
  return { items, pages }
}

/** The pages of each sort at its ends and in the middle, each way. */
function* everyPage(): Generator<Record<string, string>> {
  for (const sort of SORTS) {
    for (const order of ORDERS) {
      for (const direction of ['forward', 'backward']) {
        yield { sort, order, direction }
        for (const side of ['before', 'after']) {
          const cursor = handmade(['files', sort, order, MIDDLE[sort], AT, side])
          yield { cursor, direction }
        }
      }
    }
  }
}

describe('a list of files', { skip: lacksCounters }, () => {
  before(async () => {
    library = await openLibrary()
    await library.addUser('Root', { is_admin: true })
    await library.addUser('Ann')
    const seeds = Array.from({ length: FILES }, (_, n) =>
      fileSeed(idAt(1.7e12 - FILES / 2 + n, n), {
        name: n === FILES / 2 ? 'жабка.jpg' : NAMES[n % 3]!,
        time: n % 11,
        type: TYPES[n % 3]!,
        owner: 1 + (n % 2),
      }),
    )
    insertFiles(library.deps.db, seeds)
  })
  after(() => library.close())

  it('reads little more than its files, wherever it begins', async () => {
    for (const viewer of [admin, user]) {
      for (const query of everyPage()) {
        const { items, pages } = await listed(viewer, { ...query, limit: '5' })
        assert.equal(items.length, 5)
        assert.ok(pages < FEW_PAGES, `${viewer.name} ${JSON.stringify(query)}: ${pages} pages`)
      }
    }
  })

  it('does so with a filter that most files match', async () => {
    for (const viewer of [admin, user]) {
      for (const query of everyPage()) {
        for (const filter of ['{r=1}', '{m~image/%}', '{t=00000000-0000-0000-0000-000000000000}']) {
          const { items, pages } = await listed(viewer, { ...query, filter, limit: '2' })
          assert.equal(items.length, 2)
          const said = `${viewer.name} ${filter} ${JSON.stringify(query)}: ${pages} pages`
          assert.ok(pages < FEW_PAGES, said)
        }
      }
    }
  })

  it('asks the index of names for a seldom one, once it was not met at once', async () => {
    const { items, pages } = await listed(admin, { search: 'жаб', limit: '200' })
    assert.equal(items.length, 1)
    // A look at a file is a page or more.
    assert.ok(pages < FILES / 2, `${pages} pages`)
  })
})
