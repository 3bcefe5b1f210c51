import { Hono } from 'hono'
import { adminOnly } from '../acl/access.ts'
import type { Db } from '../db/client.ts'
import type { AppEnv } from '../http/env.ts'
import { jsonPage } from '../http/json.ts'
import { operation } from '../http/openapi/operation.ts'
import { validQuery } from '../http/validate.ts'
import { entriesOf } from './list.ts'
import { AuditLogOffsetPage, AuditQuery } from './schema.ts'

/** Returns the route of the audit log, for admins only. */
export function auditRoutes({ db }: { db: Db }): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get(
    '/audit',
    operation({
      id: 'listAuditLog',
      tag: 'Audit',
      scope: 'admin',
      summary: 'Read the audit log, newest first',
      description: 'For admins only.',
      responses: { 200: { description: 'A page of entries', schema: AuditLogOffsetPage } },
    }),
    adminOnly,
    validQuery(AuditQuery),
    async (c) => {
      const query = c.req.valid('query')
      const { offset, limit } = query
      const page = await entriesOf(db, { viewer: c.var.user, query })
      return jsonPage<AuditLogOffsetPage>(c, { ...page, offset, limit })
    },
  )
  return routes
}
