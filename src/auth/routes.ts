import { Hono } from 'hono'
import { audit } from '../audit/record.ts'
import type { Config } from '../base/config.ts'
import { AppError } from '../base/errors.ts'
import { isoTime } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Tx, WriteDeps } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import { OffsetQuery } from '../http/fields.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody, validPath, validQuery } from '../http/validate.ts'
import { clientOf } from './client.ts'
import { type LoginDeps, login, logout } from './login.ts'
import type { PasswordLimit } from './password-limit.ts'
import { deleteSession, findSession, listSessions, type SessionRow } from './queries.ts'
import type { RefreshLimit } from './rate-limit.ts'
import { programRenewal, refresh } from './refresh.ts'
import {
  CREDENTIALS_LIMIT,
  Login,
  Refresh,
  type Session,
  SessionList,
  SessionPath,
  TokenPair,
} from './schema.ts'
import { issueTokenPair } from './token-pair.ts'
import { writeAs } from './write-as.ts'

interface PublicAuthDeps extends LoginDeps {
  config: LoginDeps['config'] & Pick<Config, 'trustedProxies'>
  passwordLimit: PasswordLimit
  refreshLimit: RefreshLimit
}

/** Returns POST /auth/login and /auth/refresh, which need no token. */
export function publicAuthRoutes(deps: PublicAuthDeps): Hono<AppEnv> {
  const { config, passwordLimit, refreshLimit } = deps

  return new Hono<AppEnv>()
    .post(
      '/auth/login',
      operation({
        id: 'login',
        tag: 'Auth',
        summary: 'Sign in',
        description:
          'Starts a session. A blocked user with the right password gets 403. The body may have ' +
          'at most 8 KiB. A name or password of more than 1024 bytes, or with more than 30 ' +
          'combining marks in a row, counts as wrong. After too many failed attempts by a ' +
          'client, all its attempts get 429 for up to a minute, even with the right password. ' +
          'After 20 failures for a name within an hour, from any client, an answer for that ' +
          'name takes up to 15 seconds longer, except in networks from which its user has ' +
          'signed in before. It is 429 when too many of them are waiting, from this client or ' +
          'from all clients. A client that hangs up while it waits has used an attempt.',
        responses: { 200: { description: 'Tokens of a new session', schema: TokenPair } },
        errors: ['unauthorized', 'forbidden', 'rate_limited'],
      }),
      validBody(Login, { limit: CREDENTIALS_LIMIT }),
      async (c) => {
        const credentials = c.req.valid('json')
        const client = clientOf(c, config.trustedProxies)
        const session = await passwordLimit.attempt(client, credentials.name, () =>
          login(deps, credentials, client),
        )
        return c.json(await issueTokenPair(deps, session))
      },
    )
    .post(
      '/auth/refresh',
      operation({
        id: 'refresh',
        tag: 'Auth',
        summary: 'Exchange a refresh token for new tokens',
        description:
          'The lifetime of the session starts again. The previous access token stays valid ' +
          'until it expires. The body may have at most 8 KiB. After too many failed attempts by ' +
          'a client, all its attempts get 429 for up to a minute.',
        responses: { 200: { description: 'New tokens of the session', schema: TokenPair } },
        errors: ['unauthorized', 'rate_limited'],
      }),
      validBody(Refresh, { limit: CREDENTIALS_LIMIT }),
      async (c) => {
        const { address, network } = clientOf(c, config.trustedProxies)
        const token = c.req.valid('json').refresh_token
        const session = refreshLimit.attempt(address, () =>
          refresh(deps, programRenewal(deps.tokens.refresh), { token, network }),
        )
        return c.json(await issueTokenPair(deps, session))
      },
    )
}

/** Returns the routes of the caller's own sessions, which belong behind the guard. */
export function authRoutes(deps: WriteDeps): Hono<AppEnv> {
  const { db, clock } = deps

  return new Hono<AppEnv>()
    .post(
      '/auth/logout',
      operation({
        id: 'logout',
        tag: 'Auth',
        summary: 'End the current session',
        description: 'Its tokens stop being valid; content tokens remain valid.',
        isAudited: true,
        isDeletion: true,
        responses: { 204: null },
      }),
      (c) => {
        const end = (tx: Tx, user: User) => logout(tx, user, c.var.session_id)
        writeAs(deps, c, end, { isDeletion: true })
        return c.body(null, 204)
      },
    )
    .get(
      '/auth/sessions',
      operation({
        id: 'listSessions',
        tag: 'Auth',
        summary: 'List the sessions of the caller',
        description:
          'Only sessions that have not ended. `is_current` marks the session of this request.',
        responses: { 200: { description: 'The live sessions, newest first', schema: SessionList } },
      }),
      validQuery(OffsetQuery),
      (c) => {
        const page = listSessions(db, {
          ...c.req.valid('query'),
          user_id: c.var.user.id,
          now: clock(),
        })
        const items = page.rows.map((row) => presentSession(row, c.var.session_id))
        return c.json({ items, total: page.total } satisfies SessionList)
      },
    )
    .delete(
      '/auth/sessions/:session_id',
      operation({
        id: 'endSession',
        tag: 'Auth',
        summary: 'End a session',
        description: 'Users may end their own sessions; admins may end any.',
        isAudited: true,
        isDeletion: true,
        responses: { 204: null },
        errors: ['not_found'],
      }),
      validPath(SessionPath),
      (c) => {
        const { session_id } = c.req.valid('param')
        writeAs(deps, c, (tx, user) => {
          const session = findSession(tx, session_id, tx.now)
          if (!session || (session.user_id !== user.id && !user.is_admin)) {
            throw new AppError('not_found', 'There is no such session')
          }
          deleteSession(tx, session_id)
          const { user_id, user_name } = session
          audit(tx, user, 'session_terminate', null, { session_id, user_id, user_name })
        })
        return c.body(null, 204)
      },
    )
}

function presentSession(row: SessionRow, current: number): Session {
  return {
    id: row.id,
    user_agent: row.user_agent,
    started_at: isoTime(row.started_at),
    expires_at: isoTime(row.expires_at),
    last_activity: isoTime(row.last_activity),
    is_current: row.id === current,
  }
}
