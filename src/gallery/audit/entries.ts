import type { Schemas } from '../../client/index.ts'

/** An entry of the audit log or of a file's history. */
export type Entry = Omit<Schemas['HistoryEntry'], 'details'> &
  Partial<Pick<Schemas['AuditLogEntry'], 'object_type' | 'object_id'>> & {
    details: Record<string, unknown> | null
  }

/** The entries of one request, import or rule, the newest first. */
interface Deed {
  /** Null for entries by old versions, which had no numbers. */
  operation: number | null
  entries: Entry[]
}

const FINAL = [
  /^(user|session|token|archive|content)_/,
  /^(file_replace|file_permanent_delete|acl_change|duplicate_dismiss|duplicate_rescan)$/,
]

/** Groups the entries by operation; those of one operation are adjacent. */
export function deedsOf(entries: readonly Entry[]): Deed[] {
  const deeds: Deed[] = []
  for (const entry of entries) {
    const last = deeds.at(-1)
    if (last && last.operation !== null && last.operation === entry.operation) {
      last.entries.push(entry)
    } else {
      deeds.push({ operation: entry.operation, entries: [entry] })
    }
  }
  return deeds
}

/** Whether at least a part of a deed can be undone. */
export function isUndoable({ operation, entries }: Deed): boolean {
  const isFinal = ({ action }: Entry) => FINAL.some((pattern) => pattern.test(action))
  return operation !== null && !entries.every(isFinal)
}

/** Returns the numbers of the operations that the entries report as undone. */
export function undoneBy(entries: readonly Entry[]): Set<unknown> {
  const undos = entries.filter(({ action }) => action === 'operation_undo')
  return new Set(undos.map(({ details }) => details?.operation))
}

/** Returns how often each action occurs, in the order of the first occurrence. */
export function countActions(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { action } of entries) counts.set(action, (counts.get(action) ?? 0) + 1)
  return counts
}

/** The filter of the audit log in the address; days are `2026-11-23`. */
export interface AuditFilter {
  user: string
  action: string
  from: string
  to: string
  /** From 1. */
  page: number
}

export function readFilter(params: URLSearchParams): AuditFilter {
  const text = (name: string) => params.get(name) ?? ''
  const page = Number(text('page'))
  return {
    user: /^[1-9]\d{0,8}$/.test(text('user')) ? text('user') : '',
    action: text('action'),
    from: dayOf(text('from')),
    to: dayOf(text('to')),
    page: Number.isInteger(page) && page > 0 && page < 1e9 ? page : 1,
  }
}

/** Returns the address for a filter. */
export function auditHref(filter: AuditFilter): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) {
    if (value !== '' && value !== 1) params.set(name, String(value))
  }
  const text = String(params)
  return text === '' ? '/keep/audit' : `/keep/audit?${text}`
}

/** Returns the API's query for a filter, with `limit` entries per page. */
export function queryOf({ user, action, from, to, page }: AuditFilter, limit: number) {
  return {
    limit,
    offset: (page - 1) * limit,
    ...(user && { user_id: Number(user) }),
    ...(action && { action }),
    ...(from && { from: midnight(from, 0) }),
    // The end of that day.
    ...(to && { to: new Date(Date.parse(midnight(to, 1)) - 1).toISOString() }),
  }
}

/** Returns when a day begins by the clock of this device, `later` days later. */
function midnight(day: string, later: number): string {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year!, month! - 1, date! + later).toISOString()
}

function dayOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
}
