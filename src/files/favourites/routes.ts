import { Hono } from 'hono'
import { writeAs } from '../../auth/write-as.ts'
import type { WriteDeps } from '../../db/write.ts'
import type { AppEnv } from '../../http/env.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validBody, validPath } from '../../http/validate.ts'
import { filesAllowed, resultOf, ridsOf } from '../bulk/bulk.ts'
import { BulkFavourite, BulkResult } from '../bulk/schema.ts'
import { loadFile } from '../queries.ts'
import { FilePath } from '../schema.ts'
import { addFavourites, removeFavourites } from './favourite-queries.ts'

const OWN = 'Favourites are of each user alone: nobody else sees them, and admins do not either.'

/** Returns the routes that make files favourites of the caller. */
export function favouriteRoutes(deps: WriteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()

  routes.put(
    '/files/:file_id/favourite',
    operation({
      id: 'addFavourite',
      tag: 'Files',
      scope: 'tag',
      summary: 'Make a file a favourite of the caller',
      description:
        `For callers who may view it. ${OWN} One that the caller loses sight of is a favourite ` +
        'again when it comes back.',
      responses: { 204: null },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    (c) => {
      writeAs(deps, c, (tx, user) => {
        const file = loadFile(tx, user, c.req.valid('param').file_id, 'view')
        addFavourites(tx, user, [file.rid])
      })
      return c.body(null, 204)
    },
  )

  routes.delete(
    '/files/:file_id/favourite',
    operation({
      id: 'removeFavourite',
      tag: 'Files',
      scope: 'tag',
      summary: 'Make a file a favourite of the caller no longer',
      description: 'For callers who may view it.',
      responses: { 204: null },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    (c) => {
      writeAs(deps, c, (tx, user) => {
        const file = loadFile(tx, user, c.req.valid('param').file_id, 'view')
        removeFavourites(tx, user, [file.rid])
      })
      return c.body(null, 204)
    },
  )

  routes.post(
    '/files/bulk/favourite',
    operation({
      id: 'bulkFavourite',
      tag: 'Bulk',
      scope: 'tag',
      summary: 'Make many files favourites of the caller, or no longer',
      description: `Files that do not exist or that the caller may not view are skipped. ${OWN}`,
      responses: { 200: { description: 'What happened to the files', schema: BulkResult } },
    }),
    validBody(BulkFavourite),
    (c) => {
      const { file_ids, is_favourite } = c.req.valid('json')
      const result = writeAs(deps, c, (tx, user) => {
        const files = filesAllowed(tx, user, 'view', file_ids)
        const change = is_favourite ? addFavourites : removeFavourites
        return resultOf(file_ids, files, change(tx, user, ridsOf(files)))
      })
      return c.json(result)
    },
  )

  return routes
}
