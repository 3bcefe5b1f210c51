import { RefreshCw } from 'lucide'
import { number, when } from '../base/format.ts'
import { session } from '../base/session.ts'
import { rescan, rescans, useWork } from '../base/work.ts'
import { Icon } from '../parts/icon.tsx'
import { AdminsOnly } from '../parts/instead.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { imports as text } from '../text/import.ts'
import { problem } from '../text/problem.ts'
import { Folders } from './folders.tsx'
import { imports } from './imports.ts'
import { FoundTags, LastImport, Refused } from './last-import.tsx'

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
    <div class={state.state === 'idle' ? 'page import first' : 'page import'}>
      <div>
        {error && <p role="alert">{problem(error)}</p>}
        {state.state === 'idle' ? <p class="muted">{words.none}</p> : <LastImport state={state} />}
        {state.dry_run && <FoundTags state={state} />}
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

async function lookAgain(): Promise<void> {
  const words = text()
  const groups = await rescan()
  if (groups === null) toast({ text: words.rescanCutOff, kind: 'bad' })
  else toast({ text: words.groups(groups) })
}

/** Shows when the server last searched for look-alikes, and lets it search again. */
function Rescan() {
  const words = text()
  useWork(rescans)
  const reported = rescans.state.value
  const { state, started_at, progress } = reported ?? {}
  const isRunning = state === 'running' || rescans.isOwn.value
  const starter = state === 'running' ? reported!.by! : session.value!.user
  const by = starter.id === 0 ? words.server : starter.name
  return (
    <section class="card" aria-labelledby="look-alikes">
      <div class="line">
        <div class="rest">
          <h2 id="look-alikes">{words.lookAlikes}</h2>
          <p class="muted small num">
            {isRunning && words.looking(by)}
            {!isRunning && state === 'idle' && words.neverLooked}
            {!isRunning && state === 'failed' && words.rescanCutOff}
            {!isRunning && state === 'done' && words.lookedAt(when(started_at!))}
          </p>
          {!isRunning && reported?.tallies && (
            <a class="link small" href="/duplicates">
              {words.groups(reported.tallies.clusters)}
            </a>
          )}
        </div>
        <button
          type="button"
          class="btn"
          disabled={isRunning}
          onClick={() => void lookAgain().catch(complain)}
        >
          <Icon of={RefreshCw} />
          {words.lookAgain}
        </button>
      </div>
      {isRunning && progress?.type === 'progress' && (
        <>
          <progress
            class="meter"
            aria-label={words.stages[progress.stage]}
            max={Math.max(1, progress.total)}
            value={progress.done}
          />
          <p class="muted small num">
            {words.stages[progress.stage]}: {number(progress.done)} / {number(progress.total)}
          </p>
        </>
      )}
    </section>
  )
}
