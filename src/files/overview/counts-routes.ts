import { Hono } from 'hono'
import type { Clock } from '../../base/time.ts'
import type { Db } from '../../db/client.ts'
import type { AppEnv } from '../../http/env.ts'
import { jsonPage } from '../../http/json.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validQuery } from '../../http/validate.ts'
import { countTagsOfFiles } from './counts.ts'
import { TagCounts, TagCountsQuery } from './counts-schema.ts'
import type { Pools } from './listing.ts'

/** Returns the route that counts the files of each tag. */
export function tagCountRoutes(deps: { db: Db; clock: Clock; pools: Pools }): Hono<AppEnv> {
  const { db, clock, pools } = deps
  return new Hono<AppEnv>().get(
    '/tags/counts',
    operation({
      id: 'countTags',
      tag: 'Tags',
      scope: 'read',
      summary: 'Count the files of each tag',
      description: 'Only files and tags that the caller may view are counted.',
      responses: { 200: { description: 'How many files have each tag', schema: TagCounts } },
      errors: ['not_found', 'forbidden'],
    }),
    validQuery(TagCountsQuery),
    async (c) => {
      const query = c.req.valid('query')
      return jsonPage(c, await countTagsOfFiles(db, clock, c.var.user, query, pools))
    },
  )
}
