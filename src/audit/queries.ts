import type { Db } from '../db/client.ts'
import { blobToUuid, columnNames, uuidToBlob } from '../db/columns.ts'
import { auditLog, auditTexts } from '../db/schema/audit.ts'
import { and, type Sql } from '../db/sql.ts'

/** An entry of the log; `details` is JSON text. */
export type AuditRow = typeof auditLog.$inferSelect

const a = columnNames(auditLog)
const t = columnNames(auditTexts)
const { details: DETAILS, details_version: _, ...SHORT } = a
const COLUMNS = Object.values(SHORT).join(', ')

/** Times are in milliseconds, and both ends are included. */
export interface AuditFilters {
  user_id?: number | undefined
  action?: string | undefined
  object_type?: string | undefined
  object_id?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

/** An entry of a page, without its details, which may be long. */
type ListedEntry = Omit<AuditRow, 'details' | 'details_version'>

/** Returns a page of the log, newest first. With two filters, all entries before it are read. */
export function listEntries(
  db: Db,
  { offset, limit, ...filters }: AuditFilters & { offset: number; limit: number },
): ListedEntry[] {
  const { index, where } = auditCondition(db, filters)
  return db
    .all<Omit<ListedEntry, 'object_id'> & { object_id: Uint8Array | null }>(
      `SELECT ${COLUMNS} FROM audit_log INDEXED BY ${index} WHERE ${where.sql}
     ORDER BY ${a.performed_at} DESC, ${a.id} DESC LIMIT ? OFFSET ?`,
      ...where.params,
      limit,
      offset,
    )
    .map((row) => ({ ...row, object_id: row.object_id && blobToUuid(row.object_id) }))
}

/** Returns how many entries match. With two filters, all that match one of them are read. */
export function countEntries(db: Db, filters: AuditFilters): number {
  const { index, where } = auditCondition(db, filters)
  // Without a condition, SQLite counts by pages of an index.
  const matching = where.params.length === 0 ? '' : `INDEXED BY ${index} WHERE ${where.sql}`
  return db.get<{ total: number }>(
    `SELECT count(*) AS total FROM audit_log ${matching}`,
    ...where.params,
  )!.total
}

// Each index ends with the time.
interface Filter {
  index: string
  column: string
  value: string | number | Uint8Array
}

const equals = ({ column, value }: Filter): Sql => ({ sql: `${column} = ?`, params: [value] })

function auditCondition(db: Db, asked: AuditFilters): { index: string; where: Sql } {
  const { user_id, action, object_type, object_id, from, to } = asked
  const times: Sql[] = []
  if (from !== undefined) times.push({ sql: `${a.performed_at} >= ?`, params: [from] })
  if (to !== undefined) times.push({ sql: `${a.performed_at} <= ?`, params: [to] })
  const filters: Filter[] = []
  const add = (index: string, column: string, value: Filter['value'] | undefined) => {
    if (value !== undefined) filters.push({ index, column, value })
  }
  add('audit_log_object', a.object_id, object_id === undefined ? undefined : uuidToBlob(object_id))
  add('audit_log_action', a.action, action)
  add('audit_log_user', a.user_id, user_id)
  add('audit_log_object_type', a.object_type, object_type)
  return {
    index: narrowestIndex(db, filters, times),
    where: and([...filters.map(equals), ...times]),
  }
}

// Counting stops here: an index with this many entries is as bad as one with more.
const MANY = 10_000

// Some filters admit nearly all entries.
function narrowestIndex(db: Db, filters: Filter[], times: Sql[]): string {
  if (filters.length < 2) return filters[0]?.index ?? 'audit_log_time'
  const counted = filters.map((filter) => {
    const { index } = filter
    const where = and([equals(filter), ...times])
    const { entries } = db.get<{ entries: number }>(
      `SELECT count(*) AS entries FROM (SELECT 1 FROM audit_log INDEXED BY ${index} WHERE ${where.sql} LIMIT ${MANY})`,
      ...where.params,
    )!
    return { index, entries }
  })
  return counted.reduce((best, next) => (next.entries < best.entries ? next : best)).index
}

/** Returns the details of an entry as JSON text, null when it has none. */
export function entryDetails(db: Db, id: number): string | null {
  return (
    db.get<Pick<AuditRow, 'details'>>(`SELECT ${DETAILS} FROM audit_log WHERE ${a.id} = ?`, id)
      ?.details ?? null
  )
}

interface DateChange {
  user_id: number
  operation: number | null
  /** ISO 8601. */
  from: string
}

const CHANGE = `${DETAILS} -> '$.changes.content_datetime'`

/** Returns the changes of a file's date, in order of time. */
export function listDateChanges(db: Db, id: string): DateChange[] {
  return db.all(
    `SELECT ${a.user_id}, ${a.operation}, ${CHANGE} ->> '$.from' AS "from" FROM audit_log
     WHERE ${a.object_id} = ? AND ${CHANGE} IS NOT NULL ORDER BY ${a.id}`,
    uuidToBlob(id),
  )
}

/** Returns whether an entry of the log says that a field of a file was changed. */
export function wasChanged(db: Db, id: string, field: string): boolean {
  const change = `${DETAILS} -> ('$.changes.' || ?)`
  const text = `SELECT 1 FROM audit_log WHERE ${a.object_id} = ? AND ${change} IS NOT NULL LIMIT 1`
  return db.get(text, uuidToBlob(id), field) !== undefined
}

/** Returns the number of entries of the log, and the bytes of their details and of the texts beside it. */
export function sizeOfLog(db: Db): { entries: number; bytes: number } {
  return db.get(
    `SELECT count(*) AS entries, coalesce(sum(octet_length(${DETAILS})), 0) +
     (SELECT coalesce(sum(${t.bytes}), 0) FROM audit_texts) AS bytes FROM audit_log`,
  )!
}
