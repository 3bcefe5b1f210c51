import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type FileSeed,
  idsOf,
  inOrder,
  ORDERS,
  pageFrom,
  pages,
  queryText,
  SORTS,
  sees,
  shown,
} from '../support/file-rows.ts'
import { manyTimes } from '../support/filter-trees.ts'
import type { Library } from '../support/harness.ts'
import { openTiedLibrary, type TiedLibrary, viewersOf } from '../support/tied-library.ts'

const NOBODY = '01234567-89ab-7def-8123-456789abcdef'

let tied: TiedLibrary
let library: Library
let root: TiedLibrary['root']
let ann: TiedLibrary['ann']
let files: FileSeed[]

before(async () => {
  tied = await openTiedLibrary()
  ;({ library, root, ann, files } = tied)
})
after(() => library.close())

describe('an anchor', () => {
  it('begins a page, or ends one backward, and both cursors go on from there', async () => {
    for (const { name, token, list } of viewersOf(tied)) {
      const get = pages(library, token)
      for (const sort of SORTS) {
        for (const order of ORDERS) {
          const expected = idsOf(inOrder(list, sort, order))
          for (const at of [0, 1, Math.floor(expected.length / 2), expected.length - 1]) {
            for (const direction of ['forward', 'backward']) {
              for (const limit of [1, 6]) {
                const anchor = expected[at]!.toUpperCase()
                const page = await get({ anchor, sort, order, direction, limit })
                const [from, to] =
                  direction === 'forward' ? [at, at + limit] : [at + 1 - limit, at + 1]
                const said = `${name}, ${sort} ${order}, ${direction} ${limit} at ${at}`
                assert.deepEqual(shown(page), pageFrom(expected, from, to), said)
                if (page.next_cursor) {
                  const next = await get({ cursor: page.next_cursor, limit })
                  assert.deepEqual(shown(next), pageFrom(expected, to, to + limit), said)
                }
                if (page.prev_cursor) {
                  const cursor = page.prev_cursor
                  const prev = await get({ cursor, limit, direction: 'backward' })
                  assert.deepEqual(shown(prev), pageFrom(expected, from - limit, from), said)
                }
              }
            }
          }
        }
      }
    }
  })

  it('is found in a narrower list, and is 404 where that list leaves it out', async () => {
    const jpegs = inOrder(
      files.filter((file) => !file.trashed && file.type === 'image/jpeg'),
      'original_name',
      'asc',
    )
    // The second filter has too many conditions to be asked of each file.
    const many = manyTimes('r=1,&,m=image/jpeg')
    for (const filter of ['{m=image/jpeg}', many]) {
      const query = { filter, sort: 'original_name', order: 'asc', limit: 3 }
      const page = await pages(library, root.token)({ ...query, anchor: jpegs[4]!.id })
      assert.deepEqual(shown(page), pageFrom(idsOf(jpegs), 4, 7))
      const png = files.find((file) => !file.trashed && file.type === 'image/png')!
      await refuses({ ...query, anchor: png.id }, root.token, [404, 'not_found'])
    }
    const named = files.find((file) => !file.trashed && file.name === 'ж.png')!
    const found = await pages(library, root.token)({ search: 'Ж', anchor: named.id, limit: 1 })
    assert.deepEqual(shown(found).items, [named.id])
    await refuses({ search: 'b.jpg', anchor: named.id }, root.token, [404, 'not_found'])
    await refuses({ trash: 'true', anchor: named.id }, root.token, [404, 'not_found'])
    const trashed = files.find((file) => file.trashed)!
    await refuses({ anchor: trashed.id }, root.token, [404, 'not_found'])
    const bin = await pages(library, root.token)({ trash: 'true', anchor: trashed.id, limit: 1 })
    assert.deepEqual(shown(bin).items, [trashed.id])
  })

  it('is 404 when there is no such file, 403 when the caller may not view it', async () => {
    const hidden = files.filter((file) => !sees(ann.id, file))
    await refuses({ anchor: NOBODY }, root.token, [404, 'not_found'])
    for (const file of [hidden.find((f) => f.trashed)!, hidden.find((f) => !f.trashed)!]) {
      await refuses({ anchor: file.id }, ann.token, [403, 'forbidden'])
      await refuses({ anchor: file.id, filter: '{r=0}' }, ann.token, [403, 'forbidden'])
    }
  })
})

async function refuses(query: Record<string, string | number>, token: string, expected: unknown[]) {
  const { status, body } = await library.call('GET', `/files?${queryText(query)}`, { token })
  assert.deepEqual([status, body.code], expected, queryText(query))
}
