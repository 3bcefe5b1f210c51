import { and, asc, eq, gt, isNotNull, notInArray, or, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import { STAND_INS, type Statements } from './agreement.ts'

const said = prepared({ rids: 'text' }, (db, given) => {
  const { date_source, content_datetime, content_offset } = files
  const isGiven = eq(date_source, 'given')
  const isRead = notInArray(date_source, ['given', ...STAND_INS])
  const instant = sql`CAST(${content_datetime} AS TEXT)`
  return reading(
    {
      rid: files.rid,
      notes: fileDetails.notes,
      metadata: fileDetails.metadata,
      given: sql<string | null>`iif(${isGiven}, ${instant}, NULL)`.as('given'),
      zone: sql<string | null>`iif(${isGiven}, ifnull(${content_offset}, '') || '', NULL)`.as(
        'zone',
      ),
      read: sql<string | null>`iif(${isRead}, ${instant}, NULL)`.as('read'),
      taken: sql<string | null>`${fileDetails.exif} ->> '$.DateTimeOriginal'`.as('taken'),
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
  return new Map(rows.map(({ rid, ...file }) => [rid, file]))
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
  const hasText = or(isNotNull(fileDetails.notes), isNotNull(fileDetails.metadata))
  const [rid, table, holds] =
    kind === 'stated'
      ? [fileDetails.file_rid, sql`${fileDetails} INDEXED BY file_details_told`, hasText]
      : [files.rid, sql`${files} INDEXED BY files_given`, sql`${files.date_source} = 'given'`]
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
 * Returns the next `length` files after a row number that have notes or metadata (`stated`), or a date that a person gave
 * them, and the last one; null when there are no more.
 */
export function statementStretch(
  db: Db,
  kind: keyof typeof STRETCHES,
  { after, length }: { after: number; length: number },
): { rids: number[]; end: number | null } {
  const rids: number[] = JSON.parse(STRETCHES[kind].get(db, { after, length })!.rids)
  return { rids, end: rids.length < length ? null : rids.at(-1)! }
}
