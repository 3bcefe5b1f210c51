/** Who makes a request, with the rights of this moment. */
export interface User {
  id: number
  name: string
  is_admin: boolean
  can_create: boolean
}
