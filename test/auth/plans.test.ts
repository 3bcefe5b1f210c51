import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isKnownNetwork } from '../../src/auth/network-queries.ts'
import { findAccountByName } from '../../src/auth/queries.ts'
import { openDatabase } from '../../src/db/client.ts'

it('a name that somebody signs in with is found by its index, however many users there are', () => {
  const db = openDatabase(':memory:', { migrations: 'drizzle' })
  const texts: string[] = []
  const { prepare } = db
  db.prepare = (sql) => {
    texts.push(sql)
    return prepare(sql)
  }
  findAccountByName(db, 'somebody')
  isKnownNetwork(db, 'somebody', '192.0.2.0/24')
  assert.equal(texts.length, 2)
  for (const sql of texts) {
    const params = sql.match(/\?/g)!.map(() => '')
    const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...params)
    const [first] = plan.map(({ detail }) => detail)
    assert.match(first!, /^SEARCH users USING (COVERING )?INDEX users_name_unique \(name=\?\)$/)
  }
  db.close()
})
