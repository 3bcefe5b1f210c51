import type { AuditAction } from '../audit/details.ts'
import type { ObjectType } from '../base/enums.ts'
import { AppError, type ErrorCode } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import type { Entry } from './queries.ts'
import type { Kept, KeptReason } from './schema.ts'

export type ObjectName = { type: ObjectType; id: string }

/** What an undo has done so far. */
export interface Tally {
  /** Notes that something of an object was taken back. */
  took(object: ObjectName): void
  /** Notes that something was not. */
  keep(object: ObjectName | null, reason: KeptReason): void
  hasTaken(object: ObjectName): boolean
  undone(): number
  /** Each object once for each reason. */
  kept(): Kept[]
}

/** Takes back what entries of one action tell, newest first. */
export type Undo<Action extends AuditAction> = (
  tx: Tx,
  user: User,
  entries: Entry<Action>[],
  tally: Tally,
) => void

/** Returns a tally of nothing yet. */
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

/** What became of one entry: whether something was taken back, and why not all of it, if so. */
export interface Outcome {
  took: boolean
  kept: KeptReason | null
}

/** All of it was taken back. */
export const UNDONE: Outcome = { took: true, kept: null }
/** There was nothing to take back. */
export const NOTHING: Outcome = { took: false, kept: null }

/** Returns the outcome of an entry of which nothing was taken back. */
export function refused(kept: KeptReason): Outcome {
  return { took: false, kept }
}

/**
 * Returns the outcome of an entry of which `done` things of `of` still stood and were taken back.
 */
export function asFarAsItStood(done: number, of: number): Outcome {
  if (of === 0) return NOTHING
  return { took: done > 0, kept: done === of ? null : 'changed' }
}

const REASONS: Partial<Record<ErrorCode, KeptReason>> = {
  not_found: 'gone',
  forbidden: 'forbidden',
  conflict: 'conflict',
  // A former value may be longer than is allowed by now.
  validation_error: 'conflict',
}

/**
 * Returns the undo of an action whose entries are taken back one by one. What `undo` refuses by an
 * error is kept, so it must refuse before it changes anything.
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

function tryTo(undo: () => Outcome): Outcome {
  try {
    return undo()
  } catch (error) {
    const reason = error instanceof AppError && REASONS[error.code]
    if (!reason) throw error
    return refused(reason)
  }
}
