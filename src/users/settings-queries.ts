import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { userSettings } from '../db/schema/users.ts'
import type { Tx } from '../db/write.ts'

const { user_id, settings } = userSettings

const settingsOf = prepared({ user_id }, (db, given) =>
  reading({ settings }, (fields) =>
    db.select(fields).from(userSettings).where(eq(user_id, given.user_id)),
  ),
)

/** Returns the settings of a user as JSON text, an empty object before they were ever set. */
export function findSettings(db: Db, user_id: number): string {
  return settingsOf.get(db, { user_id })?.settings ?? '{}'
}

const written = prepared({ user_id, settings }, (db, given) =>
  db
    .insert(userSettings)
    .values(given)
    .onConflictDoUpdate({ target: user_id, set: { settings: given.settings } }),
)

/** `settings` is JSON text. */
export function setSettings(tx: Tx, user_id: number, settings: string): void {
  written.run(tx, { user_id, settings })
}
