import { Hono } from 'hono'
import { z } from 'zod'
import { audit } from '../audit/record.ts'
import { writeAs } from '../auth/write-as.ts'
import type { ObjectType } from '../base/enums.ts'
import { AppError } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { WriteDeps } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody, validPath } from '../http/validate.ts'
import { findObject, listPermissions, replacePermissions, requireKnownUsers } from './queries.ts'
import { AclPath, AclUpdate, Permission } from './schema.ts'

/** Returns the routes of access control lists, for an object's creator and admins only. */
export function aclRoutes(deps: WriteDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()
  const path = '/acl/:object_type/:object_id'

  routes.get(
    path,
    operation({
      id: 'listPermissions',
      tag: 'Access',
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
      summary: 'Replace the list of who may view and edit an object',
      description:
        'For its creator and admins only. An entry with `can_edit` is also stored with ' +
        '`can_view`.',
      isAudited: true,
      responses: {
        200: { description: 'The entries, ordered by user', schema: z.array(Permission) },
      },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(AclPath),
    validBody(AclUpdate),
    (c) => {
      const { permissions } = c.req.valid('json')
      const replaced = writeAs(deps, c, (tx, user) => {
        const { object_type, object_id } = c.req.valid('param')
        const { rid } = loadOwned(tx, user, object_type, object_id)
        requireKnownUsers(tx, 'permissions', permissions)
        const before = listPermissions(tx, object_type, rid)
        replacePermissions(tx, { type: object_type, rid }, permissions)
        const after = listPermissions(tx, object_type, rid)
        if (JSON.stringify(before) !== JSON.stringify(after)) {
          const object = { type: object_type, id: object_id }
          audit(tx, user, 'acl_change', object, { from: before, to: after })
        }
        return after
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
