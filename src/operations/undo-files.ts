import { listPermissions, replacePermissions } from '../acl/queries.ts'
import type { Changes } from '../audit/changes.ts'
import type { PermissionChange } from '../audit/details.ts'
import { audit } from '../audit/record.ts'
import { MINUTE } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { markFiles, restoreFiles, trashFiles } from '../files/bulk/bulk-queries.ts'
import { changeFile, editableFields, type FileChange } from '../files/edit.ts'
import { type FileRecord, loadFile } from '../files/queries.ts'
import { middleOf } from '../media/dates.ts'
import { type Entry, type FileState, fileStates, isReplacedSince } from './queries.ts'
import {
  asFarAsItStood,
  formerFields,
  NOTHING,
  type Outcome,
  oneByOne,
  type Tally,
  tryTo,
  type Undo,
} from './tally.ts'
import { undoTagsReplaced } from './undo-replaced.ts'
import { undoTagsAdded } from './undo-tags.ts'

/** Moves uploaded files to the trash. */
export const undoFileCreated: Undo<'file_create'> = (tx, user, entries, tally) =>
  changeState(tx, user, entries, tally, {
    stands: (file) => !file.is_deleted,
    change: (rids) => trashFiles(tx, user, rids),
  })

export const undoFileTrashed: Undo<'file_delete'> = (tx, user, entries, tally) =>
  changeState(tx, user, entries, tally, {
    stands: (file) => file.is_deleted,
    change: (rids) => restoreFiles(tx, user, rids),
  })

export const undoFileRestored: Undo<'file_restore'> = (tx, user, entries, tally) =>
  changeState(tx, user, entries, tally, {
    stands: (file) => !file.is_deleted,
    change: (rids) => trashFiles(tx, user, rids),
  })

export const undoFileReviewed: Undo<'file_review'> = (tx, user, entries, tally) => {
  for (const needs_review of [true, false]) {
    const some = entries.filter((entry) => entry.details.needs_review.to === needs_review)
    changeState(tx, user, some, tally, {
      stands: (file) => file.needs_review === needs_review,
      change: (rids) => markFiles(tx, user, rids, !needs_review),
    })
  }
}

function changeState(
  tx: Tx,
  user: User,
  entries: Entry[],
  tally: Tally,
  { stands, change }: { stands: (file: FileState) => boolean; change: (rids: number[]) => void },
): void {
  const ids = new Set(entries.map((entry) => entry.object!.id))
  const files = fileStates(tx, user, ids)
  const changed: number[] = []
  for (const id of ids) {
    const object = { type: 'file', id } as const
    const file = files.get(id)
    if (!file) tally.keep(object, 'gone')
    else if (!file.allowed) tally.keep(object, 'forbidden')
    else if (!stands(file)) tally.keep(object, 'changed')
    else {
      tally.took(object)
      changed.push(file.rid)
    }
  }
  change(changed)
}

export const undoFileEdited = oneByOne<'file_edit'>((tx, user, { id, object, details }) =>
  changeFieldsBack(tx, user, { id, file: object.id, changes: details.changes }),
)

/**
 * The other file, and the pools, have entries of their own. What came from a file that was purged exists nowhere else
 * any more, and stays.
 */
export const undoFileMerged: Undo<'file_merge'> = (tx, user, all, tally) => {
  const trashed = all.filter(({ details }) => details.delete_discarded)
  const ids = trashed.flatMap(({ object, details }) => [object!.id, details.discard])
  const existing = fileStates(tx, user, ids)
  const lost = new Set(trashed.filter(({ details }) => !existing.has(details.discard)))
  for (const { object } of lost) {
    const isOthers = existing.get(object!.id)?.allowed === false
    tally.keep(object, isOthers ? 'forbidden' : 'gone')
  }
  const entries = all.filter((entry) => !lost.has(entry))
  undoTagsReplaced(
    tx,
    user,
    entries.flatMap((entry) => namedBy(entry) ?? []),
    tally,
  )
  undoTagsAdded(tx, user, entries, tally)
  oneByOne<'file_merge'>((_, __, { id, object, details }) => {
    const fields = changeFieldsBack(tx, user, { id, file: object.id, changes: details.changes })
    const rights = changeRightsBack(tx, user, object.id, details.permissions ?? [])
    return { took: fields.took || rights.took, kept: fields.kept ?? rights.kept }
  })(tx, user, entries, tally)
}

// Presents what a merge did to tags that only followed from rules as an entry of its own; null for nothing.
function namedBy({ details, ...entry }: Entry<'file_merge'>): Entry<'file_tag_replace'> | null {
  if (!details.named?.length) return null
  const none = { tag_ids: [], by_rule: [], removed_tag_ids: [], removed_by_rule: [] }
  return { ...entry, action: 'file_tag_replace', details: { ...none, now_by_hand: details.named } }
}

function changeRightsBack(tx: Tx, user: User, id: string, changes: PermissionChange[]): Outcome {
  const { rid } = loadFile(tx, user, id, 'edit')
  const object = { type: 'file', rid } as const
  const before = listPermissions(tx, 'file', rid)
  const standing = new Map<number, PermissionChange>()
  for (const change of changes) {
    const entry = before.find((one) => one.user_id === change.user_id)
    const { can_view, can_edit } = change.to
    if (entry?.can_view === can_view && entry.can_edit === can_edit) {
      standing.set(change.user_id, change)
    }
  }
  if (standing.size > 0) {
    const after = before.flatMap((entry) => {
      const change = standing.get(entry.user_id)
      if (!change) return entry
      return change.from ? { ...entry, ...change.from } : []
    })
    replacePermissions(tx, object, after)
    audit(tx, user, 'acl_change', { type: 'file', id }, { from: before, to: after })
  }
  return asFarAsItStood(standing.size, changes.length)
}

/** A time means nothing with the zone, the source and the precision of another. */
const DATE = ['content_datetime', 'content_offset', 'date_source', 'date_precision']

function changeFieldsBack(
  tx: Tx,
  user: User,
  entry: { id: number; file: string; changes: Changes },
): Outcome {
  const file = loadFile(tx, user, entry.file, 'edit')
  const { companion_of, ...changes } = withPrecision(entry.changes, file)
  const { rotation, ...others } = editableFields(file)
  // The content that was turned may have been replaced by another one.
  const isOther = changes.rotation !== undefined && isReplacedSince(tx, entry)
  const present = isOther ? others : { ...others, rotation }
  const { update, outcome } = formerFields(present, changes, DATE)
  const { content_datetime, ...fields } = update
  const time = content_datetime === undefined ? undefined : Date.parse(String(content_datetime))
  changeFile(tx, user, file, { ...fields, content_datetime: time } as FileChange)
  const pair = companion_of ? changePairBack(tx, user, entry.file, { companion_of }) : NOTHING
  return { took: outcome.took || pair.took, kept: outcome.kept ?? pair.kept }
}

function changePairBack(tx: Tx, user: User, id: string, changes: Changes): Outcome {
  const { took, kept } = tryTo(() => {
    const file = loadFile(tx, user, id, 'edit')
    const { update, outcome } = formerFields(editableFields(file), changes)
    changeFile(tx, user, file, update as FileChange)
    return outcome
  })
  // One of the two is in another pair now, or of another kind.
  return { took, kept: kept === 'conflict' ? 'changed' : kept }
}

/**
 * Returns changes with the precision that a former date had, where a later change has set another one alone: a moment
 * that is no middle was never known in part.
 */
function withPrecision(changes: Changes, file: FileRecord): Changes {
  const { content_datetime: time, content_offset: offset, date_precision: changed } = changes
  if ((!time && !offset) || changed || file.date_precision === null) return changes
  const ahead = Number(offset ? offset.from : file.content_offset) * MINUTE
  const clock = (time ? Date.parse(String(time.from)) : file.content_datetime) + ahead
  if (clock === middleOf(clock, file.date_precision)) return changes
  return { ...changes, date_precision: { from: null, to: null } }
}
