import type { KeyScope } from './enums.ts'

/** The user who acts, with their current rights. */
export interface User {
  id: number
  name: string
  is_admin: boolean
  can_create: boolean
}

/** The key with which a user's app acts, within its scope. */
export interface ApiKey {
  id: number
  scope: KeyScope
  /** The pool that new files go into, if there is one. */
  pool_rid: number | null
  /** Whether folders of the drop box become tags of the new files in them. */
  folder_tags: boolean
}
