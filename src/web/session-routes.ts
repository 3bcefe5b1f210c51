import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { clientOf } from '../auth/client.ts'
import { type LoginDeps, login, logout } from '../auth/login.ts'
import type { PasswordLimit } from '../auth/password-limit.ts'
import { findSession, type OpenedSession } from '../auth/queries.ts'
import type { RefreshLimit } from '../auth/rate-limit.ts'
import { refresh } from '../auth/refresh.ts'
import { CREDENTIALS_LIMIT, Login } from '../auth/schema.ts'
import { AppError } from '../base/errors.ts'
import { type Operation, write } from '../db/write.ts'
import { requireOwnPage } from '../http/browser-safety.ts'
import type { AppEnv } from '../http/env.ts'
import { type OperationPart, operation, withPart } from '../http/openapi/operation.ts'
import { requireJson, validBody } from '../http/validate.ts'
import { getUser, hasFiles } from '../users/queries.ts'
import { Empty, WebSession } from './schema.ts'
import {
  type CookieDeps,
  clearCookies,
  isHttps,
  readCookie,
  setCookies,
  webRenewal,
} from './session.ts'

interface WebSessionDeps extends LoginDeps, CookieDeps {
  config: LoginDeps['config'] & CookieDeps['config']
  passwordLimit: PasswordLimit
  refreshLimit: RefreshLimit
}

const SIGNED_IN = { description: 'The session of the page', schema: WebSession }
const COOKIES = { 'Set-Cookie': 'The two cookies of the session' }
const HOW =
  'For the page of this server: with `Content-Type: application/json` and `X-Tagstead: 1`, and ' +
  'from no other site.'

/** Returns the routes of the page's own session, which consists of two cookies. */
export function webSessionRoutes(deps: WebSessionDeps): Hono<AppEnv> {
  const { config, passwordLimit, refreshLimit } = deps
  const routes = new Hono<AppEnv>()

  async function present(session: OpenedSession): Promise<WebSession> {
    const user = getUser(deps.db, session.user_id)
    return {
      access_token: await deps.tokens.signAccess(session.user_id, session.id),
      expires_in: Math.floor(config.accessTokenTtl / 1000),
      user,
      has_files: hasFiles(deps.db, user.id),
      media: deps.webTokens.key(session),
    }
  }

  routes.post(
    '/web/session',
    operation({
      id: 'signInToWeb',
      tag: 'Web',
      summary: 'Sign in to the page',
      description: `${HOW} Limits and errors are those of \`POST /api/v1/auth/login\`.`,
      responses: { 200: { ...SIGNED_IN, headers: COOKIES } },
      errors: ['unauthorized', 'rate_limited'],
    }),
    sameOrigin(),
    validBody(Login, { limit: CREDENTIALS_LIMIT }),
    async (c) => {
      const credentials = c.req.valid('json')
      const client = clientOf(c, config.trustedProxies)
      const session = await passwordLimit.attempt(client, credentials.name, () =>
        login(deps, credentials, client),
      )
      setCookies(deps, c, session, deps.clock())
      return c.json(await present(session))
    },
  )

  routes.post(
    '/web/session/refresh',
    operation({
      id: 'refreshWebSession',
      tag: 'Web',
      summary: 'Get a new access token for the page',
      description:
        `${HOW} The lifetime of the session starts again once a day, with new cookies. The ` +
        'previous cookies stay valid until the next renewal; older ones end the session, with 401 and ' +
        'without both cookies. A browser that has none is nobody’s, which is 204.',
      responses: { 200: SIGNED_IN, 204: null },
      errors: ['unauthorized', 'rate_limited'],
    }),
    sameOrigin({ security: 'cookie' }),
    validBody(Empty, { limit: CREDENTIALS_LIMIT }),
    async (c) => {
      const token = readCookie(deps, c, 's')
      // The page asks before anybody has signed in, too, which is neither an error nor a guess.
      if (token === undefined) return c.body(null, 204)
      return c.json(await present(renew(c, token)))
    },
  )

  function renew(c: Context<AppEnv>, token: string): OpenedSession {
    const { address, network } = clientOf(c, config.trustedProxies)
    try {
      const renewal = webRenewal(deps.webTokens, config)
      const session = refreshLimit.attempt(address, () =>
        refresh(deps, renewal, { token, network }),
      )
      if (token !== deps.webTokens.refresh.make(session)) {
        setCookies(deps, c, session, deps.clock())
      }
      return session
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthorized') clearCookies(deps, c)
      throw error
    }
  }

  routes.delete(
    '/web/session',
    operation({
      id: 'signOutOfWeb',
      tag: 'Web',
      summary: 'Sign out of the page',
      description: `${HOW} Ends the session and removes both cookies, if there are any.`,
      isAudited: true,
      responses: { 204: null },
    }),
    sameOrigin({ security: 'cookie' }),
    (c) => {
      clearCookies(deps, c)
      try {
        end(c)
      } catch (error) {
        // The browser is signed out all the same.
        deps.log.error('a session of the page could not be ended', { error: String(error) })
      }
      // Over plain HTTP, browsers ignore it.
      if (isHttps(deps, c)) c.header('Clear-Site-Data', '"cache"')
      return c.body(null, 204)
    },
  )

  function end(c: Context<AppEnv>): void {
    const { refresh: tokens } = deps.webTokens
    const claims = tokens.read(readCookie(deps, c, 's') ?? '')
    if (!claims) return
    const { session_id, generation, mac } = claims
    const written: Operation = { number: null }
    write(deps.db, { now: deps.clock(), operation: written }, (tx) => {
      const session = findSession(tx, session_id, tx.now)
      if (!session || !tokens.isMac({ ...session, generation }, mac)) return
      logout(tx, { id: session.user_id, name: session.user_name }, session_id)
    })
    if (written.number !== null) c.header('Operation', String(written.number))
  }

  return routes
}

/**
 * Returns the middleware that admits only requests by script from a page of this very origin: no form can send this
 * content type, and no page of another origin the header. Throws a validation error for another type, and AppError
 * forbidden for requests from elsewhere.
 */
function sameOrigin(part: Pick<OperationPart, 'security'> = {}): MiddlewareHandler<AppEnv> {
  return withPart<MiddlewareHandler<AppEnv>>(
    async (c, next) => {
      requireOwnPage(c)
      requireJson(c)
      await next()
    },
    { ...part, errors: ['forbidden', 'validation_error'] },
  )
}
