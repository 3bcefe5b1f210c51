import { computed } from '@preact/signals'
import { locale } from './text.ts'

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const
const DAY = { day: 'numeric', month: 'long' } as const

/** Formats when something happened, by the clock of this device: `18:02` today, else with the day. */
export function when(iso: string, now = new Date()): string {
  const time = new Date(iso)
  if (time.toDateString() === now.toDateString()) return clocks.value.format(time)
  return (time.getFullYear() === now.getFullYear() ? days : dates).value.format(time)
}

const format = (options: Intl.DateTimeFormatOptions) =>
  computed(() => new Intl.DateTimeFormat(locale.value, { ...CLOCK, ...options }))
const clocks = format({})
const days = format(DAY)
const dates = format({ ...DAY, year: 'numeric' })
