import type { Context, MiddlewareHandler } from 'hono'
import { requireAdmin } from '../acl/access.ts'
import { AppError } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { WriteDeps } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import { withPart } from '../http/openapi/operation.ts'
import { type ActivityDeps, recordActivity } from './activity.ts'
import { admitKey, isKey, withinScope } from './keys/admit.ts'
import { findKey } from './keys/queries.ts'
import { requireScope, wantedScope } from './keys/scopes.ts'
import { findActiveUser, findEpoch, findSessionUser, touchSession } from './queries.ts'
import type { Holder, Tokens } from './tokens.ts'

export interface GuardDeps extends ActivityDeps {
  tokens: Tokens
}

/** Returns the error for a caller who is not signed in. */
export function unauthorized(message = 'A valid access token is required'): AppError {
  return new AppError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

/**
 * Returns the middleware that admits callers with an access token or a key, and sets `user`, and `session_id` or `key`.
 * Throws AppError unauthorized for all others, and forbidden for a key whose scope isn't that of the operation. With
 * `isQuiet`, a request is no activity of its session.
 */
export function guard(deps: GuardDeps, { isQuiet = false } = {}): MiddlewareHandler<AppEnv> {
  return withPart<MiddlewareHandler<AppEnv>>(
    async (c, next) => {
      await admitBearer(deps, c, isQuiet)
      await next()
    },
    { security: 'bearer' },
  )
}

/**
 * Returns the guard of a file's content: a GET without an Authorization header may carry, as `access_token` in its
 * query, an access token or a content token of this very file.
 */
export function contentGuard(deps: GuardDeps): MiddlewareHandler<AppEnv> {
  const admitContent: MiddlewareHandler<AppEnv> = async (c, next) => {
    const query = c.req.method === 'GET' ? c.req.query('access_token') : undefined
    if (c.req.header('Authorization') !== undefined || query === undefined) {
      await admitBearer(deps, c)
    } else {
      const content = await deps.tokens.verifyContent(query)
      if (!content) await admit(deps, c, query)
      else {
        const user = findHolder(deps, content)
        const file_id = c.req.param('file_id')?.toLowerCase()
        if (!user || content.file_id !== file_id) throw unauthorized()
        c.set('user', user)
      }
    }
    await next()
  }
  return withPart(admitContent, { security: 'content' })
}

/**
 * Returns the guard of an archive. Admits only a GET that carries an archive token as `access_token` in its query, and
 * whose user has neither been blocked nor given another password since. Sets `user` and `archive_id`.
 */
export function archiveGuard(deps: GuardDeps): MiddlewareHandler<AppEnv> {
  const admitArchive: MiddlewareHandler<AppEnv> = async (c, next) => {
    const token = c.req.method === 'GET' ? c.req.query('access_token') : undefined
    const archive = token === undefined ? null : await deps.tokens.verifyArchive(token)
    const user = archive && findHolder(deps, archive)
    if (!user || archive.epoch !== findEpoch(deps.db, user.id)) {
      throw unauthorized('The token of an archive is required')
    }
    c.set('user', user)
    c.set('archive_id', archive.archive_id)
    await next()
  }
  return withPart(admitArchive, { security: 'archive' })
}

function findHolder(deps: WriteDeps, { user_id, key_id }: Holder): User | undefined {
  if (key_id === undefined) return findActiveUser(deps.db, user_id)
  return findKey(deps.db, { id: key_id }, deps.clock())?.user
}

/**
 * Returns the caller with their present rights, for a second check inside a write. Throws AppError
 * unauthorized when the session or key has ended since the guard admitted them.
 */
export function currentUser(deps: WriteDeps, c: Context<AppEnv>): User {
  const { user, session_id, key } = c.var
  const now = deps.clock()
  const found = key
    ? findKey(deps.db, { id: key.id }, now)
    : findSessionUser(deps.db, { user_id: user.id, session_id, now })
  if (!found) throw unauthorized()
  return 'key' in found ? withinScope(found).user : found.user
}

/** Does the same as `currentUser`. Throws AppError forbidden unless the caller is still an admin. */
export function currentAdmin(deps: WriteDeps, c: Context<AppEnv>): User {
  const user = currentUser(deps, c)
  requireAdmin(user)
  return user
}

async function admitBearer(deps: GuardDeps, c: Context<AppEnv>, isQuiet = false): Promise<void> {
  const token = bearer(c)
  if (!isKey(token)) return admit(deps, c, token, isQuiet)
  const admitted = admitKey(deps, token)
  if (!admitted) throw unauthorized()
  requireScope(admitted.key, wantedScope(c))
  c.set('user', admitted.user)
  c.set('key', admitted.key)
}

async function admit(
  deps: GuardDeps,
  c: Context<AppEnv>,
  token: string | undefined,
  isQuiet = false,
): Promise<void> {
  const claims = token === undefined ? null : await deps.tokens.verifyAccess(token)
  const found = claims && findSessionUser(deps.db, { ...claims, now: deps.clock() })
  if (!found) throw unauthorized()
  admitSession(deps, c, { ...found, session_id: claims.session_id, isQuiet })
}

/** Sets `user` and `session_id`, and records the activity of the session unless `isQuiet`. */
export function admitSession(
  deps: Pick<GuardDeps, 'db' | 'clock' | 'log'>,
  c: Context<AppEnv>,
  session: { user: User; session_id: number; last_activity: number; isQuiet?: boolean },
): void {
  const { user, session_id, last_activity, isQuiet } = session
  if (!isQuiet) recordActivity(deps, last_activity, (now) => touchSession(deps.db, session_id, now))
  c.set('user', user)
  c.set('session_id', session_id)
}

function bearer(c: Context<AppEnv>): string | undefined {
  return /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1]
}
