import type { Db } from '../db/client.ts'
import { columnNames } from '../db/column-names.ts'
import { blobToUuid, uuidToBlob } from '../db/columns.ts'
import { auditLog, auditTexts } from '../db/schema/audit.ts'
import { and, type Sql } from '../db/sql.ts'

/** An entry of the log; `details` is JSON text. */
export type AuditRow = typeof auditLog.$inferSelect

const a = columnNames(auditLog)
const t = columnNames(auditTexts)
/** Longer details are read one by one. */
const LONG = 32 * 1024
const { details: DETAILS, details_version: _, ...SHORT } = a
const COLUMNS = `${Object.values(SHORT).join(', ')}, iif(octet_length(${DETAILS}) > ${LONG}, NULL, ${DETAILS}) AS details, octet_length(${DETAILS}) > ${LONG} AS is_long`

/** What selects a page of the log; times are in milliseconds, and both ends are included. */
export interface AuditRequest {
  user_id?: number | undefined
  action?: string | undefined
  object_type?: string | undefined
  object_id?: string | undefined
  from?: number | undefined
  to?: number | undefined
  offset: number
  limit: number
}

/** An entry of a page; the details of one that is long have not been read. */
export interface ListedEntry extends Omit<AuditRow, 'details_version'> {
  is_long: boolean
}

export interface AuditPage {
  rows: ListedEntry[]
  total: number
}

/** Returns a page of the log, newest first, and how many entries match, all of which are passed. */
export function listByIndex(db: Db, request: AuditRequest): AuditPage {
  const { index, where } = auditCondition(db, request)
  const from = `FROM audit_log INDEXED BY ${index} WHERE ${where.sql}`
  const rows = listEntries(db, { sql: from, params: where.params }, request)
  // Without a condition, SQLite counts by pages of an index: a million in about a millisecond.
  const counted = where.params.length === 0 ? 'FROM audit_log' : from
  const count = db.get<{ total: number }>(`SELECT count(*) AS total ${counted}`, ...where.params)!
  return { rows, total: count.total }
}

function listEntries(
  db: Db,
  from: Sql,
  { limit, offset }: Pick<AuditRequest, 'limit' | 'offset'>,
): ListedEntry[] {
  return db
    .all<
      Omit<ListedEntry, 'object_id' | 'is_long'> & {
        object_id: Uint8Array | null
        is_long: 0 | 1 | null
      }
    >(
      `SELECT ${COLUMNS} ${from.sql}
     ORDER BY ${a.performed_at} DESC, ${a.id} DESC LIMIT ? OFFSET ?`,
      ...from.params,
      limit,
      offset,
    )
    .map((row) => ({
      ...row,
      object_id: row.object_id && blobToUuid(row.object_id),
      is_long: row.is_long === 1,
    }))
}

/** An entry as far as it is counted. */
export interface CountedEntry {
  id: number
  user_id: number
  action: string
  object_type: string | null
  performed_at: number
}

const COUNTED = [a.id, a.user_id, a.action, a.object_type, a.performed_at].join(', ')

/** Returns the next entries after one, in the order of their ids. */
export function listAfter(db: Db, id: number, limit: number): CountedEntry[] {
  return db.all(
    `SELECT ${COUNTED} FROM audit_log WHERE ${a.id} > ? ORDER BY ${a.id} LIMIT ?`,
    id,
    limit,
  )
}

/** Returns the highest id; 0 for an empty log. */
export function lastEntry(db: Db): number {
  return db.get<{ id: number }>(`SELECT coalesce(max(${a.id}), 0) AS id FROM audit_log`)!.id
}

/** Returns the next entries after a moment's, in the order of time; from the first one on for null. */
export function listLater(db: Db, moment: Moment | null, limit: number): CountedEntry[] {
  const { performed_at, id } = moment ?? { performed_at: Number.MIN_SAFE_INTEGER, id: 0 }
  const from = `SELECT ${COUNTED} FROM audit_log INDEXED BY audit_log_time WHERE`
  // Of one instant there may be many, so that those before the moment aren't passed each time.
  const same = db.all<CountedEntry>(
    `${from} ${a.performed_at} = ? AND ${a.id} > ? ORDER BY ${a.id} LIMIT ?`,
    performed_at,
    id,
    limit,
  )
  const later = db.all<CountedEntry>(
    `${from} ${a.performed_at} > ? ORDER BY ${a.performed_at}, ${a.id} LIMIT ?`,
    performed_at,
    limit - same.length,
  )
  return [...same, ...later]
}

/** A place in the order of time: before the entry of that id and all later ones of that instant. */
export interface Moment {
  performed_at: number
  id: number
}

/** The entries from a moment on and before another one, or null for no end, as far as they are counted. */
export interface Span {
  from: Moment
  before: Moment | null
  lastId: number
}

/** Returns the entries of a span, the first one first. */
export function listCounted(db: Db, span: Span): CountedEntry[] {
  const where = withinSpan(span)
  return db.all(
    `SELECT ${COUNTED} FROM audit_log INDEXED BY audit_log_time WHERE ${where.sql}
     ORDER BY ${a.performed_at}, ${a.id}`,
    ...where.params,
  )
}

/** Returns the matching entries of a span, newest first; all of its entries are passed. */
export function listWithin(db: Db, span: Span, request: AuditRequest): ListedEntry[] {
  return listEntries(db, matchesWithin(span, request), request)
}

/** Returns how many entries of a span match. */
export function countWithin(db: Db, span: Span, request: AuditRequest): number {
  const { sql, params } = matchesWithin(span, request)
  return db.get<{ total: number }>(`SELECT count(*) AS total ${sql}`, ...params)!.total
}

function matchesWithin(span: Span, request: AuditRequest): Sql {
  const { filters, times } = conditionsOf(request)
  const { sql, params } = and([withinSpan(span), ...filters.map(equals), ...times])
  return { sql: `FROM audit_log INDEXED BY audit_log_time WHERE ${sql}`, params }
}

function withinSpan({ from, before, lastId }: Span): Sql {
  if (before?.performed_at === from.performed_at) {
    // Of one instant there may be many: the index knows the order of their ids.
    return {
      sql: `${a.performed_at} = ? AND ${a.id} >= ? AND ${a.id} < ?`,
      params: [from.performed_at, from.id, Math.min(before.id, lastId + 1)],
    }
  }
  const first: Sql = {
    sql: `${a.id} <= ? AND ${a.performed_at} >= ? AND (${a.performed_at} > ? OR ${a.id} >= ?)`,
    params: [lastId, from.performed_at, from.performed_at, from.id],
  }
  if (!before) return first
  const last: Sql = {
    sql: `${a.performed_at} <= ? AND (${a.performed_at} < ? OR ${a.id} < ?)`,
    params: [before.performed_at, before.performed_at, before.id],
  }
  return and([first, last])
}

/** A column and the value that it must have. Each index ends with the time. */
interface Filter {
  index: string
  column: string
  value: string | number | Uint8Array
}

const equals = ({ column, value }: Filter): Sql => ({ sql: `${column} = ?`, params: [value] })

/** Returns the condition, and the index that narrows the entries most. */
function auditCondition(db: Db, request: AuditRequest): { index: string; where: Sql } {
  const { filters, times } = conditionsOf(request)
  return {
    index: narrowestIndex(db, filters, times),
    where: and([...filters.map(equals), ...times]),
  }
}

function conditionsOf(request: AuditRequest): { filters: Filter[]; times: Sql[] } {
  const { user_id, action, object_type, object_id, from, to } = request
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
  return { filters, times }
}

/** Counting ends here: an index with this many entries is as bad as one with more. */
const MANY = 10_000

/** Returns the index whose filter admits the fewest entries in that time; some admit nearly all. */
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

/** A change of a file's date that the log tells. */
interface DateChange {
  user_id: number
  operation: number | null
  /** ISO 8601. */
  from: string
}

const CHANGE = `${DETAILS} -> '$.changes.content_datetime'`

/** Returns the changes of a file's date, the first one first. */
export function listDateChanges(db: Db, id: string): DateChange[] {
  return db.all(
    `SELECT ${a.user_id}, ${a.operation}, ${CHANGE} ->> '$.from' AS "from" FROM audit_log
     WHERE ${a.object_id} = ? AND ${CHANGE} IS NOT NULL ORDER BY ${a.id}`,
    uuidToBlob(id),
  )
}

/** Returns how many entries the log has, and of how many bytes their details are, with the texts beside it. */
export function sizeOfLog(db: Db): { entries: number; bytes: number } {
  return db.get(
    `SELECT count(*) AS entries, coalesce(sum(octet_length(${DETAILS})), 0) +
     (SELECT coalesce(sum(${t.bytes}), 0) FROM audit_texts) AS bytes FROM audit_log`,
  )!
}
