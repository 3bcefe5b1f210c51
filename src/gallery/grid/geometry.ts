import { dayOf } from './days.ts'
import { estimate, indexAt, type Look, stack, windowOf } from './engine.ts'
import { fitsRow, justify, type Row, sharedRow } from './layout.ts'
import { type Block, blockAt } from './listing/blocks.ts'
import { type Columns, ratiosOf } from './listing/columns.ts'

/** The files of one day within one block, or of several short days that share a row. */
interface DayPart {
  day: number
  /** The day of its last file. */
  lastDay: number
  /** The indices in the block of its first file and of the one after its last. */
  first: number
  end: number
  /** Pixels from the top of the block. */
  y: number
  height: number
  /** Whether the day begins here, as far as is known. */
  hasHeading: boolean
  rows: Row[]
}

/** What is drawn of a block. */
export interface VisibleBlock {
  index: number
  /** Pixels from the top of the listing. */
  y: number
  height: number
  /** Null for a block that is not loaded. */
  parts: VisiblePart[] | null
}

export interface VisiblePart extends DayPart {
  visible: Row[]
}

/** A point that survives changes of height: pixels below the row of a file. */
export interface Anchor {
  position: number
  below: number
}

/** Where each file of a listing stands, in pixels from its top. */
export interface Geometry {
  height(): number
  /** Must be called when a block was loaded, dropped or changed. */
  changed(index: number): void
  /** The upper edge of a file's row, including the heading if the row is its day's first. */
  yOf(position: number): number
  /** The row of a file and its place in it; null if its block is not loaded. */
  rowOf(position: number): RowPlace | null
  anchorAt(y: number): Anchor
  yOfAnchor(anchor: Anchor): number
  visible(from: number, to: number): VisibleBlock[]
  /** The day parts of a block; null if it is not loaded. */
  parts(index: number): readonly DayPart[] | null
  /** The number of files of the day that begins with a part; null if unknown. */
  filesOfDay(index: number, part: DayPart): number | null
  /** The positions of the file whose tile shows a file, and of the one after the last behind that tile. */
  tile(position: number): [first: number, end: number]
  /** The positions of the loaded files whose tiles a rectangle touches. */
  within(area: Area): number[]
}

/** A rectangle, in pixels of the listing. */
export interface Area {
  left: number
  right: number
  top: number
  bottom: number
}

interface RowPlace {
  part: DayPart
  row: Row
  /** The position of the row's first file. */
  first: number
  /** Pixels from the top of the listing to the row, without the heading above it. */
  y: number
}

/**
 * Creates the geometry of blocks, which begin `lead` pixels below the top; `hasDays` says whether days
 * have headings.
 */
export function createGeometry(
  list: readonly Block[],
  look: Look,
  hasDays: boolean,
  lead = 0,
): Geometry {
  const layouts: (DayPart[] | null)[] = []
  const heights: number[] = []
  let tops: Float64Array | null = null

  const lay = (index: number) => {
    const block = list[index]!
    const last = list[index - 1]?.files?.t.at(-1)
    const before = index === 0 || last === undefined ? null : dayOf(last)
    const parts =
      block.files &&
      layOut(block.files, look, {
        before,
        comesOn: list[index - 1]?.goesOn ?? false,
        goesOn: block.goesOn,
        hasDays,
      })
    layouts[index] = parts
    const end = parts?.at(-1)
    // A block that is dropped keeps its height.
    if (parts) heights[index] = end ? end.y + end.height : 0
    else heights[index] ??= estimate({ ratio: block.ratio, days: hasDays ? block.days : 0 }, look)
    tops = null
  }
  list.forEach((_, index) => {
    lay(index)
  })
  const stacked = () => {
    tops ??= stack(heights, lead)
    return tops
  }
  const top = (index: number) => stacked()[index] ?? 0

  const rowOf = (position: number): RowPlace | null => {
    const block = blockAt(list, position)
    const start = list[block]?.first ?? 0
    const index = position - start
    const part = layouts[block]?.find(({ end }) => index < end)
    const row = part?.rows.find(({ end }) => index < end)
    if (!part || !row) return null
    const y = top(block) + part.y + headingOf(part, look) + row.y
    return { part, row, first: start + row.first, y }
  }
  const yOf = (position: number): number => {
    const place = rowOf(position)
    if (place) {
      const isFirst = place.row === place.part.rows[0]
      return place.y - (isFirst ? headingOf(place.part, look) : 0)
    }
    const index = blockAt(list, position)
    const block = list[index]
    if (!block) return 0
    const share = block.count === 0 ? 0 : (position - block.first) / block.count
    return top(index) + Math.min(1, share) * heights[index]!
  }
  const positionAt = (y: number): number => {
    const index = indexAt(stacked(), y)
    const block = list[index]
    if (!block) return 0
    const inside = y - top(index)
    const parts = layouts[index]
    if (parts) {
      const part = parts.findLast((each) => each.y <= inside) ?? parts[0]
      if (!part) return block.first
      const below = inside - part.y - headingOf(part, look)
      const row = part.rows.findLast((each) => each.y <= below) ?? part.rows[0]
      return block.first + row!.first
    }
    const share = Math.max(0, Math.min(0.999999, inside / Math.max(1, heights[index]!)))
    return block.first + Math.floor(share * block.count)
  }

  return {
    height: () => stacked().at(-1) ?? 0,
    changed(index) {
      lay(index)
      if (list[index + 1]?.files) lay(index + 1)
    },
    yOf,
    rowOf,
    anchorAt(y) {
      const position = positionAt(y)
      return { position, below: y - yOf(position) }
    },
    yOfAnchor: ({ position, below }) => yOf(position) + below,
    visible(from, to) {
      const [first, end] = windowOf(stacked(), from, to)
      return Array.from({ length: end - first }, (_, at) => {
        const index = first + at
        const y = top(index)
        const parts = layouts[index]
        return {
          index,
          y,
          height: heights[index]!,
          parts: parts ? visibleParts(parts, look, from - y, to - y) : null,
        }
      })
    },
    parts: (index) => layouts[index] ?? null,
    filesOfDay(index, part) {
      let count = part.end - part.first
      let last = part
      for (let at = index; last.end === list[at]!.count && at + 1 < list.length; at++) {
        const next = layouts[at + 1]?.[0]
        if (!next) return list[at]!.goesOn ? null : count
        if (next.day !== part.day) return count
        count += next.end - next.first
        last = next
      }
      return count
    },
    tile(position) {
      const place = rowOf(position)
      if (!place) return [position, position + 1]
      const [first, end] = tileIn(place.row, position - place.first)
      return [place.first + first, place.first + end]
    },
    within({ left, right, top: from, bottom }) {
      const [first, end] = windowOf(stacked(), from, bottom)
      const found: number[] = []
      for (let index = first; index < end; index++) {
        for (const part of visibleParts(
          layouts[index] ?? [],
          look,
          from - top(index),
          bottom - top(index),
        )) {
          for (const row of part.visible) {
            for (let at = 0; at < row.end - row.first; at++) {
              const [first, end] = tileIn(row, at)
              const isTouched = row.lefts[first]! < right && row.lefts[end]! - look.gap > left
              if (isTouched) found.push(list[index]!.first + row.first + at)
            }
          }
        }
      }
      return found
    },
  }
}

/** Returns the indices in a row of the file whose tile shows the one at `at`, and after the last behind it. */
function tileIn({ lefts }: Row, at: number): [first: number, end: number] {
  let first = at
  while (first > 0 && lefts[first] === lefts[first + 1]) first--
  let end = first + 1
  while (end < lefts.length - 1 && lefts[end] === lefts[end + 1]) end++
  return [first, end]
}

function headingOf(part: DayPart, look: Look): number {
  return part.hasHeading ? look.heading : 0
}

function visibleParts(parts: DayPart[], look: Look, from: number, to: number): VisiblePart[] {
  return parts
    .filter(({ y, height }) => y < to && y + height > from)
    .map((part) => {
      const top = part.y + headingOf(part, look)
      const visible = part.rows.filter(({ y, height }) => top + y < to && top + y + height > from)
      return { ...part, visible }
    })
}

interface Around {
  /** The day of the preceding file; null if unknown. */
  before: number | null
  /** Whether the first day may have begun, and the last may go on, in another block. */
  comesOn: boolean
  goesOn: boolean
  hasDays: boolean
}

/** The most tiles of a day that shares its row with others. */
const SHORT = 4
/** The most days from the first to the last that share a row: a heading stays near what it names. */
const NEAR = 31

/** One part for each day or for short days that share a row, or a single part without days. */
function layOut(files: Columns, look: Look, around: Around): DayPart[] {
  const { before, comesOn, goesOn, hasDays } = around
  const ratios = ratiosOf(files)
  const parts: DayPart[] = []
  const count = files.ids.length
  const dayAt = (index: number) => dayOf(files.t[index]!)
  const endOfDay = (first: number) => {
    let end = first + 1
    while (end < count && (!hasDays || dayAt(end) === dayAt(first))) end++
    return end
  }
  // What is loaded later must not change who shares a row, so days that may be longer share none.
  const tiles = (first: number, end: number) => ratios.subarray(first, end).filter(Boolean).length
  const isShort = (first: number, end: number) =>
    tiles(first, end) <= SHORT &&
    // A month or a year alone has a heading of its own.
    dayAt(first) % 1 === 0 &&
    !(comesOn && first === 0) &&
    !(goesOn && end === count)
  let dayBefore = before
  let y = 0
  for (let first = 0; first < count; ) {
    const day = dayAt(first)
    const endOfFirst = endOfDay(first)
    let end = endOfFirst
    while (hasDays && day !== dayBefore && end < count && isShort(first, endOfFirst)) {
      const next = endOfDay(end)
      const isNear = Math.abs(dayAt(end) - day) < NEAR
      if (!isNear || !isShort(end, next) || !fitsRow(ratios, [first, end, next], look)) break
      end = next
    }
    const rows =
      end > endOfFirst
        ? [sharedRow(ratios, [first, end], look)]
        : justify(ratios, [first, end], look, goesOn && end === count)
    const last = rows.at(-1)!
    const lastDay = dayAt(end - 1)
    const hasHeading = hasDays && day !== dayBefore
    const height = last.y + last.height + look.gap + (hasHeading ? look.heading : 0)
    parts.push({ day, lastDay, first, end, y, height, hasHeading, rows })
    y += height
    first = end
    dayBefore = lastDay
  }
  return parts
}

/** Where the arrow keys, Home and End lead. */
export type Step = 'left' | 'right' | 'up' | 'down' | 'row-start' | 'row-end'

/**
 * Returns the position to which a step leads in a listing of `total` files. Up and down lead to the
 * file above or below the middle of this one, across days; null if that row is not loaded.
 */
export function stepFrom(
  geometry: Geometry,
  position: number,
  step: Step,
  total: number,
): number | null {
  const [tile, behind] = geometry.tile(position)
  if (step === 'left') return geometry.tile(Math.max(0, tile - 1))[0]
  if (step === 'right') return behind < total ? behind : tile
  const place = geometry.rowOf(position)
  if (!place) return null
  const { first, row } = place
  const end = first + row.end - row.first
  if (step === 'row-start') return first
  if (step === 'row-end') return geometry.tile(end - 1)[0]
  const next = step === 'up' ? first - 1 : end
  if (next < 0 || next >= total) return position
  const target = geometry.rowOf(next)
  if (!target) return null
  const index = tile - first
  const middle = (row.lefts[index]! + row.lefts[index + 1]!) / 2
  return target.first + indexBelow(target.row, middle)
}

/** Returns the index in a row of the file at `x`; the last one if `x` is to the right of all. */
function indexBelow(row: Row, x: number): number {
  const [last] = tileIn(row, row.lefts.length - 2)
  for (let index = 0; index < last; index++) if (row.lefts[index + 1]! > x) return index
  return last
}
