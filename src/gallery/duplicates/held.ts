import { holdPage } from '../base/leaving.ts'
import { undoLast } from '../parts/toast.tsx'

/** What is done in the page alone at first, because the server can't take it back. */
export interface Held {
  /** Holds something back, and sends what was held back before it. */
  hold(change: { takeBack(): void; send(): void; isForServer: boolean }): void
  /** Sends what is held back; returns whether anything was. */
  flush(): boolean
  /** Takes back what is held back, else what the server did last. */
  undo(): void
  /** Sends what is held back, and holds nothing any more. */
  dispose(): void
}

/** Returns a place for what is sent with what follows. */
export function createHeld(): Held {
  let held: Parameters<Held['hold']>[0] | null = null
  const flush = () => {
    const last = held
    held = null
    last?.send()
    return last !== null
  }
  // Whoever goes may never come back, and who signs out leaves at once.
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
