/** Milliseconds over which the pace is averaged. */
const SPAN = 10_000

/** Measures the pace of a process, such as bytes being sent. */
interface Pace {
  /** Records the total done so far; returns the number per second, null when it is too early. */
  note(done: number, now: number): number | null
}

export function createPace(): Pace {
  const notes: { at: number; done: number }[] = []
  return {
    note(done, at) {
      // A total that shrinks, after a failure, begins a new measurement.
      if (done < (notes.at(-1)?.done ?? 0)) notes.length = 0
      notes.push({ at, done })
      while (notes.length > 2 && notes[0]!.at < at - SPAN) notes.shift()
      const [first] = notes
      const elapsed = at - first!.at
      return elapsed < 1000 ? null : ((done - first!.done) / elapsed) * 1000
    },
  }
}
