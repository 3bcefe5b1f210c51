import assert from 'node:assert/strict'
import { listFiles } from '../../src/files/find/list.ts'
import { FileListQuery } from '../../src/files/schema.ts'
import {
  type FileSeed,
  fileSeed,
  idAt,
  idsOf,
  inOrder,
  insertFiles,
  ORDERS,
  pageFrom,
  pages,
  SORTS,
  type Sort,
  sees,
  shown,
} from '../support/file-rows.ts'
import type { Library } from '../support/harness.ts'
import { walkBackward, walkForward } from '../support/page-walks.ts'
import { lacksCounters, pagesRead } from '../support/pages-read.ts'
import { after, before, describe, it } from '../support/test.ts'
import { openTiedLibrary, type TiedLibrary } from '../support/tied-library.ts'

let library: Library
let root: TiedLibrary['root']
let ann: TiedLibrary['ann']
let files: FileSeed[]

before(async () => {
  ;({ library, root, ann, files } = await openTiedLibrary())
})
after(() => library.close())

const iso = (ms: number) => new Date(ms).toISOString()
const timeOf = (file: FileSeed, sort: Sort) =>
  sort === 'created' ? Number.parseInt(file.id.slice(0, 8) + file.id.slice(9, 13), 16) : file.time

interface Ends {
  from?: string
  to?: string
}

/** Ranges that begin and end at, just before and just after files that are alike in their time. */
function rangesOf(sort: Sort): Ends[] {
  const times = [...new Set(files.map((file) => timeOf(file, sort)))].sort((a, b) => a - b)
  const [low, high] = [times[1]!, times.at(-2)!]
  return [
    { from: iso(low) },
    { to: iso(high) },
    { from: iso(low), to: iso(high) },
    { from: iso(low + 1), to: iso(high + 1) },
    { from: iso(low), to: iso(low + 1) },
    { from: iso(high), to: iso(low) },
    { from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59.999Z' },
  ]
}

function inRange(sort: Sort, { from, to }: Ends): (file: FileSeed) => boolean {
  return (file) => {
    const time = timeOf(file, sort)
    return (!from || time >= Date.parse(from)) && (!to || time < Date.parse(to))
  }
}

describe('a range of times in a list of files', () => {
  it('holds what is from its first instant on and before its last, in every sort', async () => {
    for (const { token, list } of [
      { token: root.token, list: files },
      { token: ann.token, list: files.filter((file) => sees(ann.id, file)) },
    ]) {
      const get = pages(library, token)
      for (const sort of SORTS) {
        for (const order of ORDERS) {
          for (const range of rangesOf(sort)) {
            const listed = list.filter((file) => !file.trashed).filter(inRange(sort, range))
            const expected = idsOf(inOrder(listed, sort, order))
            const query = { sort, order, limit: 29, ...range }
            const said = JSON.stringify(query)
            await walkForward(get, query, expected, said)
            await walkBackward(get, query, expected, said)
          }
        }
      }
    }
  })

  it('is a part of a filter, of a search and of the trash', async () => {
    const get = pages(library, root.token)
    for (const sort of SORTS) {
      const range = rangesOf(sort)[2]!
      const asked: [Record<string, string>, (file: FileSeed) => boolean][] = [
        [{ filter: '{m=image/png}' }, (file) => file.type === 'image/png' && !file.trashed],
        [{ search: 'jp' }, (file) => /jp/i.test(file.name ?? '') && !file.trashed],
        [{ trash: 'true' }, (file) => file.trashed],
      ]
      for (const [more, matches] of asked) {
        const listed = files.filter(matches).filter(inRange(sort, range))
        const expected = idsOf(inOrder(listed, sort, 'asc'))
        const query = { sort, order: 'asc', limit: 4, ...range, ...more }
        await walkForward(get, query, expected, JSON.stringify(query))
      }
    }
  })

  it('is where a cursor from outside of it leads to', async () => {
    const get = pages(library, root.token)
    const sort = 'content_datetime'
    const all = inOrder(
      files.filter((file) => !file.trashed),
      sort,
      'asc',
    )
    const range = rangesOf(sort)[2]!
    const ids = idsOf(all.filter(inRange(sort, range)))
    const first = await get({ sort, order: 'asc', limit: 1 })
    const last = await get({ sort, order: 'asc', limit: 1, direction: 'backward' })
    const onward = await get({ cursor: first.next_cursor!, limit: 5, ...range })
    assert.deepEqual(shown(onward), pageFrom(ids, 0, 5))
    const back = { cursor: last.prev_cursor!, limit: 5, direction: 'backward', ...range }
    assert.deepEqual(shown(await get(back)), pageFrom(ids, ids.length - 5, ids.length))
    const past = await get({ cursor: last.prev_cursor!, limit: 5, ...range })
    assert.deepEqual(shown(past), { items: [], prev: true, next: false })
  })

  it('has no anchor outside of it', async () => {
    const [sort, order] = ['content_datetime', 'asc'] as const
    const range = rangesOf(sort)[2]!
    const anchored = async (anchor: string) => {
      const query = new URLSearchParams({ sort, order, anchor, ...range })
      return (await library.call('GET', `/files?${query}`, { token: root.token })).status
    }
    const listed = files.filter((file) => !file.trashed)
    const isIn = inRange(sort, range)
    assert.equal(await anchored(listed.find(isIn)!.id), 200)
    assert.equal(await anchored(listed.find((file) => !isIn(file))!.id), 404)
  })

  it('is read alone, by any sort', { skip: lacksCounters }, async () => {
    const { db } = library.deps
    const many = Array.from({ length: 12_000 }, (_, n) =>
      fileSeed(idAt(1.8e12 + n, n), { time: 1.8e12 + n, name: `${n}` }),
    )
    insertFiles(db, many)
    const viewer = { id: root.id, name: 'Root', is_admin: true, can_create: false }
    const range = { from: iso(1.8e12 + 3000), to: iso(1.8e12 + 3020) }
    // By another sort, those before are passed, and no more than the walk takes before it gives up.
    for (const [sort, most] of [
      ['created', 150],
      ['content_datetime', 150],
      ['original_name', 6000],
    ] as const) {
      for (const order of ORDERS) {
        const query = FileListQuery.parse({ sort, order, ...range })
        const { result, pages } = await pagesRead(db, () => listFiles({ ...db }, viewer, query))
        assert.equal(JSON.parse(result).items.length, 20)
        assert.ok(pages < most, `${sort} ${order}: ${pages} pages`)
      }
    }
  })
})
