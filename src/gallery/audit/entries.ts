import type { Schemas } from '../../client/index.ts'
import { number, when } from '../base/format.ts'
import { audit as text } from '../text/audit.ts'

/** The most characters of a value that are shown. */
const LONG = 80

/** What the sentence says already. */
const TOLD = /^(file_tag_(add|remove) tag_ids|file_review needs_review|tag_rule_edit is_active)$/

interface Change {
  from: unknown
  to: unknown
}

/** Returns the name of the subject of an entry; undefined if the entry has none. */
export function subjectOf({ details }: Entry): string | undefined {
  const { name, original_name, to, changes } = (details ?? {}) as Record<string, unknown>
  const replaced = (to as { original_name?: unknown } | undefined)?.original_name
  const changed = changes as Record<string, Change | undefined> | undefined
  const renamed = (changed?.name ?? changed?.original_name)?.to
  const names = [name, original_name, replaced, renamed]
  return names.find((one) => typeof one === 'string') as string | undefined
}

/** Returns the fields that several entries changed, in words. */
export function fieldsOf(entries: readonly Entry[]): string[] {
  const fields = entries.flatMap(({ details }) => Object.keys(details?.changes ?? {}))
  return [...new Set(fields)]
    .map((field) => text().fields[field])
    .filter((name) => name !== undefined)
}

/**
 * Returns in words what an entry says about the change besides its sentence; `tagName` returns the name of a tag by its id.
 */
export function factsOf(
  { action, details }: Entry,
  tagName: (id: string) => string | undefined,
): string[] {
  const words = text()
  const facts: string[] = []
  if (action === 'acl_change') {
    const seen = (details?.to ?? []) as { user_name: string; can_edit: boolean }[]
    const who = seen.map((one) => words.may(one.user_name, one.can_edit))
    return [who.length === 0 ? words.nobody : who.join(', ')]
  }
  for (const [key, value] of Object.entries(details ?? {})) {
    if (TOLD.test(`${action} ${key}`)) continue
    if (key === 'tag_ids' || key === 'tags') {
      const names = (value as string[]).map(tagName).filter((name) => name !== undefined)
      if (names.length > 0) facts.push(names.join(', '))
    } else if (key === 'changes') {
      for (const [field, change] of Object.entries(value as object)) {
        facts.push(changeOf(field, change as Change))
      }
    } else if (key === 'fields' && Array.isArray(value)) {
      facts.push(value.map((field) => words.fields[field] ?? '').join(', '))
    } else if (isChange(value)) {
      facts.push(changeOf(key, value))
    } else if (typeof value === 'number' && words.counts[key]) {
      if (value > 0) facts.push(words.counts[key](value))
    }
  }
  return facts.filter((fact) => fact !== '')
}

function isChange(value: unknown): value is Change {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}

function changeOf(field: string, { from, to }: Change): string {
  const words = text()
  const name = words.fields[field]
  if (name === undefined) return ''
  const [before, after] = [shown(from), shown(to)]
  return before === null || after === null ? name : words.change(name, before, after)
}

const ID = /^[\da-f]{8}-[\da-f-]{27}$/
const TIME = /^\d{4}-\d\d-\d\dT/

/** Returns a value in words; null for one that means nothing to a reader, such as an id. */
function shown(value: unknown): string | null {
  const words = text()
  if (value === null) return words.none
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return number(value)
  if (typeof value !== 'string' || ID.test(value)) return null
  if (TIME.test(value)) return when(value)
  return value.length > LONG ? `${value.slice(0, LONG)}…` : value
}

/** An entry of the audit log or of a file's history. */
export type Entry = Omit<Schemas['HistoryEntry'], 'details'> &
  Partial<Pick<Schemas['AuditLogEntry'], 'object_type' | 'object_id'>> & {
    details: Record<string, unknown> | null
  }

/** The entries of one request, import or rule, the newest first. */
export interface Deed {
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

/** Whether an entry says that an operation was undone. */
export const isUndoEntry = ({ action }: Entry) => action === 'operation_undo'

/**
 * Whether at least a part of a deed can be undone; `root` is what it took back, if that is known. Photos whose merge
 * was undone can't be merged again by an undo.
 */
export function isUndoable({ operation, entries }: Deed, root?: Deed): boolean {
  if (root?.entries.some(({ action }) => action === 'file_merge')) return false
  const isFinal = ({ action }: Entry) => FINAL.some((pattern) => pattern.test(action))
  return operation !== null && !entries.every(isFinal)
}

/** Returns the numbers of the operations that the entries report as undone. */
export function undoneBy(entries: readonly Entry[]): Set<unknown> {
  const undos = entries.filter(isUndoEntry)
  return new Set(undos.map(({ details }) => details?.operation))
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
