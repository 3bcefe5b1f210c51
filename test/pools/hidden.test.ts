import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { visibleFiles } from '../../src/files/sets/visible.ts'
import { hiddenUpTo } from '../../src/pools/queries.ts'
import { fileSeed, idAt, idsOf, insertFiles, randomNumbers } from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { insertPool } from '../support/object-rows.ts'

const POOL = idAt(1.7e12, 999)
const FILES = 500
const [FEW, MANY] = [10, 1_000_000]

describe('what is hidden from somebody in a pool', () => {
  let library: Library
  let ben: { id: number; name: string; is_admin: boolean; can_create: boolean }
  let pool: number
  before(async () => {
    library = await openLibrary()
    const { db } = library.deps
    const owner = await library.addUser('owner')
    ben = { id: await library.addUser('ben'), name: 'ben', is_admin: false, can_create: true }
    const random = randomNumbers(5)
    const files = Array.from({ length: FILES }, (_, n) =>
      fileSeed(idAt(1.7e12 + n, n), {
        owner: random(3) === 0 ? ben.id : owner,
        isPublic: random(3) === 0,
        trashed: random(5) === 0,
      }),
    )
    insertFiles(db, files)
    insertPool(db, { id: POOL, name: 'pool', owner, files: idsOf(files) })
    pool = db.get<{ rid: number }>('SELECT rid FROM pools')!.rid
  })
  after(() => library.close())

  it('is the same, found by what is kept of the files that they see or by asking each', async () => {
    const { db } = library.deps
    const keys = db
      .all<{ order_key: number }>('SELECT order_key FROM pool_files ORDER BY order_key')
      .map(({ order_key }) => order_key)
    const hidden = (at: number, before: number) => {
      const found = hiddenUpTo(db, ben, pool, { order_key: keys[at]!, before })
      return found.toSorted((a, b) => a.order_key - b.order_key)
    }
    const places = [0, 1, 77, FILES / 2, FILES - 1]
    const asked = places.map((at) => hidden(at, FEW))
    await visibleFiles(db, ben, false)
    assert.deepEqual(
      places.map((at) => hidden(at, MANY)),
      asked,
    )
    const counts = asked.map((found) => found.length)
    assert.ok(counts[4]! > 100 && counts[4]! < FILES - 100, String(counts))
  })
})
