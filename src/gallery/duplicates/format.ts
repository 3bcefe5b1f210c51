import { computed } from '@preact/signals'
import { locale } from '../base/text.ts'

/** Formats a part from 0 to 1 as a percentage: `2.4%`. */
export function percent(part: number): string {
  return percents.value.format(part)
}

/** Formats how long ago a time in milliseconds was: `2 hours ago`, `now`. */
export function ago(time: number, now: number): string {
  const seconds = (time - now) / 1000
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  // Less than a minute ago counts as now.
  return relative.value.format(unit === 'second' ? 0 : Math.round(seconds / length), unit)
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const percents = computed(
  () => new Intl.NumberFormat(locale.value, { style: 'percent', maximumFractionDigits: 1 }),
)
const relative = computed(() => new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' }))

/** As a canvas holds them: red, green, blue and alpha, a byte each. */
type Pixels = Uint8ClampedArray<ArrayBuffer>

interface Difference {
  /** The first picture in pale grey, with the differences in red. */
  pixels: Pixels
  /** Part of all pixels that differ, from 0 to 1. */
  share: number
}

/** Returns the pixels that differ by more than `threshold` (of 255) in red, green or blue. */
export function differenceOf(a: Pixels, b: Pixels, threshold: number): Difference {
  const pixels = new Uint8ClampedArray(a.length)
  let count = 0
  for (let at = 0; at < a.length; at += 4) {
    const [red, green, blue] = [a[at]!, a[at + 1]!, a[at + 2]!]
    const most = Math.max(
      Math.abs(red - b[at]!),
      Math.abs(green - b[at + 1]!),
      Math.abs(blue - b[at + 2]!),
    )
    const grey = 32 + (red * 0.3 + green * 0.59 + blue * 0.11) / 3
    const isOther = most > threshold
    if (isOther) count++
    pixels[at] = isOther ? 255 : grey
    pixels[at + 1] = isOther ? 64 : grey
    pixels[at + 2] = isOther ? 48 : grey
    pixels[at + 3] = 255
  }
  return { pixels, share: count / (a.length / 4) }
}
