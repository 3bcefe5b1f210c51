import { type Disk, isOutOfSpace } from '../base/disk.ts'
import type { Clock } from '../base/time.ts'
import type { Db } from './client.ts'
import { giveUpBallast, keepFreePages } from './spare.ts'

declare const inWrite: unique symbol

/**
 * The connection inside a write: the same object, so that prepared queries work, under a type that only `write`
 * provides. Functions that change the library take one.
 */
export interface Tx extends Db {
  readonly [inWrite]: true
  /** When the write happens, in milliseconds since 1970-01-01 UTC. */
  readonly now: number
  /** The number of the operation that the write is a part of, once it has an audit entry. */
  operation: number | null
  /** Who does it, where that is not the user in whose name it is done. */
  readonly by: Operation['by']
}

/**
 * What one request, import or rule does, in one write or several. Its number is the id of its first audit entry, and
 * null before that is committed.
 */
export interface Operation {
  number: number | null
  /** Who does all of it, in the name of another user. */
  by?: { id: number; name: string } | undefined
}

export interface WriteDeps {
  db: Db
  disk: Disk
  clock: Clock
}

/** `never` for a promise, because a transaction can't wait for anything. */
export type Synchronous<T> = T extends PromiseLike<unknown> ? never : T

/**
 * Runs `work` in one immediate transaction and returns its result; when it throws, everything is rolled back. Only the
 * outermost function of a change opens a transaction. `now` is in milliseconds since 1970-01-01 UTC; a write that
 * continues an operation names it.
 */
export function write<T>(
  db: Db,
  { now, operation = { number: null } }: { now: number; operation?: Operation },
  work: (tx: Tx) => Synchronous<T>,
): T {
  db.run('BEGIN IMMEDIATE')
  const tx = Object.assign(db, { now, operation: operation.number, by: operation.by }) as Tx
  try {
    const result = work(tx)
    db.run('COMMIT')
    operation.number = tx.operation
    keepFreePages(db)
    return result
  } catch (error) {
    try {
      db.run('ROLLBACK')
    } catch {
      // SQLite has already rolled back by itself, as it does when the disk is full.
    }
    if (isOutOfSpace(error)) giveUpBallast(db)
    throw error
  } finally {
    // Code that still holds the Tx can write no more entries.
    Object.assign(db, { now: Number.NaN, operation: null, by: undefined })
  }
}

/** Returns whether a write is under way, which may yet be rolled back. */
export function isWriting(db: Db): boolean {
  return Number.isFinite((db as Tx).now)
}

/** Runs `work` on one unchanging state of the database and returns its result. */
export function read<T>(db: Db, work: () => Synchronous<T>): T {
  db.run('BEGIN')
  try {
    const result = work()
    db.run('COMMIT')
    return result
  } catch (error) {
    try {
      db.run('ROLLBACK')
    } catch {
      // SQLite has already rolled back by itself, as it does when the disk can't be read.
    }
    throw error
  }
}
