import { signal } from '@preact/signals'

/** How old what is shown may be when somebody comes back to it, in milliseconds. */
const AGE = 3 * 60_000

/** How often somebody came back after a while; what shows the server's data reads it anew then. */
export const returns = signal(0)

/** Follows whether somebody looks at the page, for its whole life. */
export function watchReturns(): void {
  let read = Date.now()
  const look = () => {
    if (document.visibilityState !== 'visible' || Date.now() - read < AGE) return
    read = Date.now()
    returns.value++
  }
  document.addEventListener('visibilitychange', look)
  // A window that was beside another one all the time, or a device that slept.
  addEventListener('focus', look)
  addEventListener('pageshow', look)
}
