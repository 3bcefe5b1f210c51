import { useWork } from '../base/work.ts'
import { AdminsOnly } from '../parts/admins-only.tsx'
import { imports as text } from '../text/import.ts'
import { problem } from '../text/problem.ts'
import { Folders } from './folders.tsx'
import { imports } from './imports.ts'
import { LastImport } from './last-import.tsx'
import { Refused } from './refused.tsx'
import { Rescan } from './rescans.tsx'

/** The screen on which admins import files from the server, and search for look-alikes. */
export function Import() {
  const words = text()
  return (
    <>
      <div class="bar">
        <h1 class="rest">{words.title}</h1>
        <span class="muted small wide">{words.hint}</span>
      </div>
      <AdminsOnly>
        <Inside />
      </AdminsOnly>
    </>
  )
}

function Inside() {
  const words = text()
  useWork(imports)
  const state = imports.state.value
  const error = imports.error.value
  if (!state) {
    return (
      <div class="page" aria-busy={!error}>
        {error && <p role="alert">{problem(error)}</p>}
      </div>
    )
  }
  const { background } = state
  const isRunning = state.state === 'running' && !imports.isLost.value
  return (
    <div class="page import">
      <div>
        {error && <p role="alert">{problem(error)}</p>}
        {state.state === 'idle' ? <p class="muted">{words.none}</p> : <LastImport state={state} />}
        {state.refused.length > 0 && <Refused state={state} />}
        {background && (
          <p class="muted small num">
            {words.inTheMaking(Math.floor((100 * background.looked_at) / (background.total || 1)))}
          </p>
        )}
      </div>
      <div>
        <Folders isBusy={isRunning || imports.isOwn.value} />
        <Rescan />
      </div>
    </div>
  )
}
