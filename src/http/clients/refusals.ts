interface Pace {
  /** Milliseconds between two times when some are refused. */
  every: number
  /** How many are refused each time at least. */
  atLeast: number
  /** Milliseconds after which the last one is refused, as long as the server keeps up. */
  longest: number
  /** How many wait at most. */
  waiting: number
}

export const REFUSALS: Pace = { every: 10, atLeast: 2, longest: 5000, waiting: 2000 }
/** How many times as long as the last refusals took the server does other things first. */
const OTHERS = 4

/**
 * Returns how a request waits that is about to be refused. A few go on at a time: to refuse a thousand
 * at once would keep everybody else waiting. Whoever finds too many before them doesn't wait.
 */
export function createRefusals({ every, atLeast, longest, waiting: most } = REFUSALS) {
  const waiting: (() => void)[] = []
  let isGoingOn = false

  function goOn(): void {
    const started = performance.now()
    const share = Math.ceil((waiting.length * every) / longest)
    for (const begin of waiting.splice(0, Math.max(atLeast, share))) begin()
    setImmediate(() => {
      isGoingOn = waiting.length > 0
      if (isGoingOn) setTimeout(goOn, Math.max(every, OTHERS * (performance.now() - started)))
    })
  }

  return async (): Promise<void> => {
    if (waiting.length >= most) return
    if (!isGoingOn) setTimeout(goOn, every)
    isGoingOn = true
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
}
