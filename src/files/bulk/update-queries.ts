import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Changes } from '../../audit/changes.ts'
import { type Actor, auditMany } from '../../audit/record.ts'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import { listed } from '../../db/sql.ts'
import type { Tx } from '../../db/write.ts'
import type { FileDateColumns } from '../dates/file-date.ts'
import { recordNotes } from '../notes-queries.ts'

const { rid, id, is_public, ...others } = files
const { content_datetime, content_offset, date_source, date_precision } = others
const FIELDS = { rid, id, content_datetime, content_offset, date_source, date_precision, is_public }
const { file_rid, notes } = fileDetails

const fieldsOf = prepared({ files: 'text' }, (db, given) =>
  reading(FIELDS, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.files}) AS j`)
      .crossJoin(files)
      .where(eq(rid, sql`j.value`))
      .orderBy(sql`j.key`),
  ),
)

export type ShortFields = Pick<typeof files.$inferSelect, keyof typeof FIELDS>

/** Returns the short fields of files, in the order given. */
export function listFields(db: Db, rids: number[]): ShortFields[] {
  return fieldsOf.all(db, { files: JSON.stringify(rids) })
}

const noteBytes = prepared({ files: 'text' }, (db, given) =>
  reading({ bytes: sql<number>`coalesce(sum(octet_length(${notes})), 0)`.as('bytes') }, (fields) =>
    db
      .select(fields)
      .from(fileDetails)
      .where(inArray(file_rid, listed(given.files))),
  ),
)

/** Returns the total bytes of the notes of files. */
export function bytesOfNotes(db: Db, rids: number[]): number {
  return noteBytes.get(db, { files: JSON.stringify(rids) })!.bytes
}

interface FieldsEdit {
  rid: number
  id: string
  changes: Changes
}

const recorded = auditMany('file_edit', 'file')

const notesOf = prepared({ files: 'text' }, (db, given) =>
  reading({ file_rid, notes }, (fields) =>
    db
      .select(fields)
      .from(fileDetails)
      .where(inArray(file_rid, listed(given.files))),
  ),
)

const dated = prepared({ dates: 'text' }, (db, given) =>
  db
    .update(files)
    .set({
      content_datetime: sql`j.value ->> '$.content_datetime'`,
      content_offset: sql`j.value ->> '$.content_offset'`,
      date_source: sql`j.value ->> '$.date_source'`,
      date_precision: sql`j.value ->> '$.date_precision'`,
    })
    .from(sql`json_each(${given.dates}) AS j`)
    .where(eq(rid, sql`j.value ->> '$.rid'`)),
)
const published = prepared({ files: 'text', is_public }, (db, given) =>
  db
    .update(files)
    .set({ is_public: given.is_public })
    .where(inArray(rid, listed(given.files))),
)
const noted = prepared({ files: 'text', notes }, (db, given) =>
  db
    .update(fileDetails)
    .set({ notes: given.notes })
    .where(and(inArray(file_rid, listed(given.files)), sql`${notes} IS NOT ${given.notes}`)),
)

/**
 * Writes an audit entry for each file that changes; `to` is the new notes, if they change. Returns the number of
 * entries.
 */
export function recordEdits(
  tx: Tx,
  actor: Actor,
  edits: FieldsEdit[],
  to: string | null | undefined,
): number {
  const former = new Map<number, string | null>()
  if (to !== undefined) {
    const files = JSON.stringify(edits.map((edit) => edit.rid))
    for (const row of notesOf.all(tx, { files })) former.set(row.file_rid, row.notes)
  }
  const entries = edits.flatMap(({ rid, id, changes }) => {
    const from = former.get(rid)
    const all = from === undefined || from === to ? changes : { ...changes, notes: { from, to } }
    return Object.keys(all).length > 0 ? [{ id, details: { changes: all } }] : []
  })
  return entries.length > 0 ? recorded(tx, actor, entries) : 0
}

/** Gives each of the files its own date. */
export function setDates(tx: Tx, dates: (FileDateColumns & { rid: number })[]): void {
  dated.run(tx, { dates: JSON.stringify(dates) })
}

/** Makes files public, or private. */
export function setPublic(tx: Tx, rids: number[], is_public: boolean): void {
  published.run(tx, { files: JSON.stringify(rids), is_public })
}

/** Gives files notes. */
export function setNotes(tx: Tx, rids: number[], notes: string | null): void {
  noted.run(tx, { files: JSON.stringify(rids), notes })
  recordNotes(tx, rids, notes)
}
