import { useLayoutEffect, useRef } from 'preact/hooks'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { pooling } from '../text/pooling.ts'
import { PoolBox } from './box.tsx'
import { arePoolsLoaded, type Pool, pools } from './pools.ts'

interface AddToPoolProps {
  /** How many files are to be put into the pool. */
  count: number
  onPick(pool: Pool): void
  onClose(): void
}

/** Asks into which pool files are put. */
export function AddToPool({ count, onPick, onClose }: AddToPoolProps) {
  const words = pooling()
  const input = useRef<HTMLInputElement>(null)
  // At once, so that no key is lost that follows.
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
