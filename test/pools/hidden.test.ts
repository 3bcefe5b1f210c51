import assert from 'node:assert/strict'
import { it } from 'node:test'
import { stateOf } from '../../src/db/per-connection.ts'
import { hiddenUpTo } from '../../src/pools/queries.ts'
import { fileSeed, idAt, idsOf, insertFiles, randomNumbers, sees } from '../support/file-rows.ts'
import { openLibrary } from '../support/harness.ts'
import { insertPool, ridOf } from '../support/object-rows.ts'

it('hidden in a pool from somebody is what they may not view, and the trash', async () => {
  const library = await openLibrary()
  try {
    const { db } = library.deps
    const owner = await library.addUser('owner')
    const ben = { id: await library.addUser('ben'), name: 'ben', is_admin: false, can_create: true }
    const random = randomNumbers(5)
    const files = Array.from({ length: 60 }, (_, n) =>
      fileSeed(idAt(1.7e12 + n, n), {
        owner: random(3) === 0 ? ben.id : owner,
        isPublic: random(3) === 0,
        trashed: random(5) === 0,
      }),
    )
    insertFiles(db, files)
    const id = idAt(1.7e12, 999)
    insertPool(db, { id, name: 'pool', owner, files: idsOf(files) })
    const pool = ridOf(db, 'pool', id)
    const keyed = db.all<{ rid: number; order_key: number }>(
      'SELECT file_rid AS rid, order_key FROM pool_files ORDER BY order_key',
    )
    for (const user of [ben, { ...ben, is_admin: true }]) {
      for (const at of [0, 1, 30, 59]) {
        const asked = { pool, order_key: keyed[at]!.order_key }
        const expected = keyed.filter((_, n) => {
          const file = files[n]!
          return n <= at && (file.trashed || !(user.is_admin || sees(user.id, file)))
        })
        const all = hiddenUpTo(db, user, { pool, order_key: keyed.at(-1)!.order_key })
        // What was found before something was written is not taken.
        for (const state of [stateOf(db), 'another']) {
          const known = { state, files: state === 'another' ? [] : all }
          const hidden = hiddenUpTo(db, user, asked, known)
          hidden.sort((a, b) => a.order_key - b.order_key)
          assert.deepEqual(hidden, expected)
        }
      }
    }
  } finally {
    await library.close()
  }
})
