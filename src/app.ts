import { randomUUID } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { matchedRoutes } from 'hono/route'
import { secureHeaders } from 'hono/secure-headers'
import { guard } from './auth/guard.ts'
import { authRoutes, publicAuthRoutes } from './auth/routes.ts'
import type { AppEnv, Deps } from './context.ts'
import { AppError } from './errors.ts'
import { contentRoutes, derivativeRoutes } from './files/content-routes.ts'
import { fileRoutes } from './files/routes.ts'
import { fileTagRoutes } from './files/tag-routes.ts'
import { onError } from './http/on-error.ts'
import { tagRoutes } from './tags/routes.ts'
import { userRoutes } from './users/routes.ts'

/** Returns the application: every route of the API, ready to be served or called. */
export function createApp(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.onError(onError(deps.log))
  app.use(requestLog(deps), secureHeaders(SAFE_HEADERS), strictPolicy)
  app.use(crossOrigin(deps.config.corsOrigins), knownRoutes(app))
  app.get('/health', (c) => c.json({ status: 'ok' }))

  const api = new Hono<AppEnv>()
  api.route('/', publicAuthRoutes(deps))
  api.route('/', contentRoutes(deps))
  api.use(guard(deps))
  api.route('/', authRoutes(deps))
  api.route('/', userRoutes(deps))
  api.route('/', fileRoutes(deps))
  api.route('/', derivativeRoutes(deps))
  api.route('/', fileTagRoutes(deps))
  api.route('/', tagRoutes(deps))
  app.route('/api/v1', api)
  return app
}

/** Gives each request an id and writes one line about it: no query, no body, no token. */
function requestLog({ log }: Deps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now()
    c.set('request_id', randomUUID())
    c.header('X-Request-Id', c.var.request_id)
    await next()
    log.info('request', {
      request_id: c.var.request_id,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 10) / 10,
      ...(c.var.user && { user_id: c.var.user.id }),
    })
  }
}

const SAFE_HEADERS = {
  xFrameOptions: 'DENY',
  referrerPolicy: 'no-referrer',
  crossOriginResourcePolicy: 'same-origin',
  // The proxy that speaks TLS decides about it.
  strictTransportSecurity: false,
}

/** Set before the handlers, so that those that send pages or files put their own in its place. */
const strictPolicy: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  await next()
}

/** Admits the origins that the settings name, and no other. */
function crossOrigin(origins: string[]): MiddlewareHandler<AppEnv> {
  if (origins.length === 0) return (_, next) => next()
  return cors({
    origin: origins,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Range', 'If-None-Match', 'If-Range'],
    exposeHeaders: ['Content-Disposition', 'Content-Range', 'ETag', 'Retry-After', 'X-Request-Id'],
    maxAge: 3600,
  })
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Answers 404 where no route is and 405 where the method is wrong, before anybody is asked who they are. */
function knownRoutes(app: Hono<AppEnv>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (!matchedRoutes(c).some((route) => route.method !== 'ALL')) {
      const allowed = METHODS.filter((method) =>
        app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method !== 'ALL'),
      )
      if (allowed.length === 0) throw new AppError('not_found', 'There is no such route')
      if (allowed.includes('GET')) allowed.push('HEAD')
      throw new AppError('method_not_allowed', `The route does not take ${c.req.method}`, {
        headers: { Allow: allowed.join(', ') },
      })
    }
    await next()
  }
}
