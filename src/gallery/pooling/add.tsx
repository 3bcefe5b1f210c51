import { useLayoutEffect, useRef } from 'preact/hooks'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { pooling } from '../text/pooling.ts'
import { PoolBox } from './box.tsx'
import { arePoolsLoaded, type Pool, pools } from './pools.ts'

interface AddToPoolProps {
  count: number
  onPick(pool: Pool): void
  onClose(): void
}

/** Asks for the pool that files are added to. */
export function AddToPool({ count, onPick, onClose }: AddToPoolProps) {
  const words = pooling()
  const input = useRef<HTMLInputElement>(null)
  // At once, so that no key that follows is lost.
  useLayoutEffect(() => input.current!.focus(), [])
  const isEmpty = arePoolsLoaded.value && pools.value.length === 0
  return (
    <Dialog title={words.addTo(count)} class="pooling" onClose={onClose}>
      <PoolBox
        input={input}
        onPick={(pool) => {
          onClose()
          onPick(pool)
        }}
        onLeave={onClose}
      />
      {isEmpty && <p class="muted small">{words.none}</p>}
    </Dialog>
  )
}
