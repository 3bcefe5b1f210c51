import { getTableName, type SQL } from 'drizzle-orm'
import type { MiddlewareHandler } from 'hono'
import type { ObjectType } from '../base/enums.ts'
import { AppError } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { columnNames } from '../db/columns.ts'
import { type Given, type Parameters, type Prepared, prepared } from '../db/prepared.ts'
import type { Reading } from '../db/reading.ts'
import { acl } from '../db/schema/acl.ts'
import { files } from '../db/schema/files.ts'
import { pools } from '../db/schema/pools.ts'
import { categories, tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'
import { asSql, type Sql } from '../db/sql.ts'
import type { AppEnv } from '../http/env.ts'
import { withPart } from '../http/openapi/operation.ts'
import type { Permission } from './schema.ts'

export type Right = 'view' | 'edit'

/** The tables of the objects that have rights of their own. */
export const OBJECTS = { file: files, tag: tags, category: categories, pool: pools } as const

const a = columnNames(acl, 'acl')
const GRANTED = { view: a.can_view, edit: a.can_edit }
const NAMES = {
  file: columnNames(files),
  tag: columnNames(tags),
  category: columnNames(categories),
  pool: columnNames(pools),
}

/**
 * Returns the condition that `user` has a right to the object in the row `alias`: the one rule that lists, loads and
 * bulk operations share. For admins it is the constant 1.
 */
export function accessCondition(
  user: Pick<User, 'id' | 'is_admin'>,
  type: ObjectType,
  right: Right,
  alias: string,
): Sql {
  if (user.is_admin) return { sql: '1', params: [] }
  const { rid, creator_id, is_public } = NAMES[type]
  const isPublic = right === 'view' ? `${alias}.${is_public} = 1 OR ` : ''
  return {
    sql: `(${alias}.${creator_id} = ? OR ${isPublic}EXISTS (
      SELECT 1 FROM acl
      WHERE ${a.user_id} = ? AND ${a.object_type} = '${type}' AND ${a.object_rid} = ${alias}.${rid}
        AND ${GRANTED[right]} = 1))`,
    params: [user.id, user.id],
  }
}

/** Rows of an index that name objects. */
export interface Rows {
  from: Sql
  where: Sql
  /** The column of the objects' row numbers. */
  column: string
  /** Whether it names each object once, in the order of row numbers. */
  isOrdered: boolean
  /** Whether it may name an object several times. */
  repeats?: boolean
}

/**
 * Returns the same rule for all files at once, for a user who is no admin: those that they created, those that
 * everybody may view, and those of the access list, in the trash or not. A file may be in several.
 */
export function allowedParts({ id }: Pick<User, 'id'>, right: Right): Rows[] {
  const { rid, creator_id, is_public } = NAMES.file
  const part = (from: string, sql: string, column: string, isOrdered = true): Rows => ({
    from: { sql: from, params: [] },
    where: { sql, params: sql.includes('?') ? [id] : [] },
    column,
    isOrdered,
    repeats: !isOrdered,
  })
  return [
    part('files INDEXED BY files_creator', `${creator_id} = ?`, rid),
    ...(right === 'view' ? [part('files INDEXED BY files_public', `${is_public} = 1`, rid)] : []),
    part(
      'acl',
      `${a.user_id} = ? AND ${a.object_type} = 'file' AND ${GRANTED[right]} = 1`,
      a.object_rid,
      // A file may have one entry by hand, and others through pools.
      false,
    ),
  ]
}

// The parameter that `preparedWithAccess` adds: the id of the user whose rights are checked.
const USER = { user: users.id }

/**
 * Returns a prepared query for an object of a type. `build` must select `allowed`: whether the user has the right. It
 * is built once for each right, and once more for admins, who have every right.
 */
export function preparedWithAccess<P extends Parameters, Row>(
  type: ObjectType,
  parameters: P,
  build: (db: Db, given: Given<P>, allowed: SQL.Aliased<boolean>) => Reading<Row>,
): (user: User, right: Right) => Prepared<P & typeof USER, Row> {
  const queries = new Map<string, Prepared<P & typeof USER, Row>>()
  return ({ is_admin }, right) => {
    const key = `${is_admin} ${right}`
    const known = queries.get(key)
    if (known) return known
    const rule = accessCondition({ id: 0, is_admin }, type, right, getTableName(OBJECTS[type]))
    const query = prepared({ ...parameters, ...USER }, (db, given) => {
      const users = rule.params.map(() => given.user)
      return build(db, given as Given<P>, asSql(rule, users).as('allowed'))
    })
    queries.set(key, query)
    return query
  }
}

/**
 * Returns the row of an object without its `allowed`. Throws not_found for a missing row and forbidden for one that the
 * user has no right to.
 */
export function requireAllowed<Row extends { allowed: boolean }>(
  row: Row | undefined,
  type: ObjectType,
): Omit<Row, 'allowed'> {
  if (!row) throw new AppError('not_found', `There is no such ${type}`)
  const { allowed, ...object } = row
  if (!allowed) throw new AppError('forbidden', `You may not do that to this ${type}`)
  return object
}

/** Lets admins pass; everybody else gets 403. */
export const adminOnly = withPart<MiddlewareHandler<AppEnv>>(
  (c, next) => {
    requireAdmin(c.var.user)
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

/** Throws forbidden for a user who is no admin. */
export function requireAdmin(user: User): void {
  if (!user.is_admin) throw new AppError('forbidden', 'Only admins may do that')
}

/** Throws forbidden for a user who may not upload and create. */
export function requireCreator(user: User): void {
  if (user.is_admin || user.can_create) return
  throw new AppError('forbidden', 'You may not upload files or create objects')
}

/** Returns whether a user had the right to edit an object that is gone, by the rights that it had. */
export function couldEdit(
  user: User,
  { creator_id, permissions }: { creator_id: number; permissions: Permission[] },
): boolean {
  const mayEdit = permissions.some((entry) => entry.user_id === user.id && entry.can_edit)
  return user.is_admin || user.id === creator_id || mayEdit
}
