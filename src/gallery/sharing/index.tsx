import { type Signal, useSignal } from '@preact/signals'
import { Share2 } from 'lucide'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { common } from '../text/common.ts'
import type { Subject } from './state.ts'

export type { Subject } from './state.ts'

const loadGap = async () => (await import('./gap.tsx')).Gap
const load = async () => (await import('./dialog.tsx')).ShareDialog
const loadLink = async () => (await import('./link-dialog.tsx')).LinkDialog

interface SharingProps {
  of: Subject
  onClose(): void
  /** Called after a change; `ids` are those of pictures whose cells may look different. */
  onShared?(ids: string[]): void
}

/** The sharing dialog; it is open as long as it is rendered. */
export function Sharing(props: SharingProps) {
  const typed = useSignal('')
  const isEager = useSignal(false)
  const isByLink = useSignal(false)
  const { of, onClose } = props
  if (isByLink.value && ('files' in of || 'pool_id' in of)) {
    return <OnDemand key="link" load={loadLink} of={of} onClose={onClose} />
  }
  const byLink = () => {
    isByLink.value = true
  }
  const waiting = <Waiting typed={typed} isEager={isEager} onClose={onClose} />
  const own = { typed, isEager, byLink }
  return <OnDemand load={load} before={waiting} {...own} {...props} />
}

interface WaitingProps {
  /** What is typed while the dialog is loading. */
  typed: Signal<string>
  /** Whether Enter was pressed as well. */
  isEager: Signal<boolean>
  onClose(): void
}

/** Accepts typing while the dialog is loading, so that no key is lost or means another thing. */
function Waiting({ typed, isEager, onClose }: WaitingProps) {
  const words = common()
  return (
    <Dialog
      title={words.share}
      class="share"
      onClose={onClose}
      onSubmit={() => {
        isEager.value = true
      }}
    >
      <input
        class="input"
        aria-label={words.shareWith}
        placeholder={words.shareWith}
        autocomplete="off"
        autofocus
        value={typed}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
        }}
      />
    </Dialog>
  )
}

interface PoolProps {
  pool_id: string
  /** Called after a change; `ids` are those of pictures whose cells may look different. */
  onShared?(ids: string[]): void
}

/** A button that opens the sharing dialog for a pool. */
export function SharePool({ pool_id, onShared }: PoolProps) {
  const isOpen = useSignal(false)
  return (
    <>
      <button
        type="button"
        class="btn"
        onClick={() => {
          isOpen.value = true
        }}
      >
        <Icon of={Share2} />
        {common().share}
      </button>
      {isOpen.value && (
        <Sharing
          of={{ pool_id }}
          {...(onShared && { onShared })}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}

/**
 * Says to users that may share a pool that its viewers don't see some of its pictures, such as those
 * added since it was shared, and offers to share them; nothing if there are none.
 */
export function PoolGap(props: PoolProps) {
  return <OnDemand key={props.pool_id} load={loadGap} {...props} />
}
