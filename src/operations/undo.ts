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

// The undo of each action; null for never.
const UNDO: { [Action in AuditAction]: Undo<Action> | null } = {
  user_login: null,
  user_login_failed: null,
  user_logout: null,
  session_terminate: null,
  token_reuse: null,
  key_create: null,
  key_end: null,
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
  share_create: null,
  share_end: null,
  share_use: null,
  content_damaged: null,
  // It only says that the entries before it were an undo.
  operation_undo: () => {},
}

// How long users may undo their own operations, in milliseconds.
const UNDO_TIME = 86_400_000
// An undo of more rows, or of entries with more bytes of details, is a long change.
const AT_ONCE = 10_000
const AT_ONCE_BYTES = 4 * 1024 * 1024
// Bytes of details that a portion reads.
const PORTION_BYTES = 256 * 1024
const KEPT_LIMIT = 1000

interface Undoing {
  operation: number
  user: User
  /** Entries from here on have been undone; the newest come first. */
  from: number
  undone: number
  /** The object of the last entry, if it is already counted. */
  counted?: ObjectName | null
  kept: Kept[]
  kept_total: number
}

/** The long change that undoes an operation. */
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
    // In an operation that takes several portions, entries about one object are consecutive.
    undone: state.undone + tally.undone() - (counted && tally.hasTaken(counted) ? 1 : 0),
    counted: last && (tally.hasTaken(last) || isSame) ? last : null,
  }
}

function tellUndone(tx: Tx, actor: Actor, state: Undoing): UndoResult {
  const { operation, undone, kept, kept_total } = state
  // An undo of nothing doesn't count, because the obstacle may go away.
  if (tx.operation !== null) {
    audit(tx, actor, 'operation_undo', null, { operation, undone, kept: kept_total })
  }
  return { operation: tx.operation, undone, kept: kept.slice(0, KEPT_LIMIT), kept_total }
}

/**
 * Begins to undo what still is as an operation left it, as far as the user may edit it. Throws not_found, forbidden for
 * an operation of another user or of more than a day ago, unless the user is an admin, and conflict when it was already
 * undone, is not finished, or undid a merge of files: the files, and the users who may see them, may have changed since
 * they were merged.
 */
export function undoOperation(tx: Tx, user: User, operation: number): Begun<UndoResult> {
  const head = findOperation(tx, operation)
  // Whether another user's operation exists must not be revealed either.
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
    throw new AppError('conflict', 'The operation was already undone')
  }
  const former = tookBack(tx, operation)
  if (former !== undefined && isMerge(tx, former)) {
    const sentence =
      'A merge that was taken back cannot be redone by an undo; merge the files again'
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
  // The result is what one caller may view.
  if (underWay && underWay.user_id !== user.id) {
    throw new AppError('conflict', 'Somebody else is undoing the operation')
  }
  return beginChange(tx, operationUndo, { subject, actor: user, state })
}

// Takes at least one entry, and more only up to this many rows.
function firstRows(entries: Entry[], rows: number): Entry[] {
  let sum = 0
  const end = entries.findIndex((entry) => {
    sum += rowsOf(entry)
    return sum > rows
  })
  return end < 0 ? entries : entries.slice(0, Math.max(1, end))
}

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

// Combines everything of one type that the user may not view into one item without an id. This includes deleted files
// of others, whose access rights are gone with them.
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
    // A file that exists is named because another file is gone.
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

// Consecutive entries of one action stay together, so that sets stay sets.
function runsOf(entries: Entry[]): Entry[][] {
  const runs: Entry[][] = []
  for (const [index, entry] of entries.entries()) {
    if (entry.action === entries[index - 1]?.action) runs.at(-1)!.push(entry)
    else runs.push([entry])
  }
  return runs
}
