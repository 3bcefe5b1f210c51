import type { Log } from '../base/log.ts'

/** Contents that stay on the disk while they are read, although their files may be removed meanwhile. */
export interface Hold {
  add(blobs: Iterable<string>): void
  /** Releases the contents and removes those that nothing else holds, if their removal was deferred. Never rejects. */
  release(): Promise<void>
}

interface Holds {
  hold(): Hold
  /** Returns whether a content is held: it is then removed when its last hold is released. */
  defers(blob: string): boolean
  /** Releases everything. Never rejects. */
  end(): Promise<void>
}

interface HoldsDeps {
  /** Removes a content wherever it is. */
  removeContent: (blob: string) => Promise<void>
  log: Log
}

/** Returns the holds on the contents of a library. */
export function createHolds({ removeContent, log }: HoldsDeps): Holds {
  const holds = new Set<Set<string>>()
  // Contents leave this only once they are gone, so that an end in between waits for their removal.
  const waiting = new Set<string>()
  const isHeld = (blob: string) => [...holds].some((held) => held.has(blob))

  async function removeFree(): Promise<void> {
    for (const blob of [...waiting].filter((one) => !isHeld(one))) {
      try {
        await removeContent(blob)
      } catch (error) {
        log.warn('content not removed', { blob, error: String(error) })
      }
      waiting.delete(blob)
    }
  }

  return {
    hold() {
      const held = new Set<string>()
      holds.add(held)
      return {
        add(blobs) {
          for (const blob of blobs) held.add(blob)
        },
        async release() {
          holds.delete(held)
          await removeFree()
        },
      }
    },
    defers(blob) {
      if (!isHeld(blob)) return false
      waiting.add(blob)
      return true
    },
    async end() {
      holds.clear()
      await removeFree()
    },
  }
}
