/**
 * A row of pictures: `lefts` has one number more than the row has files, and the last is the row's
 * width.
 */
export interface Row {
  /** The indices in the block of the first file and of the one after the last. */
  first: number
  end: number
  /** Pixels from the top of the day's part. */
  y: number
  height: number
  lefts: Uint16Array
}

export interface Measure {
  /** In pixels. */
  width: number
  /** The height that rows approximate. */
  rowHeight: number
  gap: number
}

/** A last row that would have to grow by more than this stays ragged, or joins the one above. */
const LARGEST_GROWTH = 1.6
/** A last row this close to the full width is stretched to fill it. */
const NEARLY_FULL = 1.15
/** A row that short days share may be higher or lower by this. */
const SHARED = 4 / 3

/**
 * Returns rows for the files from `first` to before `end`, all as wide as the measure. The last one may
 * be shorter, unless `fills`: then it has few files of a day that continues in the next block.
 */
export function justify(
  ratios: ArrayLike<number>,
  [first, end]: readonly [number, number],
  measure: Measure,
  fills: boolean,
): Row[] {
  const { rowHeight } = measure
  const rows: Row[] = []
  let start = first
  let sum = 0
  for (let index = first; index < end; index++) {
    const ratio = ratios[index]!
    const before = fullHeight(measure, index - start, sum)
    const after = fullHeight(measure, index - start + 1, sum + ratio)
    if (after > rowHeight) {
      sum += ratio
      continue
    }
    if (index > start && before / rowHeight < rowHeight / after) {
      rows.push(fullRow(ratios, start, index, sum, measure))
      start = index
      sum = ratio
      if (fullHeight(measure, 1, ratio) > rowHeight) continue
    } else {
      sum += ratio
    }
    rows.push(fullRow(ratios, start, index + 1, sum, measure))
    start = index + 1
    sum = 0
  }
  if (start < end) endRows(rows, ratios, [start, end], sum, measure, fills)
  let y = 0
  for (const row of rows) {
    row.y = y
    y += row.height + measure.gap
  }
  return rows
}

/** The remaining files become a row of their own or join the last one. */
function endRows(
  rows: Row[],
  ratios: ArrayLike<number>,
  [start, end]: readonly [number, number],
  sum: number,
  measure: Measure,
  fills: boolean,
): void {
  const growth = fullHeight(measure, end - start, sum) / measure.rowHeight
  if (growth <= (fills ? LARGEST_GROWTH : NEARLY_FULL)) {
    rows.push(fullRow(ratios, start, end, sum, measure))
    return
  }
  const above = fills ? rows.pop() : undefined
  if (!above) {
    rows.push(raggedRow(ratios, start, end, measure))
    return
  }
  const joined = sum + sumOf(ratios, above.first, above.end)
  rows.push(fullRow(ratios, above.first, end, joined, measure))
}

/**
 * Returns whether the files up to `end`, in one row, are nearer to a full row than those up to `middle`,
 * and not much beyond it.
 */
export function fitsRow(
  ratios: ArrayLike<number>,
  [first, middle, end]: readonly [number, number, number],
  measure: Measure,
): boolean {
  const [before, after] = [middle, end].map(
    (stop) => fullHeight(measure, stop - first, sumOf(ratios, first, stop)) / measure.rowHeight,
  )
  return after! * SHARED >= 1 && before! * after! >= 1
}

/** Returns the only row of files that `fitsRow` has put together. */
export function sharedRow(
  ratios: ArrayLike<number>,
  [first, end]: readonly [number, number],
  measure: Measure,
): Row {
  const sum = sumOf(ratios, first, end)
  return fullHeight(measure, end - first, sum) <= measure.rowHeight * SHARED
    ? fullRow(ratios, first, end, sum, measure)
    : raggedRow(ratios, first, end, measure)
}

function sumOf(ratios: ArrayLike<number>, first: number, end: number): number {
  let sum = 0
  for (let index = first; index < end; index++) sum += ratios[index]!
  return sum
}

/** Returns the height at which files with this sum of ratios fill the width. */
function fullHeight({ width, gap }: Measure, files: number, sum: number): number {
  return (width - gap * (files - 1)) / sum
}

function fullRow(
  ratios: ArrayLike<number>,
  first: number,
  end: number,
  sum: number,
  measure: Measure,
): Row {
  const pictures = measure.width - measure.gap * (end - first - 1)
  return rowOf(ratios, [first, end], pictures / sum, measure)
}

function raggedRow(ratios: ArrayLike<number>, first: number, end: number, measure: Measure): Row {
  return rowOf(ratios, [first, end], measure.rowHeight, measure)
}

function rowOf(
  ratios: ArrayLike<number>,
  [first, end]: readonly [number, number],
  height: number,
  { gap }: Measure,
): Row {
  const lefts = new Uint16Array(end - first + 1)
  let sum = 0
  for (let index = first; index < end; index++) {
    sum += ratios[index]!
    // Rounding the sum, not each width, makes the row end exactly at the edge.
    lefts[index - first + 1] = Math.round(sum * height) + gap * (index - first + 1)
  }
  return { first, end, y: 0, height: Math.round(height), lefts }
}
