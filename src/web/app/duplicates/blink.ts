import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { otherOf, type Side } from './sides.ts'

/** Two pictures that are shown in the same place by turns. */
interface Blink {
  /** The one that is seen. */
  shown: ReadonlySignal<Side>
  /** Shows the other one. */
  flip(): void
  /** Shows the other one, and goes on as long as the key is held. */
  begin(): void
}

/** Milliseconds that a picture is seen while the key is held. */
const PACE = 200

/** Returns what is seen of two pictures by turns; `enter` is called when that is wanted. */
export function useBlink(enter: () => void): Blink {
  const shown = useSignal<Side>('left')
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])
  const flip = () => {
    shown.value = otherOf(shown.peek())
    enter()
  }
  return {
    shown,
    flip,
    begin() {
      stop.current()
      flip()
      const timer = setInterval(flip, PACE)
      const ended = new AbortController()
      stop.current = () => {
        clearInterval(timer)
        ended.abort()
      }
      const { signal } = ended
      addEventListener('keyup', stop.current, { signal })
      addEventListener('blur', stop.current, { signal })
    },
  }
}
