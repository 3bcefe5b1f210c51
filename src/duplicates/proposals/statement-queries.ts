import { and, asc, eq, gt, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import { type FileDateColumns, knownDay } from '../../files/dates/file-date.ts'
import { STAND_INS, type Statements } from './agreement.ts'

const said = prepared({ rids: 'text' }, (db, given) => {
  const { content_datetime, content_offset, date_source, date_precision } = files
  return reading(
    {
      rid: files.rid,
      content_datetime,
      content_offset,
      date_source,
      date_precision,
      notes: fileDetails.notes,
      metadata: fileDetails.metadata,
      taken: sql<string | null>`${fileDetails.exif} ->> '$.DateTimeOriginal'`.as('taken'),
      rotation: sql<string | null>`nullif(${fileDetails.rotation}, 0) || ''`.as('rotation'),
    },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.rids}) AS j`)
        .crossJoin(files)
        .crossJoin(fileDetails)
        .where(and(eq(files.rid, sql`j.value`), eq(fileDetails.file_rid, files.rid))),
  )
})

/** Returns what people said of the files, and the dates that were read from each, by row number. */
export function statementsOf(db: Db, rids: number[]): Map<number, Statements> {
  const rows = said.all(db, { rids: JSON.stringify(rids) })
  return new Map(
    rows.map(({ rid, notes, metadata, taken, rotation, ...date }) => [
      rid,
      { notes, metadata, taken, rotation, ...statedDate(date) },
    ]),
  )
}

function statedDate(date: FileDateColumns): Pick<Statements, 'given' | 'zone' | 'read'> {
  const { content_datetime, content_offset, date_source, date_precision } = date
  const text = `${knownDay(date)}${date_precision === null ? `|${content_datetime}` : ''}`
  const isGiven = date_source === 'given'
  const isRead = date_source !== null && !isGiven && !STAND_INS.includes(date_source)
  return {
    given: isGiven ? text : null,
    zone: isGiven && date_precision === null ? String(content_offset ?? '') : null,
    read: isRead ? text : null,
  }
}

const stated = prepared({ rids: 'text' }, (db, given) =>
  reading({ rid: files.rid }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.rids}) AS j`)
      .crossJoin(files)
      .crossJoin(fileDetails)
      .where(
        and(
          eq(files.rid, sql`j.value`),
          eq(fileDetails.file_rid, files.rid),
          or(
            isNotNull(fileDetails.notes),
            isNotNull(fileDetails.metadata),
            ne(fileDetails.rotation, 0),
            eq(files.date_source, 'given'),
          ),
        ),
      ),
  ),
)

/** Returns the files that have statements of people. */
export function filesWithStatements(db: Db, rids: number[]): number[] {
  return stated.all(db, { rids: JSON.stringify(rids) }).map((row) => row.rid)
}

const stretchOf = (kind: 'stated' | 'given') => {
  const { notes, metadata, rotation } = fileDetails
  // Spelled as in the index.
  const hasText = or(isNotNull(notes), isNotNull(metadata), sql`${rotation} <> 0`)
  const [rid, table, holds] =
    kind === 'stated'
      ? [fileDetails.file_rid, sql`${fileDetails} INDEXED BY file_details_told`, hasText]
      : [files.rid, sql`${files} INDEXED BY files_date_source`, sql`${files.date_source} = 'given'`]
  return prepared({ after: rid as SQLiteColumn, length: 'number' }, (db, given) => {
    const stretch = db
      .select({ rid: sql<number>`${rid}`.as('rid') })
      .from(table)
      .where(and(holds, gt(rid, given.after)))
      .orderBy(asc(rid))
      .limit(asLimit(given.length))
      .as('stretch')
    return reading({ rids: sql<string>`json_group_array(${stretch.rid})`.as('rids') }, (fields) =>
      db.select(fields).from(stretch),
    )
  })
}
const STRETCHES = { stated: stretchOf('stated'), given: stretchOf('given') }

/**
 * Returns the next `length` files after a row number that have notes or metadata or are turned (`stated`), or a date
 * that a person gave them, and the last one; null when there are no more.
 */
export function statementStretch(
  db: Db,
  kind: keyof typeof STRETCHES,
  { after, length }: { after: number; length: number },
): { rids: number[]; end: number | null } {
  const rids: number[] = JSON.parse(STRETCHES[kind].get(db, { after, length })!.rids)
  return { rids, end: rids.length < length ? null : rids.at(-1)! }
}
