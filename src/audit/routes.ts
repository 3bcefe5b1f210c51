import { setImmediate } from 'node:timers/promises'
import { Hono } from 'hono'
import { adminOnly } from '../acl/access.ts'
import { isoTime } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import type { AppEnv } from '../http/env.ts'
import { jsonPage } from '../http/json.ts'
import { operation } from '../http/openapi/operation.ts'
import { validQuery } from '../http/validate.ts'
import { entriesOf } from './list.ts'
import { shownDetails } from './packed.ts'
import { entryDetails, type ListedEntry } from './queries.ts'
import { type AuditLogEntry, AuditLogOffsetPage, AuditQuery } from './schema.ts'
import { shortened } from './shorten.ts'

/** Returns the route of the audit log, for admins only. */
export function auditRoutes({ db }: { db: Db }): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get(
    '/audit',
    operation({
      id: 'listAuditLog',
      tag: 'Audit',
      summary: 'Read the audit log, newest first',
      description: 'For admins only.',
      responses: { 200: { description: 'A page of entries', schema: AuditLogOffsetPage } },
    }),
    adminOnly,
    validQuery(AuditQuery),
    async (c) => {
      const query = c.req.valid('query')
      const { rows, total } = await entriesOf(db, { viewer: c.var.user, query })
      const items: AuditLogEntry[] = []
      for (const row of rows) {
        items.push(presentEntry(db, row))
        // Other requests may run between entries that take long to read.
        if (row.is_long) await setImmediate()
      }
      const { offset, limit } = query
      return jsonPage<AuditLogOffsetPage>(c, { items, total, offset, limit })
    },
  )
  return routes
}

function presentEntry(db: Db, { is_long, ...row }: ListedEntry): AuditLogEntry {
  const details = is_long ? entryDetails(db, row.id) : row.details
  return {
    ...row,
    details: details === null ? null : shortened(shownDetails(JSON.parse(details))),
    performed_at: isoTime(row.performed_at),
  }
}
