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
