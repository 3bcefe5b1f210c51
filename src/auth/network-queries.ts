import { and, desc, eq, ne, notInArray } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { knownNetworks, users } from '../db/schema/users.ts'
import type { Tx } from '../db/write.ts'

// The networks seen last are retained.
const MAX_NETWORKS = 64

const knownNetwork = prepared({ name: users.name, network: knownNetworks.network }, (db, given) =>
  reading({ user_id: knownNetworks.user_id }, (fields) =>
    db
      .select(fields)
      .from(knownNetworks)
      .innerJoin(users, eq(users.id, knownNetworks.user_id))
      .where(
        and(
          eq(users.name, given.name),
          eq(users.is_deleted, false),
          eq(knownNetworks.network, given.network),
        ),
      ),
  ),
)

/** Returns whether the user of that name has signed in from the network; false for null. `name` is NFC and trimmed. */
export function isKnownNetwork(db: Db, name: string, network: string | null): boolean {
  if (network === null) return false
  return knownNetwork.get(db, { name, network }) !== undefined
}

/** Records that a user signs in from a network, and drops those seen least recently beyond the limit. */
export function rememberNetwork(tx: Tx, user_id: number, network: string): void {
  const seen_at = tx.now
  tx.execute(
    tx
      .insert(knownNetworks)
      .values({ user_id, network, seen_at })
      .onConflictDoUpdate({
        target: [knownNetworks.user_id, knownNetworks.network],
        set: { seen_at },
      }),
  )
  // This network stays even if the clock was set back.
  const others = and(eq(knownNetworks.user_id, user_id), ne(knownNetworks.network, network))
  const newest = tx
    .select({ network: knownNetworks.network })
    .from(knownNetworks)
    .where(others)
    .orderBy(desc(knownNetworks.seen_at))
    .limit(MAX_NETWORKS - 1)
  tx.execute(tx.delete(knownNetworks).where(and(others, notInArray(knownNetworks.network, newest))))
}

/** Updates when a user was last seen in a network, if it is one of theirs. */
export function touchNetwork(tx: Tx, user_id: number, network: string): void {
  tx.execute(
    tx
      .update(knownNetworks)
      .set({ seen_at: tx.now })
      .where(and(eq(knownNetworks.user_id, user_id), eq(knownNetworks.network, network))),
  )
}

/** Removes the networks of a user, or all but one. */
export function removeNetworks(tx: Tx, user_id: number, except: string | null): void {
  const others = except === null ? undefined : ne(knownNetworks.network, except)
  tx.execute(tx.delete(knownNetworks).where(and(eq(knownNetworks.user_id, user_id), others)))
}
