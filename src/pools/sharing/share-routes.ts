import { Hono } from 'hono'
import { writeAs } from '../../auth/write-as.ts'
import { isoTime } from '../../base/time.ts'
import type { WriteDeps } from '../../db/write.ts'
import { BulkResult } from '../../files/bulk/schema.ts'
import type { AppEnv } from '../../http/env.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validBody, validQuery } from '../../http/validate.ts'
import { readNews } from './news.ts'
import { readReach } from './reach.ts'
import { BulkShare, News, NewsQuery, Reach, ReachAsked } from './schema.ts'
import { bulkShare } from './share.ts'

/** Returns the routes that change and report who may view and edit many files. */
export function shareRoutes(deps: WriteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()

  routes.post(
    '/files/bulk/share',
    operation({
      id: 'bulkShare',
      tag: 'Bulk',
      scope: 'admin',
      summary: 'Share many files, or the files of a pool',
      description:
        'Adds entries to the list of each file and removes entries from it; other entries stay. ' +
        'Files that do not exist are skipped, and so are files that the caller did not create, ' +
        'unless the caller is an admin. The number of files times the number of users may be at ' +
        'most 40,000, and a pool may have at most 10,000 files that the caller may view. An ' +
        'undo does not restore entries, but it restores whether a file is public. A pool that fills ' +
        'itself gets 409.',
      isAudited: true,
      responses: { 200: { description: 'What happened to the files', schema: BulkResult } },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validBody(BulkShare),
    (c) => {
      const request = c.req.valid('json')
      return c.json(writeAs(deps, c, (tx, user) => bulkShare(tx, user, request)))
    },
  )

  routes.post(
    '/files/reach',
    operation({
      id: 'readReach',
      tag: 'Access',
      scope: 'read',
      summary: 'Count the files that users see',
      description:
        'Counts how many of the files, or of the files of a pool, each user may view and edit: ' +
        'as their creator, through their list, through a pool that shares its files, because they ' +
        'are public, or as an admin. Only ' +
        'files that the caller may view count. Callers who are not admins learn nothing about ' +
        'the rights to files that others created; these count only as `not_yours`. Named files ' +
        'also count when they are in the trash, where they can still be viewed; files of a pool ' +
        'do not, as in its list. Unknown and blocked users get 404.',
      responses: { 200: { description: 'How many files each user sees', schema: Reach } },
      errors: ['not_found', 'forbidden'],
    }),
    validBody(ReachAsked),
    async (c) => c.json(await readReach(deps.db, c.var.user, c.req.valid('json'))),
  )

  routes.get(
    '/files/new',
    operation({
      id: 'readNews',
      tag: 'Access',
      scope: 'read',
      summary: 'Tell what others have shared',
      description:
        'Counts the files of others that the caller has been let view since a time, by name or ' +
        'through a pool, and not before. Files in the trash and files that are only public do ' +
        'not count. Keep `until` for the next request.',
      responses: { 200: { description: 'What is new', schema: News } },
    }),
    validQuery(NewsQuery),
    async (c) => {
      const { since } = c.req.valid('query')
      // Before it is read, so that what is shared meanwhile is new the next time.
      const until = isoTime(deps.clock())
      const asked = { viewer: c.var.user, since: since ?? null }
      return c.json({ ...(await readNews(deps.db, asked)), until })
    },
  )

  return routes
}
