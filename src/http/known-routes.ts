import type { Hono, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { AppError } from '../errors.ts'
import type { AppEnv } from './env.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Answers an unknown path with 404 and a wrong method with 405, before any token is asked for. */
export function knownRoutes(app: Hono<AppEnv>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (!matchedRoutes(c).some((route) => route.method !== 'ALL')) {
      const allowed = METHODS.filter((method) =>
        app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method !== 'ALL'),
      )
      if (allowed.length === 0) throw new AppError('not_found', 'There is no such route')
      if (allowed.includes('GET')) allowed.push('HEAD')
      throw new AppError('method_not_allowed', `The route does not accept ${c.req.method}`, {
        headers: { Allow: allowed.join(', ') },
      })
    }
    await next()
  }
}
