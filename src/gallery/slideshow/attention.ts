import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Milliseconds without a movement or a key after which the tools fade. */
const CALM = 2000

/** Returns whether the page is visible. */
export function useVisibility(): boolean {
  const isVisible = useSignal(document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => {
      isVisible.value = document.visibilityState === 'visible'
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isVisible.value
}

/** Keeps the screen on, where the browser can. It forgets that when the page is hidden. */
export function useAwake(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return
    // Without https there is none, and a battery that is nearly empty refuses.
    const lock = navigator.wakeLock?.request('screen').catch(() => null)
    return () => void lock?.then((held) => held?.release())
  }, [isWanted])
}

/** Returns whether there was no movement and no key for a while. */
export function useCalm(): boolean {
  const isCalm = useSignal(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let place = ''
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (document.querySelector('.slideshow :popover-open')) wait()
        else isCalm.value = true
      }, CALM)
    }
    const stir = (event: Event) => {
      if (event instanceof PointerEvent && event.type === 'pointermove') {
        // Browsers report a movement also when a picture changes below a pointer at rest.
        const before = place
        place = `${event.screenX} ${event.screenY}`
        if (place === before) return
      }
      isCalm.value = false
      wait()
    }
    const ended = new AbortController()
    for (const type of ['pointermove', 'pointerdown', 'keydown']) {
      document.addEventListener(type, stir, { signal: ended.signal })
    }
    wait()
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [])
  return isCalm.value
}
