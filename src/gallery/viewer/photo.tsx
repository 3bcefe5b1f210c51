import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { mediaUrl } from '../base/media.ts'
import { viewer } from '../text/viewer.ts'
import { type Gestures, type Swipe, watchGestures } from './gestures.ts'
import { Layer } from './layer.tsx'
import { largest, type Subject } from './subject.ts'
import {
  bounded,
  fit,
  isWhole,
  moved,
  type Point,
  PREVIEW,
  pinched,
  pixelsAcross,
  type Size,
  toggled,
  type View,
  zoomAt,
} from './zoom.ts'

/** What the viewer can do with the picture that it shows. */
export interface PhotoControls {
  /** Switches between the whole picture and one of its pixels per screen pixel. */
  toggle(): void
  /** Zooms around the middle. */
  zoom(factor: number): void
}

interface PhotoProps {
  subject: Subject
  controls: { current: PhotoControls | null }
  onSwipe(way: Swipe): void
  /** Called when more than the placeholder is visible. */
  onShown(): void
}

/**
 * A picture that can be zoomed and moved: the thumbnail at once, the preview over it, and all pixels
 * over that when the zoom needs them.
 */
export function Photo({ subject, controls, onSwipe, onShown }: PhotoProps) {
  const stage = useRef<HTMLDivElement>(null)
  const room = useSignal<Size>({ width: 0, height: 0 })
  // Where the user has moved the picture; null while all of it is shown.
  const put = useSignal<View | null>(null)
  const pulled = useSignal<Point>({ x: 0, y: 0 })
  const natural = useSignal<Size | null>(null)

  const size = subject.size ?? natural.value ?? { width: PREVIEW, height: PREVIEW / subject.ratio }
  const viewNow = () => bounded(put.peek() ?? fit(size, room.peek()), size, room.peek())
  const set = (view: View) => {
    const next = bounded(view, size, room.peek())
    put.value = isWhole(next, size, room.peek()) ? null : next
  }
  const middle = () => ({ x: room.peek().width / 2, y: room.peek().height / 2 })
  const toggleAt = (point: Point) =>
    set(toggled(viewNow(), size, room.peek(), point, devicePixelRatio))

  const latest = useRef<Gestures>(null as never)
  latest.current = {
    isZoomed: () => put.peek() !== null,
    zoom: (factor, at) => set(zoomAt(viewNow(), factor, at)),
    move: (by) => set(moved(viewNow(), by)),
    pinch: (from, to) => set(pinched(viewNow(), from, to)),
    toggle: toggleAt,
    drag: ({ x, y }) => {
      pulled.value = Math.abs(x) > Math.abs(y) ? { x, y: 0 } : { x: 0, y: Math.max(0, y) }
    },
    swiped: (way) => {
      pulled.value = { x: 0, y: 0 }
      if (way) onSwipe(way)
    },
  }
  controls.current = {
    toggle: () => toggleAt(middle()),
    zoom: (factor) => set(zoomAt(viewNow(), factor, middle())),
  }

  useLayoutEffect(() => {
    const element = stage.current!
    const measure = () => {
      room.value = { width: element.clientWidth, height: element.clientHeight }
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    const unwatch = watchGestures(element, () => latest.current)
    return () => {
      observer.disconnect()
      unwatch()
    }
  }, [])
  useLayoutEffect(() => {
    put.value = null
    natural.value = null
  }, [subject.id])

  const isMeasured = room.value.width > 0
  const view = bounded(put.value ?? fit(size, room.value), size, room.value)
  const { x, y } = pulled.value
  const needsAll = pixelsAcross(view, size, devicePixelRatio) > PREVIEW && put.value !== null
  return (
    <div class={put.value ? 'photo zoomed' : 'photo'} ref={stage}>
      {isMeasured && (
        <div
          class="layers"
          key={subject.id}
          style={{
            width: `${size.width * view.scale}px`,
            height: `${size.height * view.scale}px`,
            transform: `translate(${view.x + x}px, ${view.y + y}px)`,
          }}
        >
          <Layer src={mediaUrl(subject.id, 'thumbnail', { v: subject.version })} />
          <Layer
            src={
              subject.isMoving
                ? largest(subject)
                : mediaUrl(subject.id, 'preview', { v: subject.version })
            }
            alt={subject.name ?? viewer().picture}
            onLoad={(image) => {
              natural.value = { width: image.naturalWidth, height: image.naturalHeight }
              onShown()
            }}
            onError={onShown}
          />
          {needsAll && !subject.isMoving && <Layer src={largest(subject)} />}
        </div>
      )}
    </div>
  )
}
