/** How many lines are told at a time. Beside as many that went wrong, one other has room. */
const MOST = 4

/** A line that is told at the window's edge. */
export interface Line {
  /** `bad` is said at once, and stays until it is closed, or others that went wrong need its room. */
  kind?: 'done' | 'info' | 'bad'
}

/** Whether a line tells of what went wrong. */
export function isBad({ kind }: Line): boolean {
  return kind === 'bad'
}

/** Returns the newest lines, as many as have room: no other takes the place of what went wrong. */
export function inRoom<One extends Line>(lines: One[]): One[] {
  const bad = lines.filter(isBad).slice(-MOST)
  const others = lines.filter((one) => !isBad(one))
  return [...bad, ...others.slice(-Math.max(1, MOST - bad.length))]
}
