import { holdPage } from '../base/leaving.ts'
import { undoLast } from '../parts/toast.tsx'

/** Changes that happen in the page only at first, because the server can't undo them. */
export interface Held {
  /** Holds a change back, and sends the one held back before. */
  hold(change: { takeBack(): void; send(): void; isForServer: boolean }): void
  /** Sends what is held back; returns whether there was anything. */
  flush(): boolean
  /** Takes back what is held back, or else undoes the server's last operation. */
  undo(): void
  /** Sends what is held back, and holds nothing from then on. */
  dispose(): void
}

/** Creates a place for a change that is sent with the next one. */
export function createHeld(): Held {
  let held: Parameters<Held['hold']>[0] | null = null
  const flush = () => {
    const last = held
    held = null
    last?.send()
    return last !== null
  }
  // A user that leaves the page may never come back, and signing out is immediate.
  const look = () => {
    if (document.hidden) flush()
  }
  const release = holdPage(() => Boolean(held?.isForServer))
  document.addEventListener('visibilitychange', look)
  return {
    hold(change) {
      flush()
      held = change
    },
    flush,
    undo() {
      const last = held
      held = null
      if (last) last.takeBack()
      else void undoLast()
    },
    dispose() {
      flush()
      release()
      document.removeEventListener('visibilitychange', look)
    },
  }
}
