import { type Signal, useSignal } from '@preact/signals'
import { Check } from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { mediaUrl } from '../base/media.ts'
import { Icon } from '../parts/icon.tsx'
import { duplicates } from '../text/duplicates.ts'
import {
  bounded,
  isWhole,
  type Point,
  type Size,
  toggled,
  type View,
  zoomAt,
} from '../viewer/zoom.ts'
import { differenceOf, percent } from './format.ts'
import { type LoupePoint, Pane } from './pane.tsx'
import { type File, type Pair, type Side, sizeOf } from './sides.ts'
import { type Look, lookOf, viewOf, WHOLE } from './step.ts'

/** The longer side of the compared previews, in pixels. */
const LENGTH = 1000
type Compared = [ImageData, ImageData]

interface Comparison {
  /** From 0 to 255. */
  threshold: Signal<number>
  /** Part of all pixels that differ by more, from 0 to 1; null until it is computed. */
  share: Signal<number | null>
}

/** Shows what differs between two pictures, over the left one. */
function DifferenceView({ pair, of }: { pair: Pair; of: Comparison }) {
  const { threshold, share } = of
  const canvas = useRef<HTMLCanvasElement>(null)
  const compared = useSignal<Compared | null>(null)
  useEffect(() => {
    let isWanted = true
    compared.value = null
    share.value = null
    const size = sizeOf(pair.left)
    const scale = LENGTH / Math.max(size.width, size.height)
    const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)]
    Promise.all([pixelsOf(pair.left, width, height), pixelsOf(pair.right, width, height)]).then(
      (both) => {
        if (isWanted) compared.value = both
      },
      // A picture that fails to load is missing beside it as well.
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [pair.left.id, pair.right.id])
  useEffect(() => {
    if (!compared.value) return
    const [a, b] = compared.value
    const { pixels, share: part } = differenceOf(a.data, b.data, threshold.value)
    const element = canvas.current!
    element.width = a.width
    element.height = a.height
    element.getContext('2d')!.putImageData(new ImageData(pixels, a.width, a.height), 0, 0)
    share.value = part
  }, [compared.value, threshold.value])
  return <canvas ref={canvas} hidden={share.value === null} />
}

/** Shows how much of the picture differs, with a slider for the threshold. */
function Threshold({ threshold, share }: Comparison) {
  const words = duplicates()
  return (
    <label class="pill threshold">
      <span class="num">{share.value === null ? '…' : words.differs(percent(share.value))}</span>
      <input
        type="range"
        min={0}
        max={96}
        aria-label={words.threshold}
        value={threshold}
        onInput={({ currentTarget }) => {
          threshold.value = currentTarget.valueAsNumber
        }}
      />
    </label>
  )
}

async function pixelsOf(file: File, width: number, height: number): Promise<ImageData> {
  const image = new Image()
  image.src = mediaUrl(file.id, 'preview', { v: file.version })
  await image.decode()
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  context.drawImage(image, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}

/** How two pictures are compared. */
export type Mode = 'sides' | 'blink' | 'difference'

/** What the keys do to the pictures. */
export interface StageControls {
  /** Switches between the whole pictures and all pixels of the larger one. */
  toggle(): void
  /** Zooms both around the middle. */
  zoom(factor: number): void
}

interface StageProps {
  pair: Pair
  keep: Side
  mode: Mode
  /** Which one is shown in the mode `blink`. */
  shown: Side
  controls: { current: StageControls | null }
  /** Called when a picture is tapped, to keep it. */
  choose(side: Side): void
  children?: ComponentChildren
}

/** The threshold at first, of 255: recompressing changes less than this. */
const THRESHOLD = 24

/** Shows two pictures as large as there is room, zoomed and moved in step. */
export function Stage({ pair, keep, mode, shown, controls, choose, children }: StageProps) {
  const room = useRef<HTMLDivElement>(null)
  const size = useSizeOf(room)
  const comparison = { threshold: useSignal(THRESHOLD), share: useSignal<number | null>(null) }
  const loupe = useSignal<LoupePoint | null>(null)
  const look = useLook(`${pair.left.id} ${pair.right.id}`)
  const [left, right] = [sizeOf(pair.left), sizeOf(pair.right)]
  const large = left.width < right.width ? right : left

  const middle = () => ({ x: size.peek().width / 2, y: size.peek().height / 2 })
  const now = () => viewOf(look.value, large, size.peek())
  const set = (view: View) => {
    const next = bounded(view, large, size.peek())
    look.value = isWhole(next, large, size.peek()) ? WHOLE : lookOf(next, large, size.peek())
  }
  const toggleAt = (point: Point) =>
    set(toggled(now(), large, size.peek(), point, devicePixelRatio))
  controls.current = {
    toggle: () => toggleAt(middle()),
    zoom: (factor) => set(zoomAt(now(), factor, middle())),
  }

  const pane = (side: Side) => {
    const isOff = mode === 'blink' ? shown !== side : mode === 'difference' && side === 'right'
    return (
      <Pane
        key={side}
        file={pair[side]}
        size={side === 'left' ? left : right}
        room={size.value}
        look={look}
        loupe={loupe}
        isOff={isOff}
        isKept={mode === 'sides' && keep === side}
        choose={() => choose(side)}
        hasMap={mode !== 'sides' || side === 'right'}
        toggleAt={toggleAt}
        measured={side === 'left' ? room : undefined}
        badge={mode === 'difference' ? undefined : <Badge isKept={keep === side} />}
      >
        {mode === 'difference' && side === 'left' && <DifferenceView pair={pair} of={comparison} />}
      </Pane>
    )
  }
  return (
    <div class={mode === 'sides' ? 'pair' : 'pair single'}>
      {pane('left')}
      {pane('right')}
      {mode === 'difference' && <Threshold {...comparison} />}
      {children}
    </div>
  )
}

/** Returns the size of an element, in pixels, which follows its changes. */
function useSizeOf(room: RefObject<HTMLDivElement | null>): Signal<Size> {
  const size = useSignal<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = room.current!
      size.value = { width, height }
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(room.current!)
    return () => observer.disconnect()
  }, [])
  return size
}

function Badge({ isKept }: { isKept: boolean }) {
  const words = duplicates()
  return (
    <figcaption class={isKept ? 'pill keep' : 'pill'}>
      {isKept && <Icon of={Check} />}
      {isKept ? words.kept : words.lost}
    </figcaption>
  )
}

function useLook(key: string): Signal<Look> {
  const put = useSignal(WHOLE)
  const of = useRef(key)
  if (of.current !== key) {
    of.current = key
    put.value = WHOLE
  }
  return put
}
