import type { ComponentChildren } from 'preact'
import { session } from '../base/session.ts'
import { common } from '../text/common.ts'

/** A screen for admins; whoever is none, or no longer, is told so. */
export function AdminsOnly({ children }: { children: ComponentChildren }) {
  if (session.value?.user.is_admin) return <>{children}</>
  return (
    <div class="void">
      <h1>{common().adminsOnly}</h1>
    </div>
  )
}
