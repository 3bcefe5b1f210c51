import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { Log } from '../log.ts'
import { VERSION } from '../version.ts'
import type { AppEnv } from './env.ts'

/**
 * Gives each request an id and logs one line about it, without its query, body or token. Each answer
 * says which version is running, so that a page that is open notices a newer one.
 */
export function requestLog(log: Log): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now()
    c.set('request_id', randomUUID())
    c.set('log', log)
    c.header('X-Request-Id', c.var.request_id)
    c.header('Tagstead-Version', VERSION)
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
