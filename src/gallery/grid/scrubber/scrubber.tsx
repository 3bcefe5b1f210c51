import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { grid } from '../../text/grid.ts'
import { nameOfMonth } from '../days.ts'
import type { OpenFiles } from '../listing/files.ts'
import type { View } from '../view.ts'
import { bars, type Month, monthAt, monthsOf, positionOf, yearMarks } from './months.ts'

/** The longest bar, and the shortest one beside it, in pixels. */
const [LONGEST, SHORTEST] = [16, 3]

/** The scroll bar of the whole listing, by months; nothing for listings without months. */
export function Scrubber({ files, view }: { files: OpenFiles; view: View }) {
  const element = useRef<HTMLDivElement>(null)
  const height = useSignal(0)
  const isHeld = useSignal(false)
  const months = useComputed(() => monthsOf(files.buckets.value ?? []))
  const total = files.total.value ?? 0
  const isThere = months.value.length > 0 && total > 0
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => {
      height.value = entry!.contentRect.height
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [isThere])
  if (!isThere) return null

  // The last files never reach the top.
  const { isAtEnd } = view.scroller.drawn.value
  const place = isAtEnd ? total - 1 : view.scroller.place.value
  const index = monthAt(months.value, place)
  const name = nameOfMonth(months.value[index]!.key)
  const top = `${(place / Math.max(1, total)) * 100}%`

  const goTo = ({ clientY }: PointerEvent) => {
    const { top, height } = element.current!.getBoundingClientRect()
    const share = Math.max(0, Math.min(1, (clientY - top) / height))
    view.scroller.jump(positionOf(months.value, total, { share, height }))
  }
  return (
    <div
      class={isHeld.value || view.isMoving.value ? 'scrub moving' : 'scrub'}
      ref={element}
      role="slider"
      tabIndex={0}
      aria-label={grid().date}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={months.value.length - 1}
      aria-valuenow={index}
      aria-valuetext={name}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        element.current!.setPointerCapture(event.pointerId)
        isHeld.value = true
        goTo(event)
      }}
      onPointerMove={(event) => isHeld.value && goTo(event)}
      onPointerUp={() => {
        isHeld.value = false
      }}
      onPointerCancel={() => {
        isHeld.value = false
      }}
      onKeyDown={(event) => key(event, view)}
    >
      <Histogram months={months.value} total={total} height={height.value} />
      <span class="now" style={{ top }} />
      <span class="bubble" style={{ top }}>
        {name}
      </span>
    </div>
  )
}

function Histogram({
  months,
  total,
  height,
}: {
  months: readonly Month[]
  total: number
  height: number
}) {
  const path = useMemo(() => {
    const drawn = bars(months, total, height).map(({ at, length }) => {
      const long = Math.round(SHORTEST + length * (LONGEST - SHORTEST))
      return `M${LONGEST} ${Math.round(at * height) + 1}h-${long}`
    })
    return drawn.join('')
  }, [months, total, height])
  const years = useMemo(() => yearMarks(months, total, height), [months, total, height])
  return (
    <>
      <svg aria-hidden="true" width={LONGEST} height={height}>
        <path d={path} />
      </svg>
      {years.map(({ at, year }) => (
        <span key={year} class="year" style={{ top: `${at * 100}%` }} aria-hidden="true">
          {year}
        </span>
      ))}
    </>
  )
}

/** Moves by months or screens; other keys are the grid's. */
function key(event: KeyboardEvent, view: View): void {
  const steps: Record<string, number> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }
  const step = steps[event.key]
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (step !== undefined) view.month(step)
  else if (event.key === 'Home') view.scroller.jump(0)
  else if (event.key === 'End') view.scroller.jump((view.files.total.peek() ?? 1) - 1)
  else return
  event.preventDefault()
}
