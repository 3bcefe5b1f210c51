import { beBusy } from './busy.ts'
import { isBeingLeft } from './session.ts'

/**
 * Keeps the page while `goesOn` says so, until the returned function is called: it doesn't load
 * itself anew, and whoever leaves it is asked.
 */
export function holdPage(goesOn: () => boolean = () => true): () => void {
  const release = beBusy(goesOn)
  const ask = (event: BeforeUnloadEvent) => {
    if (goesOn() && !isBeingLeft()) event.preventDefault()
  }
  addEventListener('beforeunload', ask)
  return () => {
    release()
    removeEventListener('beforeunload', ask)
  }
}
