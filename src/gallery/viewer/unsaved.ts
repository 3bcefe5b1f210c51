import { beBusy } from '../base/busy.ts'

/** What was typed about files and could not be saved, by their ids. */
interface Unsaved {
  get(id: string): string | undefined
  /**
   * Forgets what was kept, before another text is saved. Returns what keeps that one, and with it
   * the page from loading itself anew, and tells whether it did: of an older text it does nothing.
   */
  begin(id: string): (text: string) => boolean
}

/** The last text about a file: kept with what lets the page go, or still being saved. */
interface Kept {
  text?: string
  release?: () => void
}

/** Returns a place for such texts. */
export function createUnsaved(): Unsaved {
  const kept = new Map<string, Kept>()
  return {
    get: (id) => kept.get(id)?.text,
    begin(id) {
      kept.get(id)?.release?.()
      const own: Kept = {}
      kept.set(id, own)
      return (text) => {
        if (kept.get(id) !== own) return false
        own.text = text
        own.release ??= beBusy()
        return true
      }
    },
  }
}
