import { TriangleAlert } from 'lucide'
import type { ApiError } from '../base/error.ts'
import { Icon } from '../parts/icon.tsx'
import { grid } from '../text/grid.ts'
import { problem } from '../text/problem.ts'

/** Shows why files could not be read, with a button to try again. */
export function Failure({ error, retry }: { error: ApiError; retry(): void }) {
  return (
    <div class="void" role="alert">
      <Icon of={TriangleAlert} />
      <h2>{grid().failed}</h2>
      <p class="muted">{problem(error)}</p>
      <button type="button" class="btn" onClick={retry}>
        {grid().retry}
      </button>
    </div>
  )
}
