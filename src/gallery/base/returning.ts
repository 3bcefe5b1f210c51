import { signal } from '@preact/signals'

/** The age in milliseconds above which the page's data is read again when the user returns. */
const AGE = 3 * 60_000

/**
 * Counts the user's returns to the page after a while; whatever shows the server's data then reads it
 * again.
 */
export const returns = signal(0)

/** Counts all returns, for what is small and in full view. */
export const looks = signal(0)

/** Counts changes in other windows of more files than are named: lists read everything again, as after a return. */
export const floods = signal(0)

/** The files that have just changed in another window; whatever shows one of them reads it again. */
export const changedElsewhere = signal<readonly string[]>([])

/** Follows whether the user looks at the page, for its whole life. */
export function watchReturns(): void {
  let read = Date.now()
  // A return to a hidden window fires several events.
  let isAway = document.visibilityState !== 'visible'
  const leave = () => {
    isAway = true
  }
  const look = () => {
    if (document.visibilityState !== 'visible') return leave()
    if (!isAway) return
    isAway = false
    looks.value++
    if (Date.now() - read < AGE) return
    read = Date.now()
    returns.value++
  }
  document.addEventListener('visibilitychange', look)
  // Covers a window that stayed visible beside another one, and a device that slept.
  addEventListener('blur', leave)
  addEventListener('focus', look)
  addEventListener('pagehide', leave)
  addEventListener('pageshow', look)
}
