import type { Context } from 'hono'
import { writeAs } from '../auth/write-as.ts'
import type { User } from '../base/user.ts'
import type { Synchronous, Tx, WriteDeps } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import type { Begun } from './change.ts'
import type { LongChanges } from './runner.ts'

export interface LongWriteDeps extends WriteDeps {
  longChanges: LongChanges
}

/**
 * Begins a change in one write for the caller, like `writeAs`, and returns its result when the change is finished. It
 * continues when the client hangs up. Throws what `writeAs` and `over` throw.
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
