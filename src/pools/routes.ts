import { Hono } from 'hono'
import { creatorsOnly, requireCreator } from '../acl/access.ts'
import { objectsAllowed } from '../acl/queries.ts'
import { requireSameViewers } from '../auth/keys/scopes.ts'
import { writeAs } from '../auth/write-as.ts'
import { isoTime } from '../base/time.ts'
import type { User } from '../base/user.ts'
import { idTime } from '../db/ids.ts'
import { recordView } from '../files/view-queries.ts'
import type { AppEnv } from '../http/env.ts'
import { jsonPage } from '../http/json.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody, validPath, validQuery } from '../http/validate.ts'
import { type LongWriteDeps, writeLongAs } from '../long-changes/write-long.ts'
import { countPoolFiles } from './count.ts'
import { createPool, editPool } from './edit.ts'
import { listPools, loadPool, type PoolRecord } from './queries.ts'
import { removalUnderWay, removePool } from './remove.ts'
import { Pool, PoolCreate, PoolOffsetPage, PoolPath, PoolsQuery, PoolUpdate } from './schema.ts'

/** Returns the routes of pools themselves. */
export function poolRoutes(deps: LongWriteDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()
  const presentAll = async (user: User, pools: PoolRecord[]): Promise<Pool[]> => {
    const counts = await countPoolFiles(db, deps.clock, user, pools)
    const ids = pools.map((pool) => pool.id)
    const editable = new Set(objectsAllowed(db, user, 'pool', 'edit', ids))
    return pools.map((pool) => presentPool(pool, { counts, editable }))
  }
  const present = async (user: User, pool: PoolRecord) => (await presentAll(user, [pool]))[0]!

  routes.get(
    '/pools',
    operation({
      id: 'listPools',
      tag: 'Pools',
      scope: 'read',
      summary: 'List pools',
      description: 'Those that the caller may view.',
      responses: { 200: { description: 'A page of pools', schema: PoolOffsetPage } },
    }),
    validQuery(PoolsQuery),
    async (c) => {
      const query = c.req.valid('query')
      const { rows, total } = listPools(db, c.var.user, query)
      const items = await presentAll(c.var.user, rows)
      const { offset, limit } = query
      return jsonPage<PoolOffsetPage>(c, { items, total, offset, limit })
    },
  )

  routes.post(
    '/pools',
    operation({
      id: 'createPool',
      tag: 'Pools',
      scope: 'tag',
      summary: 'Create a pool',
      description:
        'For users who may create. A user who is not an admin may create at most 10,000 pools. ' +
        'Any more get 409. The files are in the order that people give them until `sort_key` is ' +
        'changed. With a `filter`, they are sorted by `content_datetime`, newest first.',
      isAudited: true,
      responses: { 201: { description: 'The new pool', schema: Pool } },
      errors: ['conflict'],
    }),
    creatorsOnly,
    validBody(PoolCreate),
    async (c) => {
      requireSameViewers(c, c.req.valid('json'))
      const pool = writeAs(deps, c, (tx, user) => {
        requireCreator(user)
        return loadPool(tx, user, createPool(tx, user, c.req.valid('json')), 'view')
      })
      return c.json(await present(c.var.user, pool), 201)
    },
  )

  const path = '/pools/:pool_id'

  routes.get(
    path,
    operation({
      id: 'getPool',
      tag: 'Pools',
      scope: 'read',
      summary: 'Get a pool',
      description: 'For callers who may view it.',
      responses: { 200: { description: 'The pool', schema: Pool } },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(PoolPath),
    async (c) => {
      const pool = loadPool(db, c.var.user, c.req.valid('param').pool_id, 'view')
      return c.json(await present(c.var.user, pool))
    },
  )

  routes.patch(
    path,
    operation({
      id: 'updatePool',
      tag: 'Pools',
      scope: 'tag',
      summary: 'Change a pool and how it is sorted',
      description:
        'A `sort_key` other than `manual` sorts the files by that field. The manual order is ' +
        'saved for later. Only an empty pool that no filter names may get a `filter`, and one with a ' +
        'filter can neither be `manual` nor have `shares_files`: 409. A `filter` for a pool in ' +
        'manual order sorts it as a new one with a `filter`, unless `sort_key` says otherwise. When `shares_files` changes, ' +
        'the answer comes after the change reached all files; other requests are served in the meantime.',
      isAudited: true,
      responses: { 200: { description: 'The changed pool', schema: Pool } },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(PoolPath),
    validBody(PoolUpdate),
    async (c) => {
      requireSameViewers(c, c.req.valid('json'))
      let edited: PoolRecord | undefined
      await writeLongAs(deps, c, (tx, user) => {
        const pool = loadPool(tx, user, c.req.valid('param').pool_id, 'edit')
        const begun = editPool(tx, user, pool, c.req.valid('json'))
        edited = loadPool(tx, user, pool.id, 'view')
        return begun
      })
      return c.json(await present(c.var.user, edited!))
    },
  )

  routes.delete(
    path,
    operation({
      id: 'deletePool',
      tag: 'Pools',
      scope: 'admin',
      summary: 'Delete a pool; its files stay',
      description:
        'It disappears at once. The answer comes when all files have been removed from it; ' +
        'other requests go on meanwhile.',
      isAudited: true,
      isDeletion: true,
      responses: { 204: null },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(PoolPath),
    async (c) => {
      const { pool_id } = c.req.valid('param')
      await writeLongAs(deps, c, (tx, user) => {
        return (
          removalUnderWay(tx, user, pool_id) ??
          removePool(tx, user, loadPool(tx, user, pool_id, 'edit'))
        )
      })
      return c.body(null, 204)
    },
  )

  routes.post(
    `${path}/views`,
    operation({
      id: 'recordPoolView',
      tag: 'Pools',
      scope: 'read',
      summary: 'Record that the caller viewed a pool',
      description:
        'For callers who may view it. Views of one day count once, with the time of the last.',
      responses: { 204: null },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(PoolPath),
    (c) => {
      writeAs(deps, c, (tx, user) => {
        const pool = loadPool(tx, user, c.req.valid('param').pool_id, 'view')
        recordView(tx, { type: 'pool', rid: pool.rid }, user.id)
      })
      return c.body(null, 204)
    },
  )

  return routes
}

function presentPool(
  pool: PoolRecord,
  { counts, editable }: { counts: Map<number, number>; editable: Set<string> },
): Pool {
  return {
    id: pool.id,
    name: pool.name,
    notes: pool.notes,
    metadata: pool.metadata && JSON.parse(pool.metadata),
    creator_id: pool.creator_id,
    creator_name: pool.creator_name,
    is_public: pool.is_public,
    sort_key: pool.sort_key,
    sort_order: pool.sort_order,
    shares_files: pool.shares_files,
    is_smart: pool.filter !== null,
    filter: editable.has(pool.id) ? pool.filter : null,
    may_edit: editable.has(pool.id),
    file_count: counts.get(pool.rid)!,
    created_at: isoTime(idTime(pool.id)),
  }
}
