/** The user who acts, with their current rights. */
export interface User {
  id: number
  name: string
  is_admin: boolean
  can_create: boolean
}
