import { Play } from 'lucide'
import { Icon } from '../parts/icon.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { grid } from '../text/grid.ts'
import { Cell } from './cell.tsx'
import { nameOfDays } from './days.ts'
import type { VisibleBlock, VisiblePart } from './geometry.ts'
import type { Row as RowOf } from './layout.ts'
import { type Columns, cellOf } from './listing/columns.ts'
import type { Selection } from './selection.ts'

const loadWhere = async () => (await import('./where.tsx')).Where

/** What days and rows need for drawing. */
export interface Drawing {
  selection: Selection
  hrefOf(id: string): string
  tabStop: string | null
  gap: number
  heading: number
}

/** Shows a part of a listing: the heading and a grid of the rows that are drawn. */
export function Day({
  block,
  part,
  files,
  first,
  base,
  count,
  drawing,
}: {
  block: VisibleBlock
  part: VisiblePart
  files: Columns
  /** The position of the first file of the block. */
  first: number
  base: number
  /** The number of files of its days; null if unknown. */
  count: number | null
  drawing: Drawing
}) {
  const { day, lastDay, hasHeading } = part
  const name = nameOfDays(day, lastDay)
  const heading = `day-${block.index}-${part.first}`
  const top = block.y + part.y
  // Of a day that goes on in another block, what is known here.
  const places = files.near?.slice(part.first, part.end)
  const rowsTop = hasHeading ? drawing.heading : 0
  const label = hasHeading ? { 'aria-labelledby': heading } : { 'aria-label': name }
  // A day that continues from another block is no section of its own.
  const Part = hasHeading ? 'section' : 'div'
  // Without an end, a day may go on in other blocks.
  const end = day === lastDay ? undefined : first + part.end
  return (
    <Part class="part" style={{ top: `${top - base}px` }} {...(hasHeading && label)}>
      {hasHeading && (
        <div class="day">
          <h2 id={heading}>
            <button
              type="button"
              data-day={first + part.first}
              data-end={end}
              title={grid().selectDay}
            >
              {name}
            </button>
          </h2>
          {places?.some(Boolean) && <OnDemand load={loadWhere} places={places} />}
          {count !== null && <span class="muted small num">{grid().files(count)}</span>}
          <button
            type="button"
            class="play"
            data-play={first + part.first}
            data-end={end}
            aria-label={grid().playDay(name)}
            title={grid().slideshow}
          >
            <Icon of={Play} />
          </button>
        </div>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a table has no rows of its own width */}
      <div role="grid" aria-multiselectable="true" {...label}>
        {part.visible.map((row) => (
          <Row
            key={files.ids[row.first]}
            row={row}
            files={files}
            first={first}
            y={rowsTop + row.y}
            top={top + rowsTop + row.y}
            drawing={drawing}
          />
        ))}
      </div>
    </Part>
  )
}

function Row({
  row,
  files,
  first,
  y,
  top,
  drawing,
}: {
  row: RowOf
  files: Columns
  first: number
  /** Pixels from the top of the day, and of the listing. */
  y: number
  top: number
  drawing: Drawing
}) {
  const { lefts } = row
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the links in its cells have the focus
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div role="row" class="row" style={{ top: `${y}px`, height: `${row.height}px` }}>
      {Array.from({ length: row.end - row.first }, (_, at) => {
        const left = lefts[at]!
        // It stands behind the tile before it.
        if (lefts[at + 1] === left) return null
        const file = cellOf(files, row.first + at)
        const place = {
          position: first + row.first + at,
          left,
          width: lefts[at + 1]! - left - drawing.gap,
          top,
          bottom: top + row.height,
        }
        return (
          <Cell
            key={file.id}
            file={file}
            place={place}
            href={drawing.hrefOf(file.id)}
            selection={drawing.selection}
            isTabStop={file.id === drawing.tabStop}
            count={lefts.lastIndexOf(lefts[at + 1]!) - at}
          />
        )
      })}
    </div>
  )
}
