import type { MiddlewareHandler } from 'hono'
import type { Sql } from '../db/sql.ts'
import type { ObjectType } from '../enums.ts'
import { AppError } from '../errors.ts'
import type { AppEnv } from '../http/env.ts'
import { withPart } from '../http/openapi/operation.ts'
import type { User } from '../user.ts'

export type Right = 'view' | 'edit'

/**
 * Returns the condition that `user` has a right to the object in the row `alias`: the one rule that
 * lists, loads and bulk operations share. For admins it is the constant 1.
 */
export function accessCondition(user: User, type: ObjectType, right: Right, alias: string): Sql {
  if (user.is_admin) return { sql: '1', params: [] }
  const isPublic = right === 'view' ? `${alias}.is_public = 1 OR ` : ''
  return {
    sql: `(${alias}.creator_id = ? OR ${isPublic}EXISTS (SELECT 1 FROM acl WHERE acl.user_id = ? AND acl.object_type = '${type}' AND acl.object_rid = ${alias}.rid AND acl.can_${right} = 1))`,
    params: [user.id, user.id],
  }
}

/** Throws not_found for a missing row and forbidden for one that the user has no right to. */
export function requireAllowed<Row extends { allowed: number }>(
  row: Row | undefined,
  type: ObjectType,
): Row {
  if (!row) throw new AppError('not_found', `There is no such ${type}`)
  if (!row.allowed) throw new AppError('forbidden', `You may not do that to this ${type}`)
  return row
}

/** Lets admins pass; everybody else gets 403. */
export const adminOnly = withPart<MiddlewareHandler<AppEnv>>(
  (c, next) => {
    if (!c.var.user.is_admin) throw new AppError('forbidden', 'Only admins may do that')
    return next()
  },
  { errors: ['forbidden'] },
)

/** Lets users who may upload and create pass; everybody else gets 403. */
export const creatorsOnly = withPart<MiddlewareHandler<AppEnv>>(
  (c, next) => {
    requireCreator(c.var.user)
    return next()
  },
  { errors: ['forbidden'] },
)

/** Throws forbidden for a user who may not upload and create. */
export function requireCreator(user: User): void {
  if (user.is_admin || user.can_create) return
  throw new AppError('forbidden', 'You may not upload files or create objects')
}
