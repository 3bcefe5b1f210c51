import { Hono } from 'hono'
import { z } from 'zod'
import { audit } from '../audit/record.ts'
import type { ObjectType } from '../base/enums.ts'
import { AppError } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { AppEnv } from '../http/env.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody, validPath } from '../http/validate.ts'
import { type LongWriteDeps, writeLongAs } from '../long-changes/write-long.ts'
import { sharePool } from '../pools/sharing/through.ts'
import { findObject, listPermissions, replacePermissions, requireKnownUsers } from './queries.ts'
import { AclPath, AclUpdate, Permission } from './schema.ts'

/** Returns the routes of access control lists, for an object's creator and admins only. */
export function aclRoutes(deps: LongWriteDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()
  const path = '/acl/:object_type/:object_id'

  routes.get(
    path,
    operation({
      id: 'listPermissions',
      tag: 'Access',
      scope: 'admin',
      summary: 'List who may view and edit an object',
      description: 'For its creator and admins only.',
      responses: {
        200: { description: 'The entries, ordered by user', schema: z.array(Permission) },
      },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(AclPath),
    (c) => {
      const { object_type, object_id } = c.req.valid('param')
      const { rid } = loadOwned(db, c.var.user, object_type, object_id)
      return c.json(listPermissions(db, object_type, rid))
    },
  )

  routes.put(
    path,
    operation({
      id: 'replacePermissions',
      tag: 'Access',
      scope: 'admin',
      summary: 'Replace the list of who may view and edit an object',
      description:
        'For its creator and admins only. An entry with `can_edit` is also stored with ' +
        '`can_view`. If a pool has `shares_files`, new people on its list can view the files that ' +
        'are already shared through it and the files of the caller (all files, if the caller is an ' +
        'admin). People who are taken off the list can no longer view them. The list of a file does ' +
        'not show who can view it through a pool.',
      isAudited: true,
      responses: {
        200: { description: 'The entries, ordered by user', schema: z.array(Permission) },
      },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(AclPath),
    validBody(AclUpdate),
    async (c) => {
      const { permissions } = c.req.valid('json')
      let replaced: Permission[] = []
      await writeLongAs(deps, c, (tx, user) => {
        const { object_type, object_id } = c.req.valid('param')
        const { rid } = loadOwned(tx, user, object_type, object_id)
        requireKnownUsers(tx, 'permissions', permissions)
        const before = listPermissions(tx, object_type, rid)
        replacePermissions(tx, { type: object_type, rid }, permissions)
        const after = listPermissions(tx, object_type, rid)
        replaced = after
        if (JSON.stringify(before) === JSON.stringify(after)) return { result: null }
        const object = { type: object_type, id: object_id }
        audit(tx, user, 'acl_change', object, { from: before, to: after })
        if (object_type !== 'pool') return { result: null }
        return sharePool(tx, user, rid, { before, now: after })
      })
      return c.json(replaced)
    },
  )

  return routes
}

function loadOwned(db: Db, user: User, type: ObjectType, id: string): { rid: number } {
  const object = findObject(db, type, id)
  if (!object) throw new AppError('not_found', `There is no such ${type}`)
  if (!user.is_admin && object.creator_id !== user.id) {
    throw new AppError('forbidden', 'Only its creator and admins may see and change who has access')
  }
  return object
}
