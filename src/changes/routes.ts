import { Hono } from 'hono'
import { type GuardDeps, guard } from '../auth/guard.ts'
import { uncounted } from '../http/clients/client-requests.ts'
import type { AppEnv } from '../http/env.ts'
import { operation } from '../http/openapi/operation.ts'
import { validQuery } from '../http/validate.ts'
import { ChangesQuery, FileChanges } from './schema.ts'
import { type ChangesDeps, createChanges } from './waiting.ts'

/** Returns the route that waits until something changes of what the caller sees. */
export function changeRoutes(deps: ChangesDeps & GuardDeps): Hono<AppEnv> {
  const changes = createChanges(deps)
  const routes = new Hono<AppEnv>()
  routes.get(
    '/changes',
    operation({
      id: 'waitForChanges',
      tag: 'Files',
      summary: 'Wait until files that the caller sees change',
      description:
        'The answer comes within a second of a change, or after `wait` seconds without one. A ' +
        'file is named to whoever sees it now, or has just lost sight of it; favourites and views ' +
        'are no changes. One request of a session may wait: the next one ends it with 409. When ' +
        '200 are waiting, the answer is 503.',
      responses: { 200: { description: 'What has changed', schema: FileChanges } },
      errors: ['conflict'],
    }),
    // An idle window must not write to the disk.
    guard(deps, { isQuiet: true }),
    validQuery(ChangesQuery),
    async (c) => {
      const { user, session_id } = c.var
      const wait = () => changes.next({ user, session_id }, c.req.valid('query'), c.req.raw.signal)
      return c.json((await uncounted(c, wait)) satisfies FileChanges)
    },
  )
  return routes
}
