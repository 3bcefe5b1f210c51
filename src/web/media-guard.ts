import type { MiddlewareHandler } from 'hono'
import { admitSession, type GuardDeps, unauthorized } from '../auth/guard.ts'
import { findSessionSecret } from '../auth/queries.ts'
import { AppError } from '../base/errors.ts'
import type { AppEnv } from '../http/env.ts'
import { withPart } from '../http/openapi/operation.ts'
import { type CookieDeps, readCookie } from './session.ts'

/**
 * Returns the guard of the page's pictures: it admits the cookie of a live session whose characters are in the address,
 * and sets `user` and `session_id`. Throws AppError unauthorized for anybody else, and not_found for the characters of
 * another session, because a browser shows its cached pictures to everybody who can name them.
 */
export function mediaGuard(
  deps: Pick<GuardDeps, 'db' | 'clock' | 'log'> & CookieDeps,
): MiddlewareHandler<AppEnv> {
  const { db, clock, webTokens } = deps
  return withPart<MiddlewareHandler<AppEnv>>(
    async (c, next) => {
      c.header('Vary', 'Cookie')
      const cookie = readCookie(deps, c, 'm') ?? ''
      const id = webTokens.readMedia(cookie)
      const found = id !== null && findSessionSecret(db, { session_id: id, now: clock() })
      if (!found || !webTokens.isMedia(cookie, { id, nonce: found.nonce })) {
        throw unauthorized('The page is not signed in')
      }
      const { user, last_activity, nonce } = found
      if (!webTokens.isKey(c.req.param('media') ?? '', { id, nonce })) {
        throw new AppError('not_found', 'There is no such picture')
      }
      admitSession(deps, c, { user, last_activity, session_id: id })
      await next()
    },
    { security: 'cookie', errors: ['unauthorized', 'not_found'] },
  )
}
