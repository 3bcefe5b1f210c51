import { type AuditFilters, countEntries, listEntries } from '../../src/audit/queries.ts'
import type { Db } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import { makeLibrary } from './library.ts'
import { measure, printTable } from './measure.ts'

const ENTRIES = 1_000_000
const START = Date.UTC(2020, 0, 1)
const MINUTE = 60_000
const OBJECT = '018bcfe5-6800-7000-8000-0000000003e8'

/** Prints how long pages of a log of a million entries take with each filter. */
export async function bench(): Promise<void> {
  const library = makeLibrary({ files: 1 })
  const db = library.reopen()
  try {
    fillLog(db)
    const day = { from: START + 300_000 * MINUTE, to: START + 301_440 * MINUTE }
    const tagging = { action: 'file_tag_add' }
    const cases: [string, AuditFilters, number?][] = [
      ['all', {}],
      ['all, 900,000 deep', {}, 900_000],
      ['a user with 3 of 4', { user_id: 2 }],
      ['a user with 1 of 4', { user_id: 1 }],
      ['an action with 9 of 10', tagging],
      ['an action with 1 of 1000', { action: 'file_edit' }],
      ['an unknown action', { action: 'file_explode' }],
      ['the type of nearly all', { object_type: 'file' }],
      ['a type of few', { object_type: 'pool' }],
      ['an object', { object_id: OBJECT }],
      ['a day', day],
      ['since the middle', { from: START + 500_000 * MINUTE }],
      ['until the middle', { to: START + 500_000 * MINUTE }],
      ['action and user, both frequent', { ...tagging, user_id: 2 }],
      ['action and user, 600,000 deep', { ...tagging, user_id: 2 }, 600_000],
      ['action and type, both frequent', { ...tagging, object_type: 'file' }],
      ['a frequent action, by nobody', { ...tagging, user_id: 99 }],
      ['user, action and a day', { ...tagging, user_id: 2, ...day }],
      ['all filters', { ...tagging, user_id: 2, object_type: 'file', object_id: OBJECT, ...day }],
    ]
    const rows = []
    for (const [name, filters, offset = 0] of cases) {
      const page = await measure(() => listEntries(db, { ...filters, offset, limit: 50 }))
      const count = await measure(() => countEntries(db, filters))
      const total = countEntries(db, filters)
      rows.push({
        'audit of a million': name,
        'page, p50': page.p50,
        'page, p99': page.p99,
        'total, p50': count.p50,
        'total, p99': count.p99,
        total,
      })
    }
    printTable('a page of 50 entries, and the total', rows)
  } finally {
    db.close()
    library.remove()
  }
}

/** Writes a million entries, one per minute: nine of ten put tags on files, three of four are by one user. */
export function fillLog(db: Db): void {
  write(db, { now: 0 }, () => {
    db.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO audit_log (user_id, user_name, action, object_type, object_id, details, performed_at)
       SELECT 1 + (i % 4 > 0), 'somebody',
         CASE WHEN i % 1000 = 5 THEN 'file_edit' WHEN i % 10 = 0 THEN 'pool_edit' ELSE 'file_tag_add' END,
         CASE WHEN i % 10 = 0 THEN 'pool' ELSE 'file' END,
         unhex('018bcfe5680070008000' || printf('%012x', i % 50000)),
         '{"tag_ids":["018bcfe5-6805-7000-8000-000000000040"]}', ? + i * ?
       FROM n`,
      ENTRIES,
      START,
      MINUTE,
    )
  })
  db.run('ANALYZE')
}
