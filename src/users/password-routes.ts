import { Hono } from 'hono'
import { adminOnly, requireAdmin } from '../acl/access.ts'
import { clientOf } from '../auth/client.ts'
import { generatePassword } from '../auth/password.ts'
import { writeAs } from '../auth/write-as.ts'
import type { Config } from '../base/config.ts'
import { AppError } from '../base/errors.ts'
import type { AppEnv } from '../http/env.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody, validPath } from '../http/validate.ts'
import { type ConfirmDeps, confirmPassword, requireStillProved } from './confirm.ts'
import { getUser } from './queries.ts'
import { GeneratedPassword, PasswordReset, UserPath } from './schema.ts'
import { resetPassword } from './update.ts'

interface PasswordDeps extends ConfirmDeps {
  config: ConfirmDeps['config'] & Pick<Config, 'passwordMinLength' | 'trustedProxies'>
}

/** Returns the route by which an admin helps a user who has lost their password. */
export function passwordRoutes(deps: PasswordDeps): Hono<AppEnv> {
  const { db, config, passwords } = deps
  return new Hono<AppEnv>().post(
    '/users/:user_id/password',
    operation({
      id: 'resetPassword',
      tag: 'Users',
      summary: 'Give a user a new, generated password',
      description:
        'For admins only. Only this answer contains the password. All sessions of the user end, ' +
        'and the old password stops working. For oneself, the answer is 409. A wrong ' +
        '`current_password` gets 403 and counts as a failed attempt to sign in.',
      isAudited: true,
      responses: { 200: { description: 'The password', schema: GeneratedPassword } },
      errors: ['not_found', 'conflict', 'rate_limited'],
    }),
    adminOnly,
    validPath(UserPath),
    validBody(PasswordReset, { isOptional: true }),
    async (c) => {
      const { user_id } = c.req.valid('param')
      const { current_password, end_keys } = c.req.valid('json')
      const { user, session_id } = c.var
      getUser(db, user_id)
      if (user_id === user.id) {
        throw new AppError('conflict', 'Change your own password with `PATCH /users/me`')
      }
      const admin = { ...clientOf(c, config.trustedProxies), user, session_id }
      const proved_hash = await confirmPassword(deps, admin, current_password)
      const password = generatePassword(config.passwordMinLength)
      const password_hash = await passwords.hash(password)
      writeAs(deps, c, (tx, caller) => {
        requireAdmin(caller)
        requireStillProved(tx, caller, proved_hash)
        resetPassword(tx, caller, user_id, { password_hash, end_keys })
      })
      return c.json({ password } satisfies GeneratedPassword)
    },
  )
}
