import assert from 'node:assert/strict'
import { isKnownNetwork } from '../../src/auth/network-queries.ts'
import { findAccountByName } from '../../src/auth/queries.ts'
import { openLibrary } from '../support/harness.ts'
import { lacksCounters, pagesRead } from '../support/pages-read.ts'
import { it } from '../support/test.ts'

/** The users fill far more pages than one look into an index and one into a table. */
const USERS = 5000
const FEW_PAGES = 15

it('a name that somebody signs in with is found by its index, however many users there are', {
  skip: lacksCounters,
}, async () => {
  const library = await openLibrary()
  try {
    const { db } = library.deps
    db.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO users (name, password_hash, is_admin, can_create, is_blocked)
       SELECT 'user ' || i, printf('%0200d', i), 0, 0, 0 FROM n`,
      USERS,
    )
    const looks: Record<string, () => unknown> = {
      account: () => findAccountByName(db, `user ${USERS / 2}`)!.name,
      'nobody else': () => findAccountByName(db, 'nobody'),
      network: () => isKnownNetwork(db, `user ${USERS / 2}`, '192.0.2.0/24'),
    }
    const found: Record<string, unknown> = {}
    for (const [what, look] of Object.entries(looks)) {
      const { result, pages } = await pagesRead(db, look)
      found[what] = result
      assert.ok(pages < FEW_PAGES, `${what}: ${pages} pages`)
    }
    assert.deepEqual(found, {
      account: `user ${USERS / 2}`,
      'nobody else': undefined,
      network: false,
    })
    const { pages } = await pagesRead(db, () => db.all('SELECT password_hash FROM users'))
    assert.ok(pages > 10 * FEW_PAGES, `the table has ${pages} pages`)
  } finally {
    await library.close()
  }
})
