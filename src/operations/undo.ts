import { objectsAllowed } from '../acl/queries.ts'
import type { AuditAction } from '../audit/details.ts'
import type { Packed } from '../audit/packed.ts'
import { type Actor, audit } from '../audit/record.ts'
import { isMerge, isUndone, tookBack, undoSubject } from '../audit/undo-queries.ts'
import { goesOnWith } from '../background/queries.ts'
import { OBJECT_TYPES } from '../base/enums.ts'
import { AppError } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { type Begun, beginChange, type LongChange } from '../long-changes/change.ts'
import { findChange, subjectsOf } from '../long-changes/queries.ts'
import { type Entry, filesMadeBy, findOperation, listEntries } from './queries.ts'
import type { Kept, UndoResult } from './schema.ts'
import { createTally, type ObjectName, type Undo } from './tally.ts'
import {
  undoFileCreated,
  undoFileEdited,
  undoFileMerged,
  undoFileRestored,
  undoFileReviewed,
  undoFileTrashed,
} from './undo-files.ts'
import {
  undoCategoryCreated,
  undoCategoryDeleted,
  undoCategoryEdited,
  undoPoolCreated,
  undoPoolDeleted,
  undoPoolEdited,
  undoRuleCreated,
  undoRuleDeleted,
  undoRuleEdited,
  undoTagCreated,
  undoTagDeleted,
  undoTagEdited,
  undoTagMerged,
} from './undo-objects.ts'
import { undoFilesAdded, undoFilesRemoved, undoReordered } from './undo-pools.ts'
import { undoTagsReplaced } from './undo-replaced.ts'
import { undoTagsAdded, undoTagsRemoved } from './undo-tags.ts'

/** How each action is taken back: null for never. */
const UNDO: { [Action in AuditAction]: Undo<Action> | null } = {
  user_login: null,
  user_login_failed: null,
  user_logout: null,
  session_terminate: null,
  token_reuse: null,
  user_create: null,
  user_edit: null,
  user_password_reset: null,
  user_role_change: null,
  user_block: null,
  user_unblock: null,
  user_delete: null,
  file_create: undoFileCreated,
  file_edit: undoFileEdited,
  file_replace: null,
  file_delete: undoFileTrashed,
  file_restore: undoFileRestored,
  file_permanent_delete: null,
  file_review: undoFileReviewed,
  file_tag_add: undoTagsAdded,
  file_tag_remove: undoTagsRemoved,
  file_tag_replace: undoTagsReplaced,
  file_merge: undoFileMerged,
  tag_create: undoTagCreated,
  tag_edit: undoTagEdited,
  tag_delete: undoTagDeleted,
  tag_merge: undoTagMerged,
  tag_rule_create: undoRuleCreated,
  tag_rule_edit: undoRuleEdited,
  tag_rule_delete: undoRuleDeleted,
  category_create: undoCategoryCreated,
  category_edit: undoCategoryEdited,
  category_delete: undoCategoryDeleted,
  pool_create: undoPoolCreated,
  pool_edit: undoPoolEdited,
  pool_delete: undoPoolDeleted,
  file_pool_add: undoFilesAdded,
  file_pool_remove: undoFilesRemoved,
  file_pool_reorder: undoReordered,
  acl_change: null,
  duplicate_dismiss: null,
  duplicate_rescan: null,
  archive_download: null,
  content_damaged: null,
  // It tells only that the entries before it were an undo.
  operation_undo: () => {},
}

/** How long everybody may undo what they did, in milliseconds. */
const UNDO_TIME = 86_400_000
/** An undo of more rows is a long change, and so is one of entries with more details, in bytes. */
const AT_ONCE = 10_000
const AT_ONCE_BYTES = 4 * 1024 * 1024
/** Details that a portion reads, in bytes. */
const PORTION_BYTES = 256 * 1024
/** How much of what was not taken back an answer names. */
const KEPT_LIMIT = 1000

/** How far an operation has been undone. */
interface Undoing {
  operation: number
  /** Who undoes it, with the rights of the beginning. */
  user: User
  /** Entries from here on have been taken back; the newest are the first. */
  from: number
  undone: number
  /** What the last entry was about, if it counts among these already. */
  counted?: ObjectName | null
  kept: Kept[]
  kept_total: number
}

/** Taking back what an operation did. */
export const operationUndo: LongChange<Undoing, UndoResult> = {
  kind: 'undo_operation',
  portion(tx, actor, state, rows) {
    const stretch = { before: state.from, limit: rows, bytes: PORTION_BYTES }
    const { entries, areAll } = listEntries(tx, state.operation, stretch)
    const some = firstRows(entries, rows)
    const rest = takeBack(tx, state, some)
    const isOver = areAll && some.length === entries.length
    return isOver ? { result: tellUndone(tx, actor, rest) } : { rest }
  },
}

/** Takes back what entries tell, and returns how far the undo is then. */
function takeBack(tx: Tx, state: Undoing, entries: Entry[]): Undoing {
  const { user } = state
  const tally = createTally()
  for (const run of runsOf(entries)) {
    const undo = UNDO[run[0]!.action] as Undo<AuditAction> | null
    if (undo) undo(tx, user, run, tally)
    else for (const { object } of run) tally.keep(object, 'not_undoable')
  }
  const { counted } = state
  const last = entries.at(-1)?.object
  const isSame = last?.id === counted?.id && last?.type === counted?.type
  return {
    ...state,
    ...withMore(state, asSeen(tx, user, tally.kept())),
    from: entries.at(-1)?.id ?? state.from,
    // Of an operation that takes several portions, entries about one object follow each other.
    undone: state.undone + tally.undone() - (counted && tally.hasTaken(counted) ? 1 : 0),
    counted: last && (tally.hasTaken(last) || isSame) ? last : null,
  }
}

function tellUndone(tx: Tx, actor: Actor, state: Undoing): UndoResult {
  const { operation, undone, kept, kept_total } = state
  // An undo of nothing is no undo: what stood in its way may go away.
  if (tx.operation !== null) {
    audit(tx, actor, 'operation_undo', null, { operation, undone, kept: kept_total })
  }
  return { operation: tx.operation, undone, kept: kept.slice(0, KEPT_LIMIT), kept_total }
}

/**
 * Begins to take back what still stands as an operation left it, as far as the user may edit it. Throws
 * not_found, forbidden for an operation of somebody else or of more than a day ago, unless the user is
 * an admin, and conflict when it was undone already, is not over yet, or took back a merge of files: what
 * these are like, and who sees them, may be other by now than when they were merged.
 */
export function undoOperation(tx: Tx, user: User, operation: number): Begun<UndoResult> {
  const head = findOperation(tx, operation)
  // Whether somebody else did so much isn't told either.
  if (!user.is_admin && head?.user_id !== user.id) {
    throw new AppError('forbidden', 'Only admins may undo what somebody else did')
  }
  if (!head) throw new AppError('not_found', 'There is no such operation')
  const { performed_at } = head
  if (!user.is_admin && tx.now - performed_at > UNDO_TIME) {
    throw new AppError('forbidden', 'Only admins may undo what was done more than a day ago')
  }
  if (subjectsOf(tx, operation).length > 0 || goesOnWith(tx, operation)) {
    throw new AppError('conflict', 'The operation is not over yet')
  }
  if (isUndone(tx, operation)) {
    throw new AppError('conflict', 'The operation was undone already')
  }
  const former = tookBack(tx, operation)
  if (former !== undefined && isMerge(tx, former)) {
    const sentence =
      'A merge that was taken back is not done again by an undo; merge the files anew'
    throw new AppError('conflict', sentence)
  }
  const from = Number.MAX_SAFE_INTEGER
  const state: Undoing = { operation, user, from, undone: 0, kept: [], kept_total: 0 }
  const whole = { before: from, limit: AT_ONCE, bytes: AT_ONCE_BYTES }
  const { entries, areAll } = listEntries(tx, operation, whole)
  if (areAll && firstRows(entries, AT_ONCE).length === entries.length) {
    return { result: tellUndone(tx, user, takeBack(tx, state, entries)) }
  }
  const subject = undoSubject(operation)
  const underWay = findChange(tx, subject)
  // What was kept is told as far as one caller may view it.
  if (underWay && underWay.user_id !== user.id) {
    throw new AppError('conflict', 'Somebody else is undoing the operation')
  }
  return beginChange(tx, operationUndo, { subject, actor: user, state })
}

/** Returns the first entries, which tell of up to so many rows, but at least one entry. */
function firstRows(entries: Entry[], rows: number): Entry[] {
  let sum = 0
  const end = entries.findIndex((entry) => {
    sum += rowsOf(entry)
    return sum > rows
  })
  return end < 0 ? entries : entries.slice(0, Math.max(1, end))
}

/** Adds what was not taken back, each thing once. */
function withMore(
  { kept, kept_total }: Pick<Undoing, 'kept' | 'kept_total'>,
  more: Kept[],
): Pick<Undoing, 'kept' | 'kept_total'> {
  const nameOf = ({ object_type, object_id, reason }: Kept) =>
    `${object_type} ${object_id} ${reason}`
  const known = new Set(kept.map(nameOf))
  const unknown = more.filter((one) => !known.has(nameOf(one)))
  const named = unknown.filter((one) => one.object_id !== null)
  const unnamed = unknown.filter((one) => one.object_id === null)
  const room = Math.max(0, KEPT_LIMIT - kept.length)
  return {
    kept: [...unnamed, ...kept, ...named.slice(0, room)],
    kept_total: kept_total + unknown.length,
  }
}

/**
 * Returns what was kept, with all that the user may not view of one type as one, without its id; files of others that
 * are gone among them, since whether they were still to be viewed is gone with them.
 */
function asSeen(tx: Tx, user: User, kept: Kept[]): Kept[] {
  const forbidden = kept.filter((one) => one.reason === 'forbidden')
  const hidden = new Set<Kept>()
  for (const type of OBJECT_TYPES) {
    const ofType = forbidden.filter((one) => one.object_type === type)
    const ids = ofType.map((one) => one.object_id!)
    const seen = new Set(objectsAllowed(tx, user, type, 'view', ids))
    for (const one of ofType) if (!seen.has(one.object_id!)) hidden.add(one)
  }
  if (!user.is_admin) {
    const gone = kept.filter((one) => one.reason === 'gone' && one.object_type === 'file')
    const ids = gone.map((one) => one.object_id!)
    // What is there is named since another file is gone.
    const known = new Set(objectsAllowed(tx, user, 'file', 'view', ids))
    for (const id of filesMadeBy(tx, user.id, ids)) known.add(id)
    for (const one of gone) if (!known.has(one.object_id!)) hidden.add(one)
  }
  const types = new Set([...hidden].map((one) => one.object_type))
  return [
    ...kept.filter((one) => !hidden.has(one)),
    ...[...types].map(
      (object_type) => ({ object_type, object_id: null, reason: 'forbidden' }) as const,
    ),
  ]
}

/** Returns how many rows an entry tells of. */
function rowsOf({ details }: Entry): number {
  const { tag_ids, removed_tag_ids, files, by_hand, by_rule, tags } = (details ?? {}) as {
    tag_ids?: string[]
    removed_tag_ids?: string[]
    by_rule?: Packed | string[]
  } & Partial<Record<'files' | 'by_hand' | 'tags', Packed>>
  const lists = [files, by_hand, tags, Array.isArray(by_rule) ? undefined : by_rule]
  const listed = lists.reduce((sum, list) => sum + (list?.count ?? 0), 0)
  return Math.max(1, listed + (tag_ids?.length ?? 0) + (removed_tag_ids?.length ?? 0))
}

/** Returns the entries in their order, in runs of one action each, so that sets stay sets. */
function runsOf(entries: Entry[]): Entry[][] {
  const runs: Entry[][] = []
  for (const [index, entry] of entries.entries()) {
    if (entry.action === entries[index - 1]?.action) runs.at(-1)!.push(entry)
    else runs.push([entry])
  }
  return runs
}
