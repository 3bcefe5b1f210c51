import type { Context } from 'hono'
import { writeAs } from '../auth/write-as.ts'
import type { User } from '../base/user.ts'
import type { Synchronous, Tx, WriteDeps } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import type { Begun } from './change.ts'
import type { LongChanges } from './runner.ts'

/** What a request needs that may begin a long change. */
export interface LongWriteDeps extends WriteDeps {
  longChanges: LongChanges
}

/**
 * Begins a change in one write for the caller, as `writeAs` does, and returns its result when the
 * change is over; a caller who goes away ends nothing. Throws what `writeAs` and `over` throw.
 */
export async function writeLongAs<Result>(
  deps: LongWriteDeps,
  c: Context<AppEnv>,
  work: (tx: Tx, user: User) => Begun<Result>,
): Promise<Result> {
  const begun = writeAs(deps, c, (tx, user) => work(tx, user) as Synchronous<Begun<Result>>)
  if ('result' in begun) return begun.result
  const { result, operation } = await deps.longChanges.over(begun.subject)
  if (operation !== null && !begun.isJoined) c.header('Operation', String(operation))
  return result as Result
}
