import { Hono } from 'hono'
import { adminOnly } from '../../acl/access.ts'
import { workLeft } from '../../background/run.ts'
import type { Disk } from '../../base/disk.ts'
import { AppError } from '../../base/errors.ts'
import type { Runs } from '../../base/runs.ts'
import { isoTime } from '../../base/time.ts'
import type { Db } from '../../db/client.ts'
import type { AppEnv } from '../../http/env.ts'
import { operation } from '../../http/openapi/operation.ts'
import { ndjson } from '../../http/stream.ts'
import { lastRescan } from './queries.ts'
import { type RunDeps, resumed, runRescan } from './run.ts'
import { RescanEvent, RescanState, RescanSummary } from './schema.ts'

/** Returns the routes of the rescan, which are for admins only. */
export function rescanRoutes(
  deps: RunDeps & { db: Db; disk: Disk; stopping: AbortController },
): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.post(
    '/files/duplicates/rescan',
    operation({
      id: 'rescanDuplicates',
      tag: 'Duplicates',
      scope: 'admin',
      summary: 'Look for duplicates again',
      description:
        'For admins only. All files are compared, in a separate process. While another rescan ' +
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
      const { id, name } = c.var.user
      const signal = AbortSignal.any([gone.signal, deps.stopping.signal])
      const events = runRescan(deps, { by: { id, name }, signal })
      const first = await events.next()
      if (!first.done && first.value.type === 'error') {
        await events.return(undefined)
        const { code, message } = first.value
        throw code === 'conflict' ? new AppError(code, message) : new Error(message)
      }
      return ndjson(c, (signal) => {
        signal.addEventListener('abort', () => gone.abort())
        return first.done ? events : resumed(first.value, events)
      })
    },
  )
  routes.get(
    '/files/duplicates/rescan',
    operation({
      id: 'getRescan',
      tag: 'Duplicates',
      scope: 'admin',
      summary: 'Get the progress of the rescan, or the result of the last one',
      description:
        'For admins only. Reports the rescan that this server is running, no matter who started ' +
        'it, even the server itself. Otherwise it reports the last one: from memory if this ' +
        'server has run it since its start, else from the audit log, as for `tagstead rescan`. ' +
        'A rescan whose client hung up is `failed`.',
      responses: { 200: { description: 'The current state', schema: RescanState } },
    }),
    adminOnly,
    (c) => {
      const state = rescanState(deps.db, deps.rescans)
      return c.json({ ...state, background: workLeft(deps.db) } satisfies RescanState)
    },
  )
  return routes
}

// Returns the progress of this process's present rescan, or else the result of the last one, which is either one of
// this process or one from the audit log.
function rescanState(db: Db, rescans: Runs<RescanEvent>): Omit<RescanState, 'background'> {
  const run = rescans.last()
  const last = run.state === 'running' ? undefined : lastRescan(db)
  if (last) {
    const summary = RescanSummary.parse(JSON.parse(last.details!))
    // A rescan that failed, or one of another process, may be the last one.
    if (run.ended_at === null || last.performed_at > run.ended_at) {
      return {
        state: 'done',
        started_at: isoTime(last.performed_at - summary.seconds * 1000),
        by: { id: last.user_id, name: last.user_name },
        progress: { type: 'done', ...summary },
        tallies: summary,
        refused: [],
      }
    }
  }
  const { state, started_at, by, progress } = run
  return {
    state,
    started_at: started_at === null ? null : isoTime(started_at),
    by,
    progress,
    tallies: progress?.type === 'done' ? RescanSummary.parse(progress) : null,
    refused: [],
  }
}
