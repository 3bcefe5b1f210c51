import { useLayoutEffect, useRef } from 'preact/hooks'
import { Kbd } from '../parts/icon.tsx'
import { tagBox } from '../text/tag-box.ts'
import type { Refusal } from './make.ts'

interface RefusedProps {
  refusal: Refusal | null
  /** Called with the offered name. */
  onUse(name: string): void
}

/** Says why a name was refused, and offers another one, which a single key takes. */
export function Refused({ refusal, onUse }: RefusedProps) {
  const button = useRef<HTMLButtonElement>(null)
  const offer = refusal?.offer ?? null
  useLayoutEffect(() => button.current?.focus(), [offer])
  return (
    <>
      <p class="complaint" role="alert">
        {refusal?.reason}
      </p>
      {offer !== null && (
        <button ref={button} type="button" class="btn use" onClick={() => onUse(offer)}>
          <span class="name">{tagBox().use(offer)}</span> <Kbd of="Enter" />
        </button>
      )}
    </>
  )
}
