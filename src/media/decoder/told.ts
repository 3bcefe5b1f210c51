import type { Log } from '../../base/log.ts'
import type { Exif } from '../child/exif.ts'
import type { Film } from '../child/film/video.ts'
import type { Outcome } from '../outcome.ts'

/** What the EXIF job returns: for a film, also its size. */
export type Told = Exif & Partial<Film>

const NOTHING_TOLD: Told = { exif: {}, dates: [] }

const DROPPED_TOLD = 10

/** Returns what the EXIF job has found, or nothing if it has no result, and logs what it dropped. */
export function toldBy(outcome: Outcome, log: Log): Told {
  const told = 'result' in outcome ? (outcome.result as Told) : NOTHING_TOLD
  const { dropped = [] } = told
  if (dropped.length > 0) {
    const entries = dropped.slice(0, DROPPED_TOLD)
    log.info('left out broken EXIF', { count: dropped.length, entries })
  }
  return told
}

/** Returns the length of a film in seconds, from its facts. */
export function durationOf({ duration }: Exif['exif']): number | null {
  return typeof duration === 'number' ? duration : null
}
