import { Hono } from 'hono'
import type { Db } from '../../db/client.ts'
import type { AppEnv } from '../../http/env.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validBody } from '../../http/validate.ts'
import { knownContents } from './known.ts'
import { KnownContents, KnownRequest } from './schema.ts'

/** Returns the route that reports which contents are in the library. */
export function knownFileRoutes({ db }: { db: Db }): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.post(
    '/files/known',
    operation({
      id: 'findKnownFiles',
      tag: 'Files',
      scope: 'any',
      summary: 'Find out which contents are in the library',
      description:
        'A client need not send what is already there. If the caller may not view any of the ' +
        'files that have a content, it is left out, like a content that nobody has.',
      responses: { 200: { description: 'The contents that are there', schema: KnownContents } },
    }),
    validBody(KnownRequest),
    async (c) => {
      const known = await knownContents(db, c.var.user, c.req.valid('json').sha256)
      return c.json({ known } satisfies KnownContents)
    },
  )
  return routes
}
