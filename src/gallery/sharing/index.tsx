import { type Signal, useSignal } from '@preact/signals'
import { Share2 } from 'lucide'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { share } from '../text/share.ts'
import type { Subject } from './subject.ts'

export type { Subject } from './subject.ts'

const loadGap = async () => (await import('./gap.tsx')).Gap
const load = async () => (await import('./dialog.tsx')).ShareDialog

interface SharingProps {
  of: Subject
  onClose(): void
  /** Who sees something was changed; `ids` are those of pictures whose cells may look different. */
  onShared?(ids: string[]): void
}

/** The dialog in which somebody shares something; it is there as long as it is rendered. */
export function Sharing(props: SharingProps) {
  const typed = useSignal('')
  const isEager = useSignal(false)
  const waiting = <Waiting typed={typed} isEager={isEager} onClose={props.onClose} />
  return <OnDemand load={load} before={waiting} typed={typed} isEager={isEager} {...props} />
}

interface WaitingProps {
  /** What is typed before the dialog is there. */
  typed: Signal<string>
  /** Whether Enter was pressed, too. */
  isEager: Signal<boolean>
  onClose(): void
}

/** Takes what is typed at once while the dialog is loaded, so that no key is lost or means another thing. */
function Waiting({ typed, isEager, onClose }: WaitingProps) {
  const words = share()
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
        aria-label={words.with}
        placeholder={words.with}
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
  /** Who sees something was changed; `ids` are those of pictures whose cells may look different. */
  onShared?(ids: string[]): void
}

/** A button that opens the dialog for a pool. */
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
        {share().share}
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
 * Tells whoever may share a pool that some of its pictures are not seen by those who see the pool, as
 * what was added since it was shared, and offers to share them; nothing where all is well.
 */
export function PoolGap(props: PoolProps) {
  return <OnDemand key={props.pool_id} load={loadGap} {...props} />
}
