import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { Log } from '../base/log.ts'
import { VERSION } from '../base/version.ts'
import type { AppEnv } from './env.ts'

// A page requests hundreds of pictures, and both kinds of picture paths end like this. An idle window waits for changes
// all the time.
const QUIET = /\/(thumbnail|preview|full|changes)$/

// Whoever has what follows sees what the link shows; also behind slashes that lead nowhere.
const LINK = /((?:\/|%2f)s(?:\/|%2f)+)[^/]+/gi
// What follows is the names of people's files.
const NAMES = /^(\/+dav\/).+/is

/**
 * Gives each request an id and logs one line about it, without its query, body, token, the characters of a link or
 * names of files; at debug level for pictures made from contents and for waiting, unless something failed. Each answer
 * names the running version, so that an open page notices a newer one.
 */
export function requestLog(log: Log): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now()
    const request_id = randomUUID()
    c.set('request_id', request_id)
    c.set('log', log)
    c.header('X-Request-Id', request_id)
    c.header('Tagstead-Version', VERSION)
    await next()
    const user = c.get('user')
    const isQuiet = c.res.status < 400 && QUIET.test(c.req.path)
    log[isQuiet ? 'debug' : 'info']('request', {
      request_id,
      method: c.req.method,
      path: c.req.path.replace(LINK, '$1…').replace(NAMES, '$1…'),
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 10) / 10,
      ...(user && { user_id: user.id }),
    })
  }
}
