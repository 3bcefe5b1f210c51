import type { Hono } from 'hono'
import { matchedRoutes } from 'hono/route'
import { AppError } from '../base/errors.ts'
import type { AnsweringStep } from './before.ts'
import type { AppEnv } from './env.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Of WebDAV. */
const DAV_METHODS = ['OPTIONS', 'PROPFIND', 'PROPPATCH', 'MKCOL', 'MOVE', 'LOCK', 'UNLOCK']

/**
 * Returns the step that answers an unknown path with 404 and a wrong method with 405, before any token is checked. A
 * path without parameters has its own methods only: a path with a parameter, which would take a word of it for an id,
 * doesn't answer in its place. `pageOf` may return another answer to an unknown path.
 */
export function knownRoutes(app: Hono<AppEnv>, pageOf: AnsweringStep): AnsweringStep {
  let fixed: Map<string, Set<string>> | undefined
  return (c) => {
    // Routes are added after this handler, but before the first request.
    fixed ??= fixedPaths(app)
    const own = fixed.get(c.req.path)
    const isKnown = own
      ? own.has(c.req.method === 'HEAD' ? 'GET' : c.req.method)
      : matchedRoutes(c).some((route) => route.method !== 'ALL')
    if (isKnown) return
    const allowed = [...METHODS, ...DAV_METHODS].filter((method) =>
      own ? own.has(method) : matches(app, method, c.req.path),
    )
    if (allowed.length === 0) {
      const page = pageOf(c)
      if (page) return page
      throw new AppError('not_found', 'There is no such route')
    }
    if (allowed.includes('GET')) allowed.push('HEAD')
    throw new AppError('method_not_allowed', `The route does not accept ${c.req.method}`, {
      headers: { Allow: allowed.join(', ') },
    })
  }
}

function fixedPaths(app: Hono<AppEnv>): Map<string, Set<string>> {
  const fixed = new Map<string, Set<string>>()
  for (const { path, method } of app.routes) {
    if (method === 'ALL' || /[:*]/.test(path)) continue
    fixed.set(path, (fixed.get(path) ?? new Set()).add(method))
  }
  return fixed
}

function matches(app: Hono<AppEnv>, method: string, path: string): boolean {
  return app.router.match(method, path)[0].some(([[, route]]) => route.method !== 'ALL')
}
