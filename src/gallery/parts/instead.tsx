import type { ComponentChildren } from 'preact'
import type { ApiError } from '../base/error.ts'
import { session } from '../base/session.ts'
import { common } from '../text/common.ts'
import { grid } from '../text/grid.ts'
import { problem } from '../text/problem.ts'

/** Shows a screen to admins, and a notice to all others, also after losing that role. */
export function AdminsOnly({ children }: { children: ComponentChildren }) {
  if (session.value?.user.is_admin) return <>{children}</>
  return (
    <div class="void">
      <h1>{common().adminsOnly}</h1>
    </div>
  )
}

/** Shows why a list could not be read, with a button to try again; nothing without an error. */
export function Unread({ error, retry }: { error: ApiError | undefined; retry(): void }) {
  if (!error) return null
  return (
    <p role="alert">
      {problem(error)}{' '}
      <button type="button" class="linky" onClick={retry}>
        {grid().retry}
      </button>
    </p>
  )
}
