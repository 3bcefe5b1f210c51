import type { SQL } from 'drizzle-orm'
import type { ObjectType } from '../base/enums.ts'
import type { Given, Parameters, Values } from '../db/prepared.ts'
import type { Tx } from '../db/write.ts'
import { type AuditAction, DETAILS_VERSION, type Details } from './details.ts'
import { withoutLong } from './long-texts.ts'
import {
  insertEntry,
  insertedEntries,
  lastEntryId,
  lastOperation,
  listedEntries,
} from './record-queries.ts'
import { bytesAfter, countWritten, removeOldTexts, storeText } from './text-queries.ts'

/** The user of an action, as the log names them. */
export interface Actor {
  id: number
  name: string
}

/** The actor of what the server does by itself. */
export const SYSTEM: Actor = { id: 0, name: 'system' }

interface AuditObject {
  type: ObjectType
  id: string
}

/**
 * Writes one entry of the audit log; the first one of an operation gives it its number. It names the actor, unless
 * another user does the whole operation in their name.
 */
export function audit<Action extends AuditAction>(
  tx: Tx,
  actor: Actor,
  action: Action,
  object: AuditObject | null,
  details: Details[Action],
): void {
  const by = tx.by ?? actor
  const text = recordedText(tx, by, action, details)
  countWritten(tx, by.id, Buffer.byteLength(text))
  insertEntry(tx, {
    ...writtenBy(tx, by),
    action,
    object_type: object?.type ?? null,
    object_id: object?.id ?? null,
    details: text,
    details_version: DETAILS_VERSION,
  })
}

/**
 * Returns a function that writes an entry for each object of a set, in one statement, and returns how many there were.
 * `select` gets the parameters and selects each object's `id`, as it is stored, and its `details`, as JSON text.
 */
export function auditEach<P extends Parameters>(
  action: AuditAction,
  object_type: ObjectType,
  parameters: P,
  select: (given: Given<P>) => SQL,
): (tx: Tx, actor: Actor, values: Values<P>) => number {
  const inserted = insertedEntries(action, object_type, parameters, select)
  return (tx, actor, values) => {
    const before = tx.operation
    const last = lastEntryId(tx)
    const by = tx.by ?? actor
    const written = inserted.run(tx, { ...values, ...writtenBy(tx, by) })
    if (written > 0) countWritten(tx, by.id, bytesAfter(tx, last))
    // A change of nothing is no operation.
    if (written === 0) tx.operation = before
    return written
  }
}

/**
 * Returns a function that writes an entry for each of a list of objects, in one statement, and returns how many there
 * were.
 */
export function auditMany<Action extends AuditAction>(
  action: Action,
  object_type: ObjectType,
): (tx: Tx, actor: Actor, entries: { id: string; details: Details[Action] }[]) => number {
  const written = auditEach(action, object_type, { entries: 'text' }, listedEntries)
  return (tx, actor, entries) => {
    const list = entries.map(({ id, details }) => [
      id.replaceAll('-', ''),
      recordedText(tx, tx.by ?? actor, action, details),
    ])
    return written(tx, actor, { entries: JSON.stringify(list) })
  }
}

function recordedText(tx: Tx, actor: Actor, action: AuditAction, details: object): string {
  const { text, formerTexts } = withoutLong(action, details)
  for (const one of formerTexts) {
    storeText(tx, actor.id, one)
    countWritten(tx, actor.id, one.bytes)
  }
  if (formerTexts.length > 0) removeOldTexts(tx)
  return text
}

/**
 * Gives the operation its number ahead of its first entry, which the write must then have: for a long change that
 * begins earlier. It is the user's next number, so that it doesn't reveal how much others do.
 */
export function reserveOperation(tx: Tx, user: { id: number }): number {
  // No other connection can write an entry before this write ends.
  tx.operation ??= lastOperation(tx, (tx.by ?? user).id) + 1
  return tx.operation
}

// The first entry gives the operation its number.
function writtenBy(tx: Tx, actor: Actor) {
  const operation = reserveOperation(tx, actor)
  const { now: performed_at } = tx
  return { user_id: actor.id, user_name: actor.name, performed_at, operation }
}
