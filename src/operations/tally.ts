import type { AuditAction } from '../audit/details.ts'
import type { Tx } from '../db/write.ts'
import type { ObjectType } from '../enums.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { User } from '../user.ts'
import type { Entry } from './queries.ts'
import type { Kept, KeptReason } from './schema.ts'

type ObjectName = { type: ObjectType; id: string }

/** What an undo has done so far. */
export interface Tally {
  /** Notes that something of an object was taken back. */
  took(object: ObjectName): void
  /** Notes that something was not. */
  keep(object: ObjectName | null, reason: KeptReason): void
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
    undone: () => undone.size,
    kept: () => [...kept.values()],
  }
}

const REASONS: Partial<Record<ErrorCode, KeptReason>> = {
  not_found: 'gone',
  forbidden: 'forbidden',
  conflict: 'conflict',
}

/**
 * Returns the undo of an action whose entries are taken back one by one. `undo` returns whether all of
 * it still stood; what it refuses by an error is kept, so it must refuse before it changes anything.
 */
export function oneByOne<Action extends AuditAction>(
  undo: (tx: Tx, user: User, entry: Entry<Action> & { object: ObjectName }) => Outcome,
): Undo<Action> {
  return (tx, user, entries, tally) => {
    for (const { object, ...entry } of entries) {
      if (object === null) {
        tally.keep(null, 'not_undoable')
        continue
      }
      const outcome = tryTo(() => undo(tx, user, { ...entry, object }))
      if (outcome === 'undone' || outcome === 'partly') tally.took(object)
      if (outcome === 'partly') tally.keep(object, 'changed')
      else if (outcome !== 'undone' && outcome !== 'nothing') tally.keep(object, outcome)
    }
  }
}

/** What became of one entry: taken back, as far as it still stood, not at all, or nothing to do. */
export type Outcome = 'undone' | 'partly' | 'nothing' | KeptReason

function tryTo(undo: () => Outcome): Outcome {
  try {
    return undo()
  } catch (error) {
    const reason = error instanceof AppError && REASONS[error.code]
    if (!reason) throw error
    return reason
  }
}
