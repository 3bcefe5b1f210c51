import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { usage } from '../../db/schema/users.ts'

const total = prepared({}, (db) =>
  reading(
    {
      files: sql<number>`coalesce(sum(${usage.file_count}), 0)`.as('files'),
      bytes: sql<number>`coalesce(sum(${usage.bytes}), 0)`.as('bytes'),
    },
    (fields) => db.select(fields).from(usage),
  ),
)

/** Returns the number of files, trashed ones included, and their total bytes. */
export function totalUsage(db: Db): { files: number; bytes: number } {
  return total.get(db, {})!
}
