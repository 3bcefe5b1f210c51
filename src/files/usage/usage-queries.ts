import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { usage } from '../../db/schema/usage.ts'

const total = prepared({}, (db) =>
  db
    .select({
      files: sql<number>`coalesce(sum(${usage.file_count}), 0)`.as('files'),
      bytes: sql<number>`coalesce(sum(${usage.bytes}), 0)`.as('bytes'),
    })
    .from(usage),
)

/** Returns how many files there are, trashed ones included, and how many bytes they have together. */
export function totalUsage(db: Db): { files: number; bytes: number } {
  return total.get(db, {})!
}
