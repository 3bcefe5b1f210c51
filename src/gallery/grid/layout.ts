/**
 * A row of pictures: `lefts` has one number more than the row has files, and the last is the row's
 * width. A file that stands behind the tile before it begins and ends where that tile ends.
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
 * be shorter, unless `fills`: then it has few files of a day that continues in the next block. A file
 * with the ratio 0 has no tile; the first one must have one.
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
  let tiles = 0
  let sum = 0
  for (let index = first; index < end; index++) {
    const ratio = ratios[index]!
    if (ratio === 0) continue
    const before = fullHeight(measure, tiles, sum)
    const after = fullHeight(measure, tiles + 1, sum + ratio)
    if (after > rowHeight) {
      tiles++
      sum += ratio
      continue
    }
    if (tiles > 0 && before / rowHeight < rowHeight / after) {
      rows.push(fullRow(ratios, [start, index], measure))
      start = index
      tiles = 1
      sum = ratio
      if (fullHeight(measure, 1, ratio) > rowHeight) continue
    }
    const stop = endOfTile(ratios, index, end)
    rows.push(fullRow(ratios, [start, stop], measure))
    start = stop
    tiles = 0
    sum = 0
  }
  if (start < end) endRows(rows, ratios, [start, end], measure, fills)
  let y = 0
  for (const row of rows) {
    row.y = y
    y += row.height + measure.gap
  }
  return rows
}

/** Returns the index after the files behind the tile of the file at `index`, at most `end`. */
function endOfTile(ratios: ArrayLike<number>, index: number, end: number): number {
  let stop = index + 1
  while (stop < end && ratios[stop] === 0) stop++
  return stop
}

/** The remaining files become a row of their own or join the last one. */
function endRows(
  rows: Row[],
  ratios: ArrayLike<number>,
  [start, end]: readonly [number, number],
  measure: Measure,
  fills: boolean,
): void {
  const growth = heightOf(ratios, [start, end], measure) / measure.rowHeight
  if (growth <= (fills ? LARGEST_GROWTH : NEARLY_FULL)) {
    rows.push(fullRow(ratios, [start, end], measure))
    return
  }
  const above = fills ? rows.pop() : undefined
  rows.push(
    above
      ? fullRow(ratios, [above.first, end], measure)
      : rowOf(ratios, [start, end], measure.rowHeight, measure),
  )
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
    (stop) => heightOf(ratios, [first, stop], measure) / measure.rowHeight,
  )
  return after! * SHARED >= 1 && before! * after! >= 1
}

/** Returns the only row of files that `fitsRow` has put together. */
export function sharedRow(
  ratios: ArrayLike<number>,
  range: readonly [number, number],
  measure: Measure,
): Row {
  const { rowHeight } = measure
  const height = heightOf(ratios, range, measure)
  return rowOf(ratios, range, height <= rowHeight * SHARED ? height : rowHeight, measure)
}

/** Returns the height at which as many tiles with this sum of ratios fill the width. */
function fullHeight({ width, gap }: Measure, tiles: number, sum: number): number {
  return (width - gap * (tiles - 1)) / sum
}

/** Returns the height at which the tiles of these files fill the width. */
function heightOf(
  ratios: ArrayLike<number>,
  [first, end]: readonly [number, number],
  measure: Measure,
): number {
  let tiles = 0
  let sum = 0
  for (let index = first; index < end; index++) {
    if (ratios[index]! > 0) tiles++
    sum += ratios[index]!
  }
  return fullHeight(measure, tiles, sum)
}

function fullRow(
  ratios: ArrayLike<number>,
  range: readonly [number, number],
  measure: Measure,
): Row {
  return rowOf(ratios, range, heightOf(ratios, range, measure), measure)
}

function rowOf(
  ratios: ArrayLike<number>,
  [first, end]: readonly [number, number],
  height: number,
  { gap }: Measure,
): Row {
  const lefts = new Uint16Array(end - first + 1)
  let tiles = 0
  let sum = 0
  for (let index = first; index < end; index++) {
    if (ratios[index]! > 0) tiles++
    sum += ratios[index]!
    // Rounding the sum, not each width, makes the row end exactly at the edge.
    lefts[index - first + 1] = Math.round(sum * height) + gap * tiles
  }
  return { first, end, y: 0, height: Math.round(height), lefts }
}
