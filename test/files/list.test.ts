import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
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
  randomNumbers,
  SORTS,
  sees,
  shown,
} from '../support/file-rows.ts'
import { manyTimes } from '../support/filter-trees.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { walkBackward, walkForward } from '../support/page-walks.ts'
import { openTiedLibrary, type TiedLibrary, viewersOf } from '../support/tied-library.ts'

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

describe('the list of files', () => {
  it('is sorted each way for everybody, and pages through forward and backward', async () => {
    for (const { name, token, list } of viewersOf(tied)) {
      assert.ok(list.length > 40, `${name} sees enough files`)
      const get = pages(library, token)
      for (const sort of SORTS) {
        for (const order of ORDERS) {
          const expected = idsOf(inOrder(list, sort, order))
          for (const limit of [7, 40, 200]) {
            const said = `${name}, ${sort} ${order}, ${limit}`
            await walkForward(get, { sort, order, limit }, expected, said)
            await walkBackward(get, { sort, order, limit }, expected, said)
          }
        }
      }
    }
  })

  it('is the newest 50 files unless something else is asked for', async () => {
    for (const { token, list } of viewersOf(tied)) {
      const newest = idsOf(inOrder(list, 'created', 'desc'))
      assert.deepEqual(shown(await pages(library, token)({})), pageFrom(newest, 0, 50))
    }
  })

  it('holds the same Files as are got one by one', async () => {
    for (const { token } of viewersOf(tied)) {
      for (const file of (await pages(library, token)({ limit: 5 })).items) {
        assert.deepEqual((await library.call('GET', `/files/${file.id}`, { token })).body, file)
      }
    }
  })

  it('of the trash holds what is in the trash and nothing else, in every sort', async () => {
    for (const { token, mine } of [
      { token: root.token, mine: () => true },
      { token: ann.token, mine: (file: FileSeed) => sees(ann.id, file) },
    ]) {
      const trash = files.filter((file) => file.trashed && mine(file))
      assert.ok(trash.length > 3)
      for (const sort of SORTS) {
        const expected = idsOf(inOrder(trash, sort, 'asc'))
        const query = { trash: 'true', sort, order: 'asc', limit: 4 }
        const get = pages(library, token)
        await walkForward(get, query, expected, sort)
        await walkBackward(get, query, expected, sort)
        const { items } = await get(query)
        assert.ok(items.every((file) => file.is_deleted))
      }
    }
  })

  it('is empty, without cursors, where nothing is', async () => {
    const { token } = await library.join('Newcomer')
    const none = { items: [], next_cursor: null, prev_cursor: null }
    for (const direction of ['forward', 'backward']) {
      const query = { filter: '{m=video/mp2t}', direction }
      assert.deepEqual(await pages(library, token)(query), none)
    }
  })
})

describe('a long list of files', () => {
  it('pages the same where little of it is seen, or the filter is wide', async () => {
    const own = await openLibrary()
    try {
      const admin = await own.join('Root', { is_admin: true })
      const viewer = await own.join('Viewer')
      const owner = await own.join('Owner')
      const random = randomNumbers(11)
      const many = Array.from({ length: 2000 }, (_, index) =>
        fileSeed(idAt(1.7e12 + Math.floor(index / 7), index), {
          name: `${random(40)}`,
          time: Math.floor(index / 1000),
          type: index > 1600 ? 'image/png' : 'image/jpeg',
          // Both sides of wherever a walk is likely to pause.
          owner: index % 10 === 0 || index % 10 === 9 ? owner.id : admin.id,
          isPublic: index % 1000 > 900 && random(3) === 0,
        }),
      )
      insertFiles(own.deps.db, many)
      // Too many conditions to be asked of each file.
      const wide = manyTimes('r=1,&,m=image/jpeg')
      const isJpeg = (file: FileSeed) => file.type === 'image/jpeg'
      const isPublic = (file: FileSeed) => file.isPublic
      const owned = many.filter((file) => sees(owner.id, file))
      const lists = [
        { token: owner.token, filter: '{}', list: owned },
        { token: owner.token, filter: wide, list: owned.filter(isJpeg) },
        { token: viewer.token, filter: '{}', list: many.filter(isPublic) },
        {
          token: viewer.token,
          filter: '{m=image/png}',
          list: many.filter(isPublic).filter((file) => !isJpeg(file)),
        },
        { token: viewer.token, filter: wide, list: many.filter(isPublic).filter(isJpeg) },
        { token: admin.token, filter: wide, list: many.filter(isJpeg) },
      ]
      for (const { token, filter, list } of lists) {
        assert.ok(list.length > 10)
        const long = list.length > 200
        for (const sort of long ? (['created', 'original_name'] as const) : SORTS) {
          const order = sort === 'created' ? 'desc' : 'asc'
          const expected = idsOf(inOrder(list, sort, order))
          const query = { sort, order, filter, limit: long ? 200 : 9 }
          const get = pages(own, token)
          await walkForward(get, query, expected, `${filter}, ${sort}`)
          await walkBackward(get, query, expected, `${filter}, ${sort}`)
        }
      }
    } finally {
      await own.close()
    }
  })
})
