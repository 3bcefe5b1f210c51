import type { Db } from '../db/client.ts'
import {
  type AuditPage,
  type AuditRequest,
  countWithin,
  type ListedEntry,
  listByIndex,
  listWithin,
} from './queries.ts'
import { type Counted, countedBlocks, currentTally, type Kind, type Tally } from './tally.ts'

/** So few entries of one user, action or type are found by its index. */
const FEW = 1000

/** Returns a page of the log, newest first, and how many entries match. */
export async function listAudit(db: Db, request: AuditRequest): Promise<AuditPage> {
  const tally = await currentTally(db)
  const isIndexed = !tally || request.object_id !== undefined || asksForFew(tally, request)
  return isIndexed ? listByIndex(db, request) : listByTally(db, tally, request)
}

const FIELDS = ['user_id', 'action', 'object_type'] as const

function asksForFew(tally: Tally, request: AuditRequest): boolean {
  return FIELDS.some((field) => {
    if (request[field] === undefined) return false
    let entries = 0
    for (const block of countedBlocks(tally, (kind) => kind[field] === request[field])) {
      entries += block.entries
      if (entries > FEW) return false
    }
    return true
  })
}

/** Reads only those blocks of the log that have entries of the page, or in which a time is asked for. */
function listByTally(db: Db, tally: Tally, request: AuditRequest): AuditPage {
  const { offset, limit } = request
  const isAsked = (kind: Kind) =>
    FIELDS.every((field) => request[field] === undefined || kind[field] === request[field])
  const rows: ListedEntry[] = []
  let total = 0
  for (const block of countedBlocks(tally, isAsked)) {
    const entries = entriesInTime(db, block, request)
    const skipped = Math.max(0, offset - total)
    total += entries
    const missing = limit - rows.length
    if (skipped >= entries || missing === 0) continue
    rows.push(...listWithin(db, block.span, { ...request, offset: skipped, limit: missing }))
  }
  return { rows, total }
}

/** Returns how many entries of a block match, which are between the times that are asked for. */
function entriesInTime(db: Db, { span, entries }: Counted, request: AuditRequest): number {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = request
  const first = span.from.performed_at
  // The block after it may begin in the same instant.
  const last = span.before?.performed_at ?? Number.POSITIVE_INFINITY
  if (entries === 0 || last < from || first > to) return 0
  return first >= from && last <= to ? entries : countWithin(db, span, request)
}
