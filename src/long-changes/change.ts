import type { Actor } from '../audit/record.ts'
import type { Tx } from '../db/write.ts'
import { type ChangeRow, deleteChange, findChange, insertChange, listChanges } from './queries.ts'

/** The remaining work after a portion or, after the last one, the result of the change. */
export type Portion<State, Result> = { rest: State } | { result: Result }

/**
 * A kind of change without a size limit, which is done in portions, each a write of its own. What happens in between
 * must neither hinder it nor reveal that it is not finished.
 */
export interface LongChange<State, Result> {
  kind: string
  /** Whether it continues when the disk has room for nothing but deletions. */
  isDeletion?: boolean
  /**
   * Changes about `rows` rows. The last portion writes the entry about the whole change, which so comes after those of
   * single objects, as if all had been one write. The write that began the change may have written it already.
   */
  portion(tx: Tx, actor: Actor, state: State, rows: number): Portion<State, Result>
}

/** A change of any kind; each gets only the states that it has written. */
export interface AnyLongChange {
  kind: string
  isDeletion?: boolean
  portion(tx: Tx, actor: Actor, state: never, rows: number): Portion<unknown, unknown>
}

/** A change that the present write has begun, and perhaps finished. */
export type Begun<Result> = { result: Result } | { subject: string; isJoined: boolean }

/** How many rows the write that begins a change also changes; most changes have no more. */
export const FIRST_ROWS = 250

/**
 * Begins a change with its first portion and stores the remaining work, if there is any. If the same change is already
 * under way, it is joined instead.
 */
export function beginChange<State, Result>(
  tx: Tx,
  { kind, portion }: LongChange<State, Result>,
  { subject, actor, state }: { subject: string; actor: Actor; state: State },
): Begun<Result> {
  if (findChange(tx, subject)) return { subject, isJoined: true }
  const first = portion(tx, actor, state, FIRST_ROWS)
  if ('result' in first) return first
  insertChange(tx, {
    kind,
    subject,
    user_id: actor.id,
    user_name: actor.name,
    operation: tx.operation,
    state: JSON.stringify(first.rest),
    started_at: tx.now,
  })
  return { subject, isJoined: false }
}

/** Returns the user who requested a change. */
export function actorOf({ user_id, user_name }: ChangeRow): Actor {
  return { id: user_id, name: user_name }
}

/**
 * Ends the changes of a kind for which `isEnded` is true. `tell` writes the entry that the last portion would have
 * written, if there is one, as a part of the change's own operation.
 */
export function endChanges<State>(
  tx: Tx,
  kind: string,
  isEnded: (state: State) => boolean,
  tell: (tx: Tx, actor: Actor, state: State) => void = () => {},
): void {
  for (const change of listChanges(tx, kind)) {
    const state: State = JSON.parse(change.state)
    if (!isEnded(state)) continue
    const { operation } = tx
    tx.operation = change.operation
    tell(tx, actorOf(change), state)
    tx.operation = operation
    deleteChange(tx, change.id)
  }
}
