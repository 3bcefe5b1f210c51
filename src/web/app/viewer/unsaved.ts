import { beBusy } from '../base/busy.ts'

/** What was typed about files and could not be saved, by their ids. */
interface Unsaved {
  get(id: string): string | undefined
  /** Keeps a text, and with it the page from loading itself anew. */
  keep(id: string, text: string): void
  forget(id: string): void
}

/** Returns a place for such texts. */
export function createUnsaved(): Unsaved {
  const texts = new Map<string, string>()
  const releases = new Map<string, () => void>()
  return {
    get: (id) => texts.get(id),
    keep(id, text) {
      texts.set(id, text)
      if (!releases.has(id)) releases.set(id, beBusy())
    },
    forget(id) {
      texts.delete(id)
      releases.get(id)?.()
      releases.delete(id)
    },
  }
}
