import type { DerivativeState } from '../../base/enums.ts'
import type { Log } from '../../base/log.ts'
import { type WriteDeps, write } from '../../db/write.ts'
import type { Storage } from '../../media/storage.ts'
import { findFileOf, recordDerivatives } from '../derivative-queries.ts'
import type { Content } from '../queries.ts'
import { derivativeKey, makeOnce } from './makers.ts'
import { tellUndecoded } from './undecoded.ts'

interface FollowDeps extends WriteDeps {
  storage: Storage
  log: Log
}

/**
 * Waits for the picture that an upload didn't wait for: it is then recorded, or removed if no file has the content any
 * more. The content itself is removed by the code that took it from the file. Call it only once it is certain whether a
 * file has the content. On errors the content stays `pending`, as after a kill.
 */
export function follow(deps: FollowDeps, { blob, later }: Pick<Content, 'blob' | 'later'>): void {
  if (later === null) return
  // Requests for the thumbnail wait for this one meanwhile.
  const key = derivativeKey('thumbnail', blob)
  makeOnce(key, () => settle(deps, blob, later)).catch((error) => {
    deps.log.warn('a picture does not follow', { blob, error: String(error) })
  })
}

async function settle(
  { db, clock, storage, log }: FollowDeps,
  blob: string,
  later: NonNullable<Content['later']>,
): Promise<DerivativeState> {
  try {
    const derivatives = await later
    const file = findFileOf(db, blob)
    if (file) write(db, { now: clock() }, (tx) => recordDerivatives(tx, file, derivatives))
    tellUndecoded({ db, log }, blob, derivatives.state)
    return derivatives.state
  } finally {
    if (findFileOf(db, blob)) void storage.countCached('thumbnail640', blob)
    else await storage.removeDerivatives(blob)
  }
}
