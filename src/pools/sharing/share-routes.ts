import { Hono } from 'hono'
import { writeAs } from '../../auth/write-as.ts'
import type { WriteDeps } from '../../db/write.ts'
import { BulkResult } from '../../files/bulk/schema.ts'
import type { AppEnv } from '../../http/env.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validBody } from '../../http/validate.ts'
import { BulkShare } from './schema.ts'
import { bulkShare } from './share.ts'

/** Returns the route that changes who may view and edit many files. */
export function shareRoutes(deps: WriteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()

  routes.post(
    '/files/bulk/share',
    operation({
      id: 'bulkShare',
      tag: 'Bulk',
      summary: 'Share many files, or the files of a pool',
      description:
        'Adds to the list of each file and takes from it; other entries stay. Files that do not ' +
        'exist, and for all but admins those that the caller did not create, are skipped. Files times ' +
        'users may be at most 200,000, and a pool may have at most 10,000 files that the caller may ' +
        'view. Entries are not undone, but whether a file is public is.',
      isAudited: true,
      responses: { 200: { description: 'What became of the files', schema: BulkResult } },
      errors: ['not_found', 'forbidden'],
    }),
    validBody(BulkShare),
    (c) => {
      const request = c.req.valid('json')
      return c.json(writeAs(deps, c, (tx, user) => bulkShare(tx, user, request)))
    },
  )

  return routes
}
