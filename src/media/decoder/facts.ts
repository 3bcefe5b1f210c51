import type { Log } from '../../base/log.ts'
import type { Exif } from '../child/exif.ts'
import type { Film } from '../child/film/video.ts'
import { nothingSaid } from '../description.ts'
import type { Outcome } from '../outcome.ts'

/** What the EXIF job returns: for a film, also its size. */
export type Facts = Exif & Partial<Film>

const NO_FACTS: Facts = { exif: {}, dates: [], description: nothingSaid() }

const DROPPED_REPORTED = 10

/** Returns what the EXIF job has found, or nothing if it has no result, and logs what of it could not be read. */
export function factsOf(outcome: Outcome, log: Log): Facts {
  const facts = 'result' in outcome ? (outcome.result as Facts) : NO_FACTS
  const { dropped = [], exif, size, description } = facts
  if (dropped.length > 0) {
    const entries = dropped.slice(0, DROPPED_REPORTED)
    log.info('left out broken EXIF', { count: dropped.length, entries })
  }
  const { leftOut } = description
  if (leftOut > 0)
    log.info('left out keywords that are too long, too deep or too many', { leftOut })
  if (size === null && !('duration' in exif || 'codec' in exif))
    log.info('found no film in a video')
  return facts
}

/** Returns the length of a film in seconds, from its facts. */
export function durationOf({ duration }: Exif['exif']): number | null {
  return typeof duration === 'number' ? duration : null
}
