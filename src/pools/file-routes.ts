import { Hono } from 'hono'
import { requireExists } from '../acl/queries.ts'
import { writeAs } from '../auth/write-as.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import { jsonText } from '../http/json.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody, validPath, validQuery } from '../http/validate.ts'
import { type LongWriteDeps, writeLongAs } from '../long-changes/write-long.ts'
import { addFiles, loadAddedFiles, removeFiles } from './arrange.ts'
import { listPoolFiles } from './list.ts'
import { findHidden, loadPool } from './queries.ts'
import { reorderFiles } from './reorder.ts'
import {
  PoolFileCursorPage,
  PoolFilesAdd,
  PoolFilesQuery,
  PoolFilesRemove,
  PoolPath,
  PoolReorder,
} from './schema.ts'

/** Returns the routes of the files of a pool. */
export function poolFileRoutes(deps: LongWriteDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()
  const path = '/pools/:pool_id/files'

  routes.get(
    path,
    operation({
      id: 'listPoolFiles',
      tag: 'Pools',
      scope: 'read',
      summary: 'List the files of a pool in its active sort',
      description: 'Lists the files that the caller may view and that are not in the trash.',
      responses: {
        200: { description: 'A page of files with their positions', schema: PoolFileCursorPage },
      },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(PoolPath),
    validQuery(PoolFilesQuery),
    async (c) => {
      const { user } = c.var
      const pool = (viewer: User) => loadPool(db, viewer, c.req.valid('param').pool_id, 'view')
      return jsonText(c, await listPoolFiles(db, user, pool, c.req.valid('query')))
    },
  )

  routes.post(
    path,
    operation({
      id: 'addPoolFiles',
      tag: 'Pools',
      scope: 'tag',
      summary: 'Add files to a pool',
      description:
        'For callers who may edit the pool and view the files. A file that is already in the ' +
        'pool stays where it is. If the pool has `shares_files`, the added files that the caller ' +
        'created (all of them, if the caller is an admin) are shared with the people on its access list. ' +
        'A pool that fills itself gets 409.',
      isAudited: true,
      responses: { 201: null },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(PoolPath),
    validBody(PoolFilesAdd),
    async (c) => {
      await writeLongAs(deps, c, (tx, user) => {
        const { pool_id } = c.req.valid('param')
        requireExists(tx, 'pool', pool_id)
        const { file_ids, position } = c.req.valid('json')
        const files = loadAddedFiles(tx, user, file_ids)
        return addFiles(tx, user, loadPool(tx, user, pool_id, 'edit'), { files, position })
      })
      return c.body(null, 201)
    },
  )

  routes.post(
    `${path}/remove`,
    operation({
      id: 'removePoolFiles',
      tag: 'Pools',
      scope: 'tag',
      summary: 'Remove files from a pool',
      description:
        'Files that are not in the pool or that the caller may not view are skipped. A pool that ' +
        'fills itself gets 409.',
      isAudited: true,
      isDeletion: true,
      responses: { 204: null },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(PoolPath),
    validBody(PoolFilesRemove),
    (c) => {
      const remove = (tx: Tx, user: User) => {
        const pool = loadPool(tx, user, c.req.valid('param').pool_id, 'edit')
        removeFiles(tx, user, pool, c.req.valid('json').file_ids)
      }
      writeAs(deps, c, remove, { isDeletion: true })
      return c.body(null, 204)
    },
  )

  routes.put(
    `${path}/reorder`,
    operation({
      id: 'reorderPoolFiles',
      tag: 'Pools',
      scope: 'tag',
      summary: 'Arrange the files of a pool by hand',
      description: 'If the pool is sorted automatically, the answer is 400.',
      isAudited: true,
      responses: { 204: null },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(PoolPath),
    validBody(PoolReorder),
    async (c) => {
      const { pool_id } = c.req.valid('param')
      const { file_ids } = c.req.valid('json')
      const pool = loadPool(db, c.var.user, pool_id, 'edit')
      const known = await findHidden(db, c.var.user, { pool, ids: file_ids })
      writeAs(deps, c, (tx, user) => {
        const pool = loadPool(tx, user, pool_id, 'edit')
        reorderFiles(tx, user, pool, { file_ids, known })
      })
      return c.body(null, 204)
    },
  )

  return routes
}
