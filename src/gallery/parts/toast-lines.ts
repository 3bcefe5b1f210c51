/** The most lines shown at a time. Besides this number of errors, one other line has room. */
const MOST = 4

/** A message at the window's edge. */
export interface Line {
  /** `bad` is announced at once, and stays until it is closed or other errors need its room. */
  kind?: 'done' | 'info' | 'bad'
}

/** Whether a line reports an error. */
export function isBad({ kind }: Line): boolean {
  return kind === 'bad'
}

/** Returns the newest lines that have room: other lines don't replace errors. */
export function inRoom<One extends Line>(lines: One[]): One[] {
  const bad = lines.filter(isBad).slice(-MOST)
  const others = lines.filter((one) => !isBad(one))
  return [...bad, ...others.slice(-Math.max(1, MOST - bad.length))]
}
