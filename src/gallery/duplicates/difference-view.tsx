import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { mediaUrl } from '../base/media.ts'
import { duplicates } from '../text/duplicates.ts'
import { differenceOf } from './difference.ts'
import { percent } from './format.ts'
import { type File, type Pair, sizeOf } from './sides.ts'

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
export function DifferenceView({ pair, of }: { pair: Pair; of: Comparison }) {
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
export function Threshold({ threshold, share }: Comparison) {
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
