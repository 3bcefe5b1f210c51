import type { Hono, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { AppError } from '../errors.ts'
import type { AppEnv } from './env.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Answers 404 where no route is and 405 where the method is wrong, before anybody is asked who they are. */
export function knownRoutes(app: Hono<AppEnv>): MiddlewareHandler<AppEnv> {
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
