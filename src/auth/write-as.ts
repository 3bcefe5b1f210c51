import type { Context } from 'hono'
import { requireRoomForChange } from '../audit/limits.ts'
import { changesOf } from '../audit/text-queries.ts'
import type { User } from '../base/user.ts'
import { type Operation, type Synchronous, type Tx, type WriteDeps, write } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import { currentUser } from './guard.ts'

/**
 * Does its work in one write, for a user with the rights of that moment, and returns its result.
 */
export type WriteAs = <T>(work: (tx: Tx, user: User) => Synchronous<T>) => T

/**
 * Does the work in one write for the caller, who is looked up again, because their rights may have
 * changed since the guard admitted them, and returns its result. The answer then carries the number
 * of the operation. Throws AppError unauthorized when the session has ended meanwhile,
 * and unless this is a deletion insufficient_storage when the disk has room for nothing else, and what
 * `requireRoomForChange` throws; and what the work throws; then nothing has changed.
 */
export function writeAs<T>(
  deps: WriteDeps,
  c: Context<AppEnv>,
  work: (tx: Tx, user: User) => Synchronous<T>,
  { isDeletion = c.req.method === 'DELETE' } = {},
): T {
  if (!isDeletion) deps.disk.requireRoomToWrite()
  const operation: Operation = { number: null }
  const result = write(deps.db, { now: deps.clock(), operation }, (tx) => {
    const user = currentUser(deps, c)
    const { texts } = changesOf(tx, user.id, tx.now)
    const done = work(tx, user)
    if (tx.operation !== null && !isDeletion) requireRoomForChange(tx, user, c.var.limits, texts)
    return done
  })
  if (operation.number !== null) c.header('Operation', String(operation.number))
  return result
}
