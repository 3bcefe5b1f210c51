import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { number } from '../../base/format.ts'
import { useKeys } from '../../base/keys/keys.ts'
import { told } from './arranger.ts'
import { createDrag, type Drag, type Held } from './drag.ts'
import { watchGestures } from './gestures.ts'
import { createMover } from './keys.ts'

/** Makes the files of the grid in it sortable, by pointer and by keys. */
export function Arranged({ pool, children }: { pool: string; children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null)
  const drag = useSignal<Drag | null>(null)
  const mover = useRef(createMover(pool))
  useKeys('pools', mover.current.keys)
  useLayoutEffect(() => {
    const own = createDrag(pool, element.current!)
    drag.value = own
    return watchGestures(element.current!, own)
  }, [pool])
  useEffect(() => () => mover.current.dispose(), [])
  const isHeld = drag.value?.held.value != null
  return (
    <div class={isHeld ? 'arranged holding' : 'arranged'} ref={element}>
      {children}
      {drag.value && <Carried held={drag.value.held} />}
      <p class="hidden" aria-live="assertive">
        {told}
      </p>
    </div>
  )
}

function Carried({ held }: { held: Signal<Held | null> }) {
  if (!held.value) return null
  const { x, y, count, pictures, gap, typed } = held.value
  return (
    <>
      {gap && (
        <i
          class="slot"
          style={{ left: `${gap.x}px`, top: `${gap.top}px`, height: `${gap.bottom - gap.top}px` }}
        />
      )}
      <div class="held" style={{ left: `${x}px`, top: `${y}px` }} aria-hidden="true">
        {pictures.map((src) => (
          <img key={src} src={src} alt="" />
        ))}
        <b class="num">{number(count)}</b>
        {typed !== '' && <span class="num">→ {typed}</span>}
      </div>
    </>
  )
}
