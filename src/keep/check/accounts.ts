import type { Look } from './look.ts'
import { hasActiveAdmin } from './row-queries.ts'

/** Checks that somebody can let others in. */
export const accounts: Look = {
  what: 'The admins',
  find: (db) =>
    hasActiveAdmin(db)
      ? []
      : [
          {
            kind: 'no_admin',
            subject: 'users',
            sentence: 'No admin can sign in: "tagstead user" makes one, or lets one in again',
          },
        ],
}
