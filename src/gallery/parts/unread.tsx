import type { ApiError } from '../base/error.ts'
import { grid } from '../text/grid.ts'
import { problem } from '../text/problem.ts'

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
