import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openDatabase } from '../../src/db/client.ts'
import { findStandIn, listCopies } from '../../src/files/known/queries.ts'

it('the files of a content are found in the order of the index, however many there are', () => {
  const db = openDatabase(':memory:', { migrations: 'drizzle' })
  const texts: string[] = []
  const { prepare } = db
  db.prepare = (sql) => {
    texts.push(sql)
    return prepare(sql)
  }
  for (const is_admin of [true, false]) {
    const user = { id: 1, name: 'Ann', is_admin, can_create: true }
    assert.deepEqual(listCopies(db, user, Buffer.alloc(32), 10), [])
    assert.equal(findStandIn(db, user, Buffer.alloc(32)), undefined)
  }
  assert.ok(texts.length >= 4)
  for (const sql of texts) {
    const params = sql.match(/\?/g)!.map(() => 1)
    const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...params)
    const [first, ...rest] = plan.map(({ detail }) => detail)
    assert.match(
      first!,
      /^SEARCH file_details USING (COVERING )?INDEX file_details_sha256 \(sha256=\?\)$/,
    )
    assert.ok(!rest.some((detail) => detail.includes('B-TREE')), rest.join('\n'))
  }
  db.close()
})
