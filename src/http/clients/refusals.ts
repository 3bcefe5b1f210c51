/**
 * So many milliseconds pass between two times when some are refused, at least so many each time. None
 * waits longer than so many milliseconds, and so many wait at most.
 */
export const REFUSALS = { every: 10, atLeast: 2, longest: 5000, waiting: 2000 }

/**
 * Returns how a request waits that is about to be refused. A few go on at a time: to refuse a thousand
 * at once would keep everybody else waiting. Whoever finds too many before them doesn't wait.
 */
export function createRefusals({ every, atLeast, longest, waiting: most } = REFUSALS) {
  const waiting: (() => void)[] = []

  function goOn(): void {
    const share = Math.ceil((waiting.length * every) / longest)
    const next = waiting.splice(0, Math.max(atLeast, share))
    if (waiting.length > 0) setTimeout(goOn, every)
    for (const begin of next) begin()
  }

  return async (): Promise<void> => {
    if (waiting.length >= most) return
    if (waiting.length === 0) setTimeout(goOn, every)
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
}
