/** The number of cards in a row, and the pixels from one row to the next. */
export interface Rows {
  columns: number
  pitch: number
}

/** The range of cards that are drawn, and the pixels of the rows before and after them. */
interface Drawn {
  first: number
  end: number
  above: number
  below: number
}

/** Returns which of `count` cards are between two heights, in whole rows. */
export function cardsBetween(
  count: number,
  { columns, pitch }: Rows,
  from: number,
  to: number,
): Drawn {
  const all = Math.ceil(count / columns)
  const first = Math.min(all, Math.max(0, Math.floor(from / pitch)))
  const end = Math.min(all, Math.max(first, Math.ceil(to / pitch)))
  return {
    first: first * columns,
    end: Math.min(count, end * columns),
    above: first * pitch,
    below: (all - end) * pitch,
  }
}
