import { useEffect } from 'preact/hooks'
import { OnDemand } from '../parts/on-demand.tsx'
import { historyOf } from '../viewer/index.ts'

const load = async () => (await import('../audit/index.tsx')).FileHistory

/** What was done to a file, above its viewer, once that is asked for. */
export function History() {
  // The viewer may go first, by the browser's back.
  useEffect(() => close, [])
  const id = historyOf.value
  return id === null ? null : <OnDemand load={load} id={id} onClose={close} />
}

function close(): void {
  historyOf.value = null
}
