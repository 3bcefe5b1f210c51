import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDatabase } from '../../src/db/client.ts'
import { plannedOnce } from '../../src/db/planned-once.ts'

describe('a statement that is planned once', () => {
  it('has a plus before each parameter, and its texts and names as they are', () => {
    assert.equal(
      plannedOnce(`SELECT '?', 'it''s ?', "a?" FROM t WHERE a = ? AND b IN (?, ?) LIMIT ?`),
      `SELECT '?', 'it''s ?', "a?" FROM t WHERE a = +? AND b IN (+?, +?) LIMIT +?`,
    )
  })

  it('gives each value as it was bound, whatever its type', () => {
    const db = openDatabase(':memory:')
    const values = ['7', 'ä?', '', -7, 0.1, null, new Uint8Array([0, 63, 255])]
    for (const value of values) {
      const row = db.get<{ value: unknown; type: string }>(
        "SELECT ? AS value, typeof(?) AS type, '?' AS mark",
        value,
        value,
      )!
      const type = { string: 'text', number: 'real', object: value === null ? 'null' : 'blob' }
      const { value: given, ...rest } = row
      assert.deepEqual(given instanceof Uint8Array ? new Uint8Array(given) : given, value)
      // Node binds an integer as a real number.
      if (value !== -7) assert.deepEqual(rest, { type: type[typeof value as 'string'], mark: '?' })
    }
    db.run('CREATE TABLE t (a TEXT, b INTEGER, c BLOB) STRICT')
    db.run('INSERT INTO t VALUES (?, ?, ?)', '7', 7, new Uint8Array([7]))
    const found = db.get<{ n: number }>(
      'SELECT count(*) AS n FROM t WHERE a = ? AND b = ? AND c = ? LIMIT ? OFFSET ?',
      ...['7', 7, new Uint8Array([7]), 1, 0],
    )
    assert.deepEqual({ ...found }, { n: 1 })
    db.close()
  })

  it('has a plan that no value decides', () => {
    const db = openDatabase(':memory:', { migrations: 'drizzle' })
    // The index `file_details_damaged` is for this value alone.
    for (const value of [1, 0]) {
      const plan = db.all<{ detail: string }>(
        'EXPLAIN QUERY PLAN SELECT file_rid FROM file_details WHERE is_damaged = ?',
        value,
      )
      assert.deepEqual(
        plan.map(({ detail }) => detail),
        ['SCAN file_details'],
        String(value),
      )
    }
    db.close()
  })
})
