import { number } from '../base/format.ts'
import { bulk } from '../text/bulk.ts'
import { running } from './run.ts'

/** Shows the progress of a change that takes several requests, with a button that stops it. */
export function Running() {
  const words = bulk()
  if (!running.value) return null
  const { done, count, end } = running.value
  return (
    <span class="progress" role="status">
      <progress max={count} value={done} aria-label={words.progress(number(done), number(count))} />
      <button type="button" onClick={end}>
        {words.end}
      </button>
    </span>
  )
}
