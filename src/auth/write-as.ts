import type { Context } from 'hono'
import { requireRoomForChange } from '../audit/limits.ts'
import { changesOf } from '../audit/text-queries.ts'
import type { User } from '../base/user.ts'
import { type Operation, type Synchronous, type Tx, type WriteDeps, write } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import { currentUser } from './guard.ts'

/** Runs its work in one write, for a user with their present rights, and returns its result. */
export type WriteAs = <T>(work: (tx: Tx, user: User) => Synchronous<T>) => T

/**
 * Runs the work in one write for the caller and returns its result. The caller is looked up again, because their rights
 * may have changed since the guard admitted them. The answer then carries the number of the operation. Throws AppError
 * unauthorized when the session has ended meanwhile, what the work throws, and unless this is a deletion,
 * insufficient_storage when the disk has room for nothing else and what `requireRoomForChange` throws. After a throw,
 * nothing has changed.
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
