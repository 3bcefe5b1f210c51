import { sharing } from '../text/sharing.ts'
import { type Draft, isEmpty } from './sight.ts'
import type { State } from './state.ts'
import { type Line, linesAfter, linesNow } from './words.ts'

interface SeesProps {
  /** Undefined before it has come. */
  state: State | undefined
  draft: Draft
  hasPictures: boolean
}

/** Who sees it now and who will, in words. */
export function Sees({ state, draft, hasPictures }: SeesProps) {
  const words = sharing()
  const now = state ? linesNow(state).map((text) => ({ text, isNew: false })) : []
  const hasOthers = state?.pictures ? state.pictures.all > state.pictures.own : false
  return (
    <div>
      <div class="sees" aria-live="polite">
        <div>
          <h3>{words.now}</h3>
          {state ? <Lines of={now} /> : <p>…</p>}
        </div>
        <div class="after">
          <h3>{words.after}</h3>
          {state && <Lines of={isEmpty(draft) ? [] : linesAfter(state, draft, hasPictures)} />}
        </div>
      </div>
      <p class="small muted note">{hasOthers ? words.notCounted : words.adminsToo}</p>
    </div>
  )
}

function Lines({ of }: { of: Line[] }) {
  return of.map(({ text, isNew }) => <p key={text}>{isNew ? <b>{text}</b> : text}</p>)
}
