import { requireAdmin } from '../acl/access.ts'
import { seenNow } from '../auth/seen-now.ts'
import { isoTime } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { question } from '../reader/question.ts'
import { shownDetails } from './packed.ts'
import { countEntries, entryDetails, listEntries } from './queries.ts'
import type { AuditLogEntry, AuditQuery } from './schema.ts'
import { shortened } from './shorten.ts'

/** Returns a page of the log for an admin, and the total of matching entries. Throws forbidden for other users. */
export const entriesOf = question(
  'overview',
  'audit',
  (db: Db, asked: { viewer: User; query: AuditQuery }) => {
    const { viewer, query } = seenNow(db, asked)
    requireAdmin(viewer)
    const items = listEntries(db, query).map((row): AuditLogEntry => {
      const details = entryDetails(db, row.id)
      return {
        ...row,
        details: details === null ? null : shortened(shownDetails(JSON.parse(details))),
        performed_at: isoTime(row.performed_at),
      }
    })
    return { items, total: countEntries(db, query) }
  },
)
