import { RefreshCw } from 'lucide'
import { number } from '../base/format.ts'
import { rescan, rescans } from '../base/rescans.ts'
import { session } from '../base/session.ts'
import { when } from '../base/when.ts'
import { useWork } from '../base/work.ts'
import { Icon } from '../parts/icon.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { imports as text } from '../text/import.ts'

async function lookAgain(): Promise<void> {
  const words = text()
  const groups = await rescan()
  if (groups === null) toast({ text: words.rescanCutOff, kind: 'bad' })
  else toast({ text: words.groups(groups) })
}

/** Shows when the server last searched for look-alikes, and lets it search again. */
export function Rescan() {
  const words = text()
  useWork(rescans)
  const told = rescans.state.value
  const { state, started_at, progress } = told ?? {}
  const isRunning = state === 'running' || rescans.isOwn.value
  const starter = state === 'running' ? told!.by! : session.value!.user
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
          {!isRunning && told?.tallies && (
            <a class="link small" href="/duplicates">
              {words.groups(told.tallies.clusters)}
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
