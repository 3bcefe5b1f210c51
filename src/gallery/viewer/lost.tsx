import type { ApiError } from '../base/error.ts'
import { viewer } from '../text/viewer.ts'

/** Says that a file could not be loaded, or is gone. */
export function Lost({ error, retry }: { error: ApiError; retry(): void }) {
  const words = viewer()
  const isGone = [403, 404].includes(error.status)
  return (
    <p class="refused" role="alert">
      {isGone ? words.gone : words.failed}{' '}
      {!isGone && (
        <button type="button" class="btn" onClick={retry}>
          {words.retry}
        </button>
      )}
    </p>
  )
}
