import { beBusy } from './busy.ts'
import { isBeingLeft } from './session.ts'

/**
 * Holds the page while `goesOn` returns true, until the returned function is called: it isn't reloaded
 * automatically, and leaving it requires confirmation.
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
