import type { Change, Changes } from '../audit/changes.ts'
import type { AuditAction } from '../audit/details.ts'
import { isLost, isRecordedAs } from '../audit/long-texts.ts'
import type { ObjectType } from '../base/enums.ts'
import { AppError, type ErrorCode } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import type { Entry } from './queries.ts'
import type { Kept, KeptReason } from './schema.ts'

export type ObjectName = { type: ObjectType; id: string }

/** What an undo has done so far. */
export interface Tally {
  /** Counts an object as changed by the undo. */
  took(object: ObjectName): void
  /** Records that something was not undone. */
  keep(object: ObjectName | null, reason: KeptReason): void
  hasTaken(object: ObjectName): boolean
  undone(): number
  /** Returns each object once for each reason. */
  kept(): Kept[]
}

/** Undoes entries of one action, newest first. */
export type Undo<Action extends AuditAction> = (
  tx: Tx,
  user: User,
  entries: Entry<Action>[],
  tally: Tally,
) => void

export function createTally(): Tally {
  const undone = new Set<string>()
  const kept = new Map<string, Kept>()
  return {
    took: ({ type, id }) => undone.add(`${type} ${id}`),
    keep(object, reason) {
      const [object_type, object_id] = [object?.type ?? null, object?.id ?? null]
      kept.set(`${object_type} ${object_id} ${reason}`, { object_type, object_id, reason })
    },
    hasTaken: ({ type, id }) => undone.has(`${type} ${id}`),
    undone: () => undone.size,
    kept: () => [...kept.values()],
  }
}

/** The outcome of one entry: whether something was undone, and if not all of it, why. */
export interface Outcome {
  took: boolean
  kept: KeptReason | null
}

/** All of it was undone. */
export const UNDONE: Outcome = { took: true, kept: null }
/** There was nothing to undo. */
export const NOTHING: Outcome = { took: false, kept: null }

/** Returns the outcome of an entry of which nothing was undone. */
export function refused(kept: KeptReason): Outcome {
  return { took: false, kept }
}

/** Returns the outcome of an entry when `done` of its `of` changes were still in place and were undone. */
export function asFarAsItStood(done: number, of: number): Outcome {
  if (of === 0) return NOTHING
  return { took: done > 0, kept: done === of ? null : 'changed' }
}

const REASONS: Partial<Record<ErrorCode, KeptReason>> = {
  not_found: 'gone',
  forbidden: 'forbidden',
  conflict: 'conflict',
  // A former value may exceed a later limit.
  validation_error: 'conflict',
}

/**
 * Returns the undo of an action whose entries are undone one by one. When `undo` throws an AppError, the entry is left
 * as it is, so `undo` must throw before it changes anything.
 */
export function oneByOne<Action extends AuditAction>(
  undo: (tx: Tx, user: User, entry: Entry<Action> & { object: ObjectName }) => Outcome,
): Undo<Action> {
  return (tx, user, entries, tally) => {
    for (const { object, ...entry } of entries) {
      const { took, kept } =
        object === null
          ? refused('not_undoable')
          : tryTo(() => undo(tx, user, { ...entry, object }))
      if (took) tally.took(object!)
      if (kept) tally.keep(object, kept)
    }
  }
}

/** Returns the outcome of an undo; where it throws an AppError, that nothing was undone, and why. */
export function tryTo(undo: () => Outcome): Outcome {
  try {
    return undo()
  } catch (error) {
    const reason = error instanceof AppError && REASONS[error.code]
    if (!reason) throw error
    return refused(reason)
  }
}

/**
 * Returns the former values, as far as they are stored, of the fields that still have the values from a change. Fields
 * that make up `one` thing are undone all or none.
 */
export function formerFields(
  present: object,
  changes: Changes,
  one: string[] = [],
): { update: Record<string, unknown>; outcome: Outcome } {
  const fields = new Map(Object.entries(present))
  const all = Object.entries(changes)
  const stands = ([field, { to }]: [string, Change]) => isRecordedAs(fields.get(field), to)
  const oneStands = all.filter(([field]) => one.includes(field)).every(stands)
  const standing = all.filter((change) => (one.includes(change[0]) ? oneStands : stands(change)))
  const known = standing.filter(([, { from }]) => !isLost(from))
  const update = Object.fromEntries(known.map(([field, { from }]) => [field, from]))
  const outcome = asFarAsItStood(known.length, all.length)
  return {
    update,
    outcome: known.length < standing.length ? { ...outcome, kept: 'incomplete' } : outcome,
  }
}
