import { useEffect } from 'preact/hooks'
import { OnDemand } from '../parts/on-demand.tsx'
import { historyOf } from '../viewer/index.ts'

const load = async () => (await import('../audit/index.tsx')).FileHistory

/** Shows what was done to a file, above its viewer, on request. */
export function History() {
  // The browser's back may close the viewer first.
  useEffect(() => close, [])
  const id = historyOf.value
  return id === null ? null : <OnDemand load={load} id={id} onClose={close} />
}

function close(): void {
  historyOf.value = null
}
