import type { DerivativeState } from '../../base/enums.ts'
import type { Log } from '../../base/log.ts'
import type { Db } from '../../db/client.ts'
import { findIdOf } from '../derivative-queries.ts'

/** Logs that a content could not be decoded, by the id of its file: users can't find a file by its blob. */
export function tellUndecoded(
  { db, log }: { db: Db; log: Log },
  blob: string,
  state: DerivativeState,
): void {
  if (state !== 'failed') return
  const file_id = findIdOf(db, blob)
  if (file_id !== undefined) log.info('a content could not be decoded', { file_id })
}
