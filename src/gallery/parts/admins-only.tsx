import type { ComponentChildren } from 'preact'
import { session } from '../base/session.ts'
import { common } from '../text/common.ts'

/** Shows a screen to admins, and a notice to all others, also after losing that role. */
export function AdminsOnly({ children }: { children: ComponentChildren }) {
  if (session.value?.user.is_admin) return <>{children}</>
  return (
    <div class="void">
      <h1>{common().adminsOnly}</h1>
    </div>
  )
}
