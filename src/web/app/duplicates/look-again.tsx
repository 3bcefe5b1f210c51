import { RefreshCw } from 'lucide'
import { rescan, rescans } from '../base/rescans.ts'
import { session } from '../base/session.ts'
import { useWork } from '../base/work.ts'
import { Icon } from '../parts/icon.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { duplicates } from '../text/duplicates.ts'
import { ago } from './format.ts'

/** When was looked for look-alikes, or how far that is. */
export function LookedAt() {
  const words = duplicates()
  const state = rescans.state.value
  if (!state?.started_at) return null
  if (state.state !== 'running') {
    return (
      <span class="muted small">
        {words.lookedAt(ago(Date.parse(state.started_at), Date.now()))}
      </span>
    )
  }
  const { progress } = state
  const isCounted = progress?.type === 'progress'
  return (
    <span class="looking" role="status">
      <span class="small">{words.looking}</span>
      <progress
        class="meter"
        aria-label={words.looking}
        {...(isCounted && { value: progress.done, max: Math.max(1, progress.total) })}
      />
    </span>
  )
}

/** Lets admins look for look-alikes once more. */
export function LookAgain() {
  return session.value!.user.is_admin ? <Again /> : null
}

function Again() {
  const words = duplicates()
  useWork(rescans)
  const look = async () => {
    if ((await rescan()) === null) toast({ text: words.cutOff, kind: 'bad' })
  }
  return (
    <button
      type="button"
      class="btn look-again"
      aria-label={words.lookAgain}
      disabled={rescans.isOwn.value || rescans.state.value?.state === 'running'}
      onClick={() => void look().catch(complain)}
    >
      <Icon of={RefreshCw} />
      <span class="long">{words.lookAgain}</span>
    </button>
  )
}
