import { Hono } from 'hono'
import { adminOnly } from '../../acl/access.ts'
import type { Config } from '../../config.ts'
import type { Disk } from '../../disk.ts'
import { AppError } from '../../errors.ts'
import type { AppEnv } from '../../http/env.ts'
import { operation } from '../../http/openapi/operation.ts'
import { ndjson } from '../../http/stream.ts'
import type { Log } from '../../log.ts'
import { rescanInProcess } from './process.ts'
import { RescanEvent } from './schema.ts'

/** Returns the route of the rescan, which is for admins only. */
export function rescanRoutes(deps: { config: Config; disk: Disk; log: Log }): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.post(
    '/files/duplicates/rescan',
    operation({
      id: 'rescanDuplicates',
      tag: 'Duplicates',
      summary: 'Look for duplicates again',
      description:
        'For admins only. All files are compared, in a process of its own. While another rescan ' +
        'is running, the answer is 409.',
      responses: {
        200: {
          description: 'The progress, one event per line',
          schema: RescanEvent,
          contentType: 'application/x-ndjson',
        },
      },
      errors: ['conflict'],
    }),
    adminOnly,
    async (c) => {
      deps.disk.requireRoomToWrite()
      const gone = new AbortController()
      const by = c.var.user.id
      const events = rescanInProcess(deps.config, { by, signal: gone.signal })
      const first = await events.next()
      if (!first.done && first.value.type === 'error') {
        await events.return(undefined)
        const { code, message } = first.value
        throw code === 'conflict' ? new AppError(code, message) : new Error(message)
      }
      return ndjson(c, async function* (signal) {
        signal.addEventListener('abort', () => gone.abort())
        if (!first.done) yield first.value
        yield* failuresTold(events, deps)
      })
    },
  )
  return routes
}

/** The answer has begun, so a failure can only be its last line; the log has the details. */
async function* failuresTold(
  events: AsyncGenerator<RescanEvent>,
  { log }: { log: Log },
): AsyncGenerator<RescanEvent> {
  try {
    for await (const event of events) {
      if (event.type === 'error' && event.code !== 'conflict') throw new Error(event.message)
      yield event
    }
  } catch (error) {
    log.error('the rescan failed', { error })
    yield { type: 'error', code: 'internal_error', message: 'Something went wrong in the server' }
  }
}
