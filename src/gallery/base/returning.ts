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

/** Follows whether the user looks at the page, for its whole life. */
export function watchReturns(): void {
  let read = Date.now()
  const look = () => {
    if (document.visibilityState !== 'visible') return
    looks.value++
    if (Date.now() - read < AGE) return
    read = Date.now()
    returns.value++
  }
  document.addEventListener('visibilitychange', look)
  // Covers a window that stayed visible beside another one, and a device that slept.
  addEventListener('focus', look)
  addEventListener('pageshow', look)
}
