import { requireAdmin } from '../acl/access.ts'
import { seenNow } from '../auth/seen-now.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { question } from '../reader/question.ts'
import { countEntries, listEntries } from './queries.ts'
import type { AuditQuery } from './schema.ts'

/** Returns a page of the log for an admin, and the total of matching entries. Throws forbidden for other users. */
export const entriesOf = question(
  'overview',
  'audit',
  (db: Db, asked: { viewer: User; query: AuditQuery }) => {
    const { viewer, query } = seenNow(db, asked)
    requireAdmin(viewer)
    return { rows: listEntries(db, query), total: countEntries(db, query) }
  },
)
