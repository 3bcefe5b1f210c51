import type { z } from 'zod'
import { changesBetween } from '../../audit/changes.ts'
import type { Rotation } from '../../base/enums.ts'
import { invalid } from '../../base/errors.ts'
import { DAY, isPlausibleTime, MINUTE } from '../../base/time.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import type { FileDate } from '../../media/dates.ts'
import { changedDate, dateOf, shownDate } from '../dates/file-date.ts'
import { rotationsOf, turnFile } from '../looks/turn-queries.ts'
import { rotationAfter } from '../looks/turned.ts'
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
} from './update-queries.ts'

/** In bytes, for the old and new notes of all files together. */
const NOTES_LIMIT = 4 * 1024 * 1024

/**
 * Gives those of the files that the user may edit the fields of `set`, moves their dates and turns them. Skips files
 * that do not exist, that the user may not edit, or whose date would leave the years 0001 to 9999 or can't be moved: a
 * month or a year alone, or a day alone by less than days. Throws a validation error for too much text in notes.
 */
export function bulkUpdate(tx: Tx, user: User, request: z.output<typeof BulkUpdate>): BulkResult {
  const { file_ids, set, shift_minutes = 0, turn } = request
  const shift = shift_minutes * MINUTE
  const edit = { ...set, shift, turn }
  const files = listFields(tx, ridsOf(filesAllowed(tx, user, 'edit', file_ids))).filter((file) =>
    isDatable(file, edit),
  )
  const { notes } = set
  if (notes !== undefined) requireShortNotes(tx, ridsOf(files), notes)
  const changed = editFiles(tx, user, files, edit)
  return resultOf(file_ids, files, changed)
}

/**
 * Gives files the fields present in `edit`, or moves their dates by `shift` milliseconds, and turns them by `turn`
 * degrees, with an audit entry for each that changes. Returns how many changed.
 */
export function editFiles(tx: Tx, user: User, files: ShortFields[], edit: Edit): number {
  const { is_public, notes, turn = 0 } = edit
  const rotations = turn === 0 ? null : rotationsOf(tx, ridsOf(files))
  const dated: (FileDate & { rid: number })[] = []
  const published: number[] = []
  const edits = files.map((file) => {
    const { rid, id } = file
    const date = dateAfter(file, edit)
    if (date) dated.push({ rid, ...date })
    if (is_public !== undefined && is_public !== file.is_public) published.push(rid)
    const rotation = rotations?.get(rid) ?? 0
    const before = { ...shownDate(file), rotation, is_public: file.is_public }
    const after = {
      ...shownDate(date || file),
      rotation: rotationAfter(rotation, turn),
      is_public: is_public ?? file.is_public,
    }
    return { rid, id, changes: changesBetween(before, after) ?? {} }
  })
  const changed = recordEdits(tx, user, edits, notes)
  if (dated.length > 0) setDates(tx, dated)
  if (is_public !== undefined) setPublic(tx, published, is_public)
  if (notes !== undefined) setNotes(tx, ridsOf(files), notes)
  for (const [rid, from] of rotations ?? []) {
    turnFile(tx, rid, { from, to: rotationAfter(from, turn) })
  }
  return changed
}

type Edit = z.output<typeof BulkUpdate>['set'] & { shift?: number; turn?: Rotation | undefined }

function dateAfter(file: ShortFields, { content_datetime, shift = 0, ...edit }: Edit) {
  if (content_datetime) return changedDate(file, content_datetime, edit.date_precision)
  if (shift === 0) return null
  return { ...dateOf(file), ...GIVEN, content_datetime: file.content_datetime + shift }
}

const GIVEN = { date_source: 'given' } as const

function isDatable(file: ShortFields, edit: Edit): boolean {
  return isMovable(file, edit) && isPlausibleTime((dateAfter(file, edit) ?? file).content_datetime)
}

function isMovable({ date_precision }: ShortFields, { shift = 0 }: Edit): boolean {
  if (shift === 0 || date_precision === null) return true
  return date_precision === 'day' && shift % DAY === 0
}

function requireShortNotes(tx: Tx, rids: number[], notes: string | null): void {
  const bytes = bytesOfNotes(tx, rids) + rids.length * Buffer.byteLength(notes ?? '')
  if (bytes <= NOTES_LIMIT) return
  const limit = `${NOTES_LIMIT / 1024 / 1024} MiB`
  throw invalid('file_ids', `must be fewer: their notes, old and new, may have at most ${limit}`)
}
