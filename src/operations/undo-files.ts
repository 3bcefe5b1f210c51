import type { Changes } from '../audit/changes.ts'
import type { Tx } from '../db/write.ts'
import { markFiles, restoreFiles, trashFiles } from '../files/bulk/bulk-queries.ts'
import { changeFile, editableFields, type FileChange } from '../files/edit.ts'
import { loadFile } from '../files/queries.ts'
import type { User } from '../user.ts'
import { formerFields } from './former-fields.ts'
import { type Entry, type FileState, fileStates } from './queries.ts'
import { type Outcome, oneByOne, type Tally, type Undo } from './tally.ts'
import { undoTagsAdded } from './undo-tags.ts'

/** Uploads go to the trash. */
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

/** Gives files back the state that they had, as far as they are in the one that entries left. */
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

export const undoFileEdited = oneByOne<'file_edit'>((tx, user, { object, details }) =>
  changeFieldsBack(tx, user, object.id, details.changes),
)

/** The other file, and the pools, have entries of their own. */
export const undoFileMerged: Undo<'file_merge'> = (tx, user, entries, tally) => {
  undoTagsAdded(tx, user, entries, tally)
  oneByOne<'file_merge'>((_, __, { object, details }) =>
    changeFieldsBack(tx, user, object.id, details.changes),
  )(tx, user, entries, tally)
}

/** A time means nothing with the zone and the source of another. */
const DATE = ['content_datetime', 'content_offset', 'date_source']

function changeFieldsBack(tx: Tx, user: User, id: string, changes: Changes): Outcome {
  const file = loadFile(tx, user, id, 'edit')
  const { update, outcome } = formerFields(editableFields(file), changes, DATE)
  const { content_datetime, ...fields } = update
  const time = content_datetime === undefined ? undefined : Date.parse(String(content_datetime))
  changeFile(tx, user, file, { ...fields, content_datetime: time } as FileChange)
  return outcome
}
