import { and, count, eq } from 'drizzle-orm'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/client.ts'
import { reading } from '../db/reading.ts'
import { pools } from '../db/schema/pools.ts'
import { categories, tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'

// The most objects of each type that a user who is no admin may have created.
const MADE = {
  tag: { most: 10_000, noun: 'tags', table: tags, stands: eq(tags.is_deleted, false) },
  category: { most: 1000, noun: 'categories', table: categories, stands: undefined },
  pool: { most: 10_000, noun: 'pools', table: pools, stands: eq(pools.is_deleted, false) },
}

/**
 * Returns how many objects of a type a user has created, and how many they may have created at most: null for an admin,
 * of whom they are not counted.
 */
export function madeBy(
  db: Db,
  type: keyof typeof MADE,
  creator_id: number,
): { made: number; most: number | null } {
  const { most, table, stands } = MADE[type]
  const user = db.first(
    reading({ is_admin: users.is_admin }, (fields) =>
      db.select(fields).from(users).where(eq(users.id, creator_id)),
    ),
  )!
  if (user.is_admin) return { made: 0, most: null }
  const theirs = and(eq(table.creator_id, creator_id), stands)
  const { made } = db.first(
    reading({ made: count() }, (fields) => db.select(fields).from(table).where(theirs)),
  )!
  return { made, most }
}

/** Throws conflict when a user who is no admin has created as many objects of a type as they may. */
export function requireRoomToMake(db: Db, type: keyof typeof MADE, creator_id: number): void {
  const { made, most } = madeBy(db, type, creator_id)
  if (most === null || made < most) return
  throw new AppError('conflict', `A user may create at most ${most} ${MADE[type].noun}`)
}
