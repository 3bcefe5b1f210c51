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

/** Returns a place for such texts. */
export function createUnsaved(): Unsaved {
  const texts = new Map<string, string>()
  const releases = new Map<string, () => void>()
  let last = 0
  const begun = new Map<string, number>()
  return {
    get: (id) => texts.get(id),
    begin(id) {
      const own = ++last
      begun.set(id, own)
      texts.delete(id)
      releases.get(id)?.()
      releases.delete(id)
      return (text) => {
        if (begun.get(id) !== own) return false
        texts.set(id, text)
        if (!releases.has(id)) releases.set(id, beBusy())
        return true
      }
    },
  }
}
