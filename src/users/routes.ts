import { Hono } from 'hono'
import { z } from 'zod'
import { adminOnly, requireAdmin } from '../acl/access.ts'
import { audit } from '../audit/record.ts'
import { clientOf } from '../auth/client.ts'
import { writeAs } from '../auth/write-as.ts'
import type { Config } from '../base/config.ts'
import { AppError } from '../base/errors.ts'
import type { AppEnv } from '../http/env.ts'
import { OffsetQuery } from '../http/fields.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody, validPath, validQuery } from '../http/validate.ts'
import { type LongWriteDeps, writeLongAs } from '../long-changes/write-long.ts'
import { type ConfirmDeps, confirmPassword } from './confirm.ts'
import { getUser, insertUser, listPeople, listUsers } from './queries.ts'
import { removalUnderWay, removeUser } from './remove.ts'
import {
  Person,
  selfUpdate,
  User,
  UserOffsetPage,
  UserPath,
  UserUpdate,
  userCreate,
} from './schema.ts'
import { updateRights, updateSelf } from './update.ts'

interface UserDeps extends ConfirmDeps, LongWriteDeps {
  config: ConfirmDeps['config'] & Pick<Config, 'passwordMinLength' | 'trustedProxies'>
}

/** Returns the routes of users, which belong behind the guard. */
export function userRoutes(deps: UserDeps): Hono<AppEnv> {
  const { db, config, passwords } = deps
  const UserCreate = userCreate(config.passwordMinLength)
  const SelfUpdate = selfUpdate(config.passwordMinLength)

  return new Hono<AppEnv>()
    .get(
      '/users',
      operation({
        id: 'listUsers',
        tag: 'Users',
        scope: 'admin',
        summary: 'List users',
        description: 'For admins only.',
        responses: { 200: { description: 'A page of users', schema: UserOffsetPage } },
      }),
      adminOnly,
      validQuery(OffsetQuery),
      (c) => {
        const query = c.req.valid('query')
        return c.json({ ...listUsers(db, query), ...query } satisfies UserOffsetPage)
      },
    )
    .post(
      '/users',
      operation({
        id: 'createUser',
        tag: 'Users',
        summary: 'Create a user',
        description: 'For admins only.',
        isAudited: true,
        responses: { 201: { description: 'The new user', schema: User } },
        errors: ['conflict', 'rate_limited'],
      }),
      adminOnly,
      validBody(UserCreate),
      async (c) => {
        const { password, ...fields } = c.req.valid('json')
        const password_hash = await passwords.hash(password)
        const user = writeAs(deps, c, (tx, caller) => {
          requireAdmin(caller)
          const created = insertUser(tx, { ...fields, password_hash })
          const { id: user_id, name, is_admin, can_create } = created
          const details = { user_id, name, is_admin, can_create }
          audit(tx, caller, 'user_create', null, details)
          return created
        })
        return c.json(user, 201)
      },
    )
    .get(
      '/people',
      operation({
        id: 'listPeople',
        tag: 'Users',
        scope: 'read',
        summary: 'List the names of all users who may sign in',
        description:
          'Ordered by name, including the caller, and only the first 1,000. Blocked users are ' +
          'left out.',
        responses: { 200: { description: 'The people', schema: z.array(Person) } },
      }),
      (c) => c.json(listPeople(db)),
    )
    .get(
      '/users/me',
      operation({
        id: 'getSelf',
        tag: 'Users',
        scope: 'any',
        summary: 'Get the caller',
        description: 'The user that the token belongs to, and what they may do.',
        responses: { 200: { description: 'The caller', schema: User } },
      }),
      (c) => c.json(getUser(db, c.var.user.id)),
    )
    .patch(
      '/users/me',
      operation({
        id: 'updateSelf',
        tag: 'Users',
        summary: 'Change the name or password of the caller',
        description:
          "A new password ends all of the caller's other sessions. A wrong `current_password` gets " +
          '403 and counts as a failed attempt to sign in.',
        isAudited: true,
        responses: { 200: { description: 'The caller', schema: User } },
        errors: ['forbidden', 'conflict', 'rate_limited'],
      }),
      validBody(SelfUpdate),
      async (c) => {
        const { name, password, current_password, end_keys } = c.req.valid('json')
        const { user, session_id } = c.var
        const client = clientOf(c, config.trustedProxies)
        let proved_hash: string | undefined
        let password_hash: string | undefined
        if (password !== undefined) {
          const caller = { ...client, user, session_id }
          proved_hash = await confirmPassword(deps, caller, current_password)
          password_hash = await passwords.hash(password)
        }
        const { network } = client
        const change = { name, password_hash, proved_hash, end_keys, session_id, network }
        return c.json(writeAs(deps, c, (tx, caller) => updateSelf(tx, caller, change)))
      },
    )
    .get(
      '/users/:user_id',
      operation({
        id: 'getUser',
        tag: 'Users',
        scope: 'admin',
        summary: 'Get a user',
        description: 'For admins only.',
        responses: { 200: { description: 'The user', schema: User } },
        errors: ['not_found'],
      }),
      adminOnly,
      validPath(UserPath),
      (c) => c.json(getUser(db, c.req.valid('param').user_id)),
    )
    .patch(
      '/users/:user_id',
      operation({
        id: 'updateUser',
        tag: 'Users',
        scope: 'admin',
        summary: 'Change the rights of a user',
        description:
          'For admins only. Blocking ends all sessions and keys of the user. Users who block themselves, ' +
          'or who would leave no admin unblocked, get 409.',
        isAudited: true,
        responses: { 200: { description: 'The changed user', schema: User } },
        errors: ['not_found', 'conflict'],
      }),
      adminOnly,
      validPath(UserPath),
      validBody(UserUpdate),
      (c) => {
        const { user_id } = c.req.valid('param')
        const rights = c.req.valid('json')
        // An admin whom it makes would outlive the key, with all that no key opens.
        if (c.var.key && rights.is_admin) {
          throw new AppError('forbidden', 'A key can not make anybody an admin')
        }
        const user = writeAs(deps, c, (tx, caller) => {
          requireAdmin(caller)
          return updateRights(tx, caller, user_id, rights)
        })
        return c.json(user)
      },
    )
    .delete(
      '/users/:user_id',
      operation({
        id: 'deleteUser',
        tag: 'Users',
        scope: 'admin',
        summary: 'Delete a user; what they created passes to the caller',
        description:
          'For admins only. The user is signed out and disappears at once, and the name is ' +
          'free. The answer comes when everything has passed on; other requests go on ' +
          'meanwhile. Deleting oneself gets 409, so an admin always remains.',
        isAudited: true,
        isDeletion: true,
        responses: { 204: null },
        errors: ['not_found', 'conflict'],
      }),
      adminOnly,
      validPath(UserPath),
      async (c) => {
        const { user_id } = c.req.valid('param')
        await writeLongAs(deps, c, (tx, caller) => {
          requireAdmin(caller)
          return removalUnderWay(tx, user_id) ?? removeUser(tx, caller, getUser(tx, user_id))
        })
        return c.body(null, 204)
      },
    )
}
