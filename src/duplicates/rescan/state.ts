import type { Runs } from '../../base/runs.ts'
import { isoTime } from '../../base/time.ts'
import type { Db } from '../../db/client.ts'
import { lastRescan } from './queries.ts'
import { type RescanEvent, type RescanState, RescanSummary } from './schema.ts'

/**
 * Returns the progress of this process's present rescan, or else the result of the last one, which is either one of
 * this process or one from the audit log.
 */
export function rescanState(db: Db, rescans: Runs<RescanEvent>): Omit<RescanState, 'background'> {
  const run = rescans.last()
  const told = run.state === 'running' ? undefined : lastRescan(db)
  if (told) {
    const summary = RescanSummary.parse(JSON.parse(told.details!))
    // A rescan that failed, or one of another process, may be the last one.
    if (run.ended_at === null || told.performed_at > run.ended_at) {
      return {
        state: 'done',
        started_at: isoTime(told.performed_at - summary.seconds * 1000),
        by: { id: told.user_id, name: told.user_name },
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
