import { beBusy } from '../base/busy.ts'

/** Typed texts about files that could not be saved, by their ids. */
interface Unsaved {
  get(id: string): string | undefined
  /**
   * Drops the stored text, because another one is being saved. Returns a function that stores that one
   * when saving has failed, and prevents automatic reloads of the page; if a newer text has followed,
   * it does nothing and returns false.
   */
  begin(id: string): (text: string) => boolean
}

/** The last text about a file: stored with a function that releases the page, or still being saved. */
interface Draft {
  text?: string
  release?: () => void
}

/** Creates a store for such texts. */
export function createUnsaved(): Unsaved {
  const drafts = new Map<string, Draft>()
  return {
    get: (id) => drafts.get(id)?.text,
    begin(id) {
      drafts.get(id)?.release?.()
      const own: Draft = {}
      drafts.set(id, own)
      return (text) => {
        if (drafts.get(id) !== own) return false
        own.text = text
        own.release ??= beBusy()
        return true
      }
    },
  }
}
