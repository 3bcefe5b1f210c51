import type { Signal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { mediaUrl, turnOfFull } from '../base/media.ts'
import { duplicates } from '../text/duplicates.ts'
import { type Gestures, watchGestures } from '../viewer/gestures.ts'
import { Layer } from '../viewer/layer.tsx'
import {
  bounded,
  isWhole,
  moved,
  type Point,
  PREVIEW,
  pinched,
  pixelsAcross,
  type Size,
  type View,
  zoomAt,
} from '../viewer/zoom.ts'
import type { File } from './sides.ts'
import { type Look, lookOf, seenPart, viewOf, WHOLE } from './step.ts'

/** The point under the loupe, in parts of the picture's width and height. */
export type LoupePoint = Point

/** Half the width of the loupe, in pixels of the stage, and its least magnification. */
const RADIUS = 88
const LOUPE = 2

interface PaneProps {
  file: File
  /** In the picture's own pixels. */
  size: Size
  /** The stage of this one picture, in pixels. */
  room: Size
  look: Signal<Look>
  loupe: Signal<LoupePoint | null>
  isOff: boolean
  isKept: boolean
  /** Called when it is tapped. */
  choose(): void
  hasMap: boolean
  toggleAt(point: Point): void
  measured: RefObject<HTMLDivElement | null> | undefined
  badge: ComponentChildren
  children?: ComponentChildren
}

/** Shows one picture of two; zooming and moving it does the same to the other. */
export function Pane(props: PaneProps) {
  const {
    file,
    size,
    room,
    look,
    loupe,
    isOff,
    isKept,
    choose,
    hasMap,
    measured,
    badge,
    children,
  } = props
  const own = useRef<HTMLDivElement>(null)
  const stage = measured ?? own
  const view = viewOf(look.value, size, room)
  useGestures(stage, props)

  const hover = (event: PointerEvent) => {
    const { left, top } = stage.current!.getBoundingClientRect()
    const x = (event.clientX - left - view.x) / (size.width * view.scale)
    const y = (event.clientY - top - view.y) / (size.height * view.scale)
    const isOn = event.pointerType === 'mouse' && event.buttons === 0 && look.peek() === WHOLE
    loupe.value = isOn && x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { x, y } : null
  }
  const isZoomed = look.value !== WHOLE
  const isLarge = isZoomed && pixelsAcross(view, size, devicePixelRatio) > PREVIEW
  const preview = mediaUrl(file.id, 'preview', { v: file.version })
  return (
    <figure class={isOff ? 'off' : isKept ? 'kept' : undefined}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys and buttons choose as well */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div
        class={isZoomed ? 'photo zoomed' : 'photo'}
        ref={stage}
        onClick={(event: MouseEvent & { pointerType?: string }) => {
          // A mouse has room for the buttons, and its double click is for zooming.
          if (event.pointerType === 'touch') choose()
        }}
        onPointerMove={hover}
        onPointerLeave={() => {
          loupe.value = null
        }}
      >
        {room.width > 0 && (
          <div
            class="layers"
            key={file.id}
            style={{
              width: `${size.width * view.scale}px`,
              height: `${size.height * view.scale}px`,
              transform: `translate(${view.x}px, ${view.y}px)`,
            }}
          >
            <Layer src={preview} alt={file.original_name ?? duplicates().unnamed} />
            {isLarge && (
              <Layer src={mediaUrl(file.id, 'full', { v: file.version })} turn={turnOfFull(file)} />
            )}
            {children}
          </div>
        )}
        {loupe.value && !isOff && (
          <Loupe src={preview} point={loupe.value} view={view} size={size} />
        )}
      </div>
      {badge}
      {isZoomed && hasMap && <SmallMap src={preview} size={size} view={view} room={room} />}
    </figure>
  )
}

/** Lets fingers, mouse and wheel change the common view. */
function useGestures(
  stage: RefObject<HTMLDivElement | null>,
  { size, room, look, loupe, toggleAt }: PaneProps,
): void {
  const set = (next: View) => {
    const clamped = bounded(next, size, room)
    look.value = isWhole(clamped, size, room) ? WHOLE : lookOf(clamped, size, room)
    loupe.value = null
  }
  const now = () => viewOf(look.peek(), size, room)
  const latest = useRef<Gestures>(null as never)
  latest.current = {
    isZoomed: () => look.peek() !== WHOLE,
    zoom: (factor, at) => set(zoomAt(now(), factor, at)),
    move: (by) => set(moved(now(), by)),
    pinch: (from, to) => set(pinched(now(), from, to)),
    toggle: toggleAt,
    drag: () => {},
    swiped: () => {},
  }
  useLayoutEffect(() => watchGestures(stage.current!, () => latest.current), [])
}

interface LoupeProps {
  src: string
  point: LoupePoint
  view: View
  size: Size
}

function Loupe({ src, point, view, size }: LoupeProps) {
  // All pixels of a preview, if that magnifies more.
  const scale = Math.max(view.scale * LOUPE, PREVIEW / Math.max(size.width, size.height))
  const [width, height] = [size.width * scale, size.height * scale]
  const across = view.x + point.x * size.width * view.scale - RADIUS
  const down = view.y + point.y * size.height * view.scale - RADIUS
  return (
    <i
      class="loupe"
      style={{
        transform: `translate(${across}px, ${down}px)`,
        backgroundImage: `url("${src}")`,
        backgroundSize: `${width}px ${height}px`,
        backgroundPosition: `${RADIUS - point.x * width}px ${RADIUS - point.y * height}px`,
      }}
    />
  )
}

/** Marks the visible part in a small copy of the whole picture. */
function SmallMap({ src, size, view, room }: { src: string; size: Size; view: View; room: Size }) {
  const part = seenPart(view, size, room)
  const percent = (value: number) => `${value * 100}%`
  return (
    <div class="map" aria-hidden="true">
      <img src={src} alt="" />
      <i
        style={{
          left: percent(part.left),
          top: percent(part.top),
          width: percent(part.width),
          height: percent(part.height),
        }}
      />
    </div>
  )
}
