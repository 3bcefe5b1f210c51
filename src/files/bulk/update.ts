import type { z } from 'zod'
import { changesBetween } from '../../audit/changes.ts'
import { invalid } from '../../base/errors.ts'
import { isPlausibleTime, MINUTE } from '../../base/time.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { changedDate, shownDate } from '../dates/file-date.ts'
import { filesAllowed, resultOf, ridsOf } from './bulk.ts'
import type { BulkResult, BulkUpdate } from './schema.ts'
import {
  bytesOfNotes,
  listFields,
  recordEdits,
  type ShortFields,
  setDates,
  setNotes,
  setPublic,
  shiftDates,
} from './update-queries.ts'

/** In bytes, for the old and new notes of all files together. */
const NOTES_LIMIT = 4 * 1024 * 1024

/**
 * Gives those of the files that the user may edit the fields of `set`, or moves their dates. Skips files that do not
 * exist, that the user may not edit, or whose date would leave the years 0001 to 9999. Throws a validation error for
 * too much text in notes.
 */
export function bulkUpdate(tx: Tx, user: User, request: z.output<typeof BulkUpdate>): BulkResult {
  const { file_ids, set, shift_minutes = 0 } = request
  const shift = shift_minutes * MINUTE
  const files = listFields(tx, ridsOf(filesAllowed(tx, user, 'edit', file_ids))).filter((file) =>
    isPlausibleTime(file.content_datetime + shift),
  )
  const { notes } = set
  if (notes !== undefined) requireShortNotes(tx, ridsOf(files), notes)
  const changed = editFiles(tx, user, files, { ...set, shift })
  return resultOf(file_ids, files, changed)
}

/**
 * Gives files the fields present in `edit`, or moves their dates by `shift` milliseconds, with an audit entry for each
 * that changes. Returns how many changed.
 */
export function editFiles(
  tx: Tx,
  user: User,
  files: ShortFields[],
  edit: z.output<typeof BulkUpdate>['set'] & { shift?: number },
): number {
  const { is_public, notes, content_datetime: given, shift = 0 } = edit
  const dated: number[] = []
  const published: number[] = []
  const edits = files.map((file) => {
    const { rid, id } = file
    const { content_datetime: time, content_offset: offset } = file
    const date = changedDate(file, given ?? { time: time + shift, offset })
    if (date) dated.push(rid)
    if (is_public !== undefined && is_public !== file.is_public) published.push(rid)
    const before = { ...shownDate(file), is_public: file.is_public }
    const after = { ...shownDate(date || file), is_public: is_public ?? file.is_public }
    return { rid, id, changes: changesBetween(before, after) ?? {} }
  })
  const changed = recordEdits(tx, user, edits, notes)
  if (given !== undefined) {
    setDates(tx, dated, { content_datetime: given.time, content_offset: given.offset })
  } else if (shift !== 0) shiftDates(tx, dated, shift)
  if (is_public !== undefined) setPublic(tx, published, is_public)
  if (notes !== undefined) setNotes(tx, ridsOf(files), notes)
  return changed
}

function requireShortNotes(tx: Tx, rids: number[], notes: string | null): void {
  const bytes = bytesOfNotes(tx, rids) + rids.length * Buffer.byteLength(notes ?? '')
  if (bytes <= NOTES_LIMIT) return
  const limit = `${NOTES_LIMIT / 1024 / 1024} MiB`
  throw invalid('file_ids', `must be fewer: their notes, old and new, may have at most ${limit}`)
}
