/** Milliseconds over which the pace is taken. */
const SPAN = 10_000

/** Measures how quickly something goes on, such as bytes that leave. */
interface Pace {
  /** Notes how many are done in all; returns how many a second, or null when it is too early. */
  note(done: number, now: number): number | null
}

/** Returns a pace without a past. */
export function createPace(): Pace {
  const notes: { at: number; done: number }[] = []
  return {
    note(done, at) {
      // What failed is counted anew.
      if (done < (notes.at(-1)?.done ?? 0)) notes.length = 0
      notes.push({ at, done })
      while (notes.length > 2 && notes[0]!.at < at - SPAN) notes.shift()
      const [first] = notes
      const elapsed = at - first!.at
      return elapsed < 1000 ? null : ((done - first!.done) / elapsed) * 1000
    },
  }
}
