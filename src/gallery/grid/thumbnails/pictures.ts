/** Loads pictures in the order in which they are wanted, a few at a time. */
interface PictureQueue {
  /**
   * Sets the pictures that are wanted; all others are dropped. New ones come first, because the user
   * looks at what has just come into view.
   */
  want(keys: readonly string[]): void
  /** Must be called when a picture has loaded or failed. */
  ended(key: string): void
  /** Whether all wanted pictures have loaded or failed. */
  isIdle(): boolean
}

const UNDER_WAY = 16

/**
 * Creates a queue that calls `start` for a picture whose turn has come, and `stop` for one that is
 * loading and no longer wanted.
 */
export function createPictureQueue(
  { start, stop }: { start: (key: string) => void; stop: (key: string) => void },
  limit = UNDER_WAY,
): PictureQueue {
  let wanted: ReadonlySet<string> = new Set()
  const underWay = new Set<string>()
  const done = new Set<string>()
  let waiting: string[] = []

  const fill = () => {
    let next = 0
    while (underWay.size < limit && next < waiting.length) {
      const key = waiting[next++]!
      underWay.add(key)
      start(key)
    }
    waiting = waiting.slice(next)
  }
  return {
    want(keys) {
      const before = wanted
      wanted = new Set(keys)
      for (const key of done) if (!wanted.has(key)) done.delete(key)
      for (const key of underWay) {
        if (wanted.has(key)) continue
        underWay.delete(key)
        stop(key)
      }
      const left = [...wanted].filter((key) => !underWay.has(key) && !done.has(key))
      waiting = [
        ...left.filter((key) => !before.has(key)),
        ...left.filter((key) => before.has(key)),
      ]
      fill()
    },
    ended(key) {
      if (!underWay.delete(key)) return
      done.add(key)
      fill()
    },
    isIdle: () => underWay.size === 0,
  }
}
