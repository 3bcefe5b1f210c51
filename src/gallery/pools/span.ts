import { computed } from '@preact/signals'
import { locale } from '../base/text.ts'

/** Formats the days from one to another, by seconds of the local clock: `6–13 February 2021`. */
export function span(from: number, to: number): string {
  // Browsers differ in whether two days of a month have spaces between them.
  return days.value.formatRange(from * 1000, to * 1000).replace(/^(\d+\.?)\s–\s(?=\d)/, '$1–')
}

const days = computed(
  () =>
    new Intl.DateTimeFormat(locale.value, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }),
)
