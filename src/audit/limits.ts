import type { Config } from '../base/config.ts'
import { AppError, overQuota } from '../base/errors.ts'
import { DAY } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { bytesOf, changesOf } from './text-queries.ts'

/**
 * Throws rate_limited when a change, which must already be written, takes its user beyond the daily limit for the log,
 * and insufficient_storage when the bytes of former texts have grown beyond `before` and exceed the user's quota.
 */
export function requireRoomForChange(
  tx: Tx,
  user: User,
  { userChanges, userQuota }: Pick<Config, 'userChanges' | 'userQuota'>,
  before: number,
): void {
  const { bytes, texts } = changesOf(tx, user.id, tx.now)
  if (userChanges > 0 && bytes > userChanges) throw tooMuch(userChanges, tx.now)
  if (texts > before) requireQuota(tx, user, userQuota)
}

function requireQuota(db: Db, { id }: User, userQuota: number): void {
  if (userQuota > 0 && bytesOf(db, id) > userQuota) throw overQuota()
}

function tooMuch(limit: number, now: number): AppError {
  const day = `${limit} bytes of former states a day`
  return new AppError('rate_limited', `Your changes may store at most ${day}; continue tomorrow`, {
    headers: { 'Retry-After': String(Math.ceil((DAY - (now % DAY)) / 1000)) },
  })
}
