import assert from 'node:assert/strict'
import {
  type FileSeed,
  fileSeed,
  idAt,
  idsOf,
  inOrder,
  insertFiles,
  ORDERS,
  randomNumbers,
  SORTS,
  sees,
} from '../support/file-rows.ts'
import { manyTimes } from '../support/filter-trees.ts'
import { lacksCounters, pagesRead } from '../support/pages-read.ts'
import { after, before, describe, it } from '../support/test.ts'
import { openViewers, type Viewers } from '../support/viewers.ts'

const FILES = 20_000
const FILTERS: Record<
  string,
  { query: Record<string, string>; keeps: (file: FileSeed) => boolean }
> = {
  none: { query: {}, keeps: () => true },
  type: { query: { filter: '{m=image/png}' }, keeps: (file) => file.type === 'image/png' },
  'no type': { query: { filter: '{m=image/avif}' }, keeps: () => false },
  untagged: { query: { filter: '{t=00000000-0000-0000-0000-000000000000}' }, keeps: () => true },
  // More conditions than are asked of one file.
  many: {
    query: { filter: manyTimes('(,r=0,|,m=image/png,)') },
    keeps: (file) => file.type === 'image/png',
  },
  name: { query: { search: '7.j' }, keeps: (file) => file.name!.includes('7.j') },
}

let viewers: Viewers
let files: FileSeed[]
const people: Record<string, number> = {}

describe('the files of somebody who sees few', () => {
  /** A library of which one user sees twenty files, one none, and one every hundredth. */
  before(async () => {
    viewers = await openViewers()
    const { library, tokens } = viewers
    const owner = await library.addUser('owner')
    for (const name of ['few', 'none', 'some']) {
      const { id, token } = await library.join(name)
      people[name] = id
      tokens[name] = token
    }
    const random = randomNumbers(3)
    files = Array.from({ length: FILES }, (_, n) =>
      fileSeed(idAt(1.7e12 + n, n), {
        owner,
        name: `${random(50)}.jpg`,
        time: 1.5e12 + random(1e6) * 1000,
        type: ['image/jpeg', 'image/png', 'video/mp4'][random(3)]!,
        trashed: random(20) === 0,
        viewers: [
          ...(n % 1000 === 500 ? [people.few!] : []),
          ...(n % 100 === 3 ? [people.some!] : []),
        ],
      }),
    )
    insertFiles(library.deps.db, files)
  })
  after(() => viewers.library.close())

  const seenBy = (name: string) => files.filter((file) => sees(people[name]!, file))

  it('are found without passing all others', {
    skip: lacksCounters,
  }, async () => {
    const { db } = viewers.library.deps
    for (const name of ['few', 'none']) {
      for (const sort of SORTS) {
        const { pages } = await pagesRead(db, () => viewers.list(name, { sort }))
        assert.ok(pages < FILES / 4, `${name} ${sort}: ${pages} pages`)
      }
    }
  })

  it('are the right ones, in any order and with any filter', async () => {
    for (const name of ['few', 'none', 'some']) {
      for (const [what, { query, keeps }] of Object.entries(FILTERS)) {
        for (const trash of [false, true]) {
          const seen = seenBy(name).filter((file) => file.trashed === trash && keeps(file))
          for (const sort of SORTS) {
            for (const order of ORDERS) {
              const asked = { sort, order, trash: String(trash), ...query }
              const expected = idsOf(inOrder(seen, sort, order))
              for (const direction of ['forward', 'backward']) {
                const found = await viewers.walk(name, { ...asked, direction, limit: 90 })
                const said = `${name} ${what} ${JSON.stringify(asked)} ${direction}`
                assert.deepEqual(idsOf(found as never), expected, said)
              }
            }
          }
        }
      }
    }
  })

  it('are followed when they are shared, taken back, trashed and made public', async () => {
    const { library, tokens } = viewers
    const { db } = library.deps
    const listed = async () => idsOf((await viewers.walk('few', { limit: 50 })) as never)
    const before = await listed()
    const other = inOrder(files, 'created', 'desc').find(
      (file) => !file.trashed && !file.viewers[0],
    )!
    const share = (permissions: object[]) =>
      library.call('PUT', `/acl/file/${other.id}`, { token: tokens.root!, body: { permissions } })
    await share([{ user_id: people.few, can_view: true, can_edit: false }])
    assert.deepEqual(await listed(), [...before, other.id].sort().reverse())
    await share([])
    assert.deepEqual(await listed(), before)
    const token = tokens.root!
    await library.call('PATCH', `/files/${other.id}`, { token, body: { is_public: true } })
    assert.deepEqual(await listed(), [...before, other.id].sort().reverse())
    await library.call('DELETE', `/files/${other.id}`, { token })
    assert.deepEqual(await listed(), before)
    // By another process.
    db.run('DELETE FROM acl WHERE user_id = ?', people.few!)
    assert.deepEqual(await listed(), [])
  })
})
