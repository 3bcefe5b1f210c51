import type { Log } from '../base/log.ts'
import { isWithin } from '../base/time.ts'
import type { WriteDeps } from '../db/write.ts'
import { ACTIVITY_INTERVAL } from './queries.ts'

export interface ActivityDeps extends WriteDeps {
  log: Log
}

/** Records that a session or key is used, by `write`, unless that was recorded less than a minute ago. */
export function recordActivity(
  { clock, log }: Pick<ActivityDeps, 'clock' | 'log'>,
  last: number | null,
  write: (now: number) => void,
): void {
  const now = clock()
  if (isWithin(ACTIVITY_INTERVAL, last, now)) return
  try {
    write(now)
  } catch (error) {
    // When the disk is full, reading still works.
    log.warn('the last activity could not be written', { error: String(error) })
  }
}
