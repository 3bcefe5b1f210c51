/** Notes for how long nothing else could run, until it is ended, which returns the longest time in milliseconds. */
export function watchTurns(): { end: () => number } {
  let last = performance.now()
  let hold = 0
  let isOver = false
  const look = () => {
    const now = performance.now()
    hold = Math.max(hold, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  return {
    end: () => {
      isOver = true
      look()
      return hold
    },
  }
}
