import { locale } from '../base/text.ts'
import { news } from '../text/news.ts'

const DAY = 24 * 60 * 60 * 1000
/** From this age on, a weekday could mean another week. */
const WEEK = 6 * DAY

/** Returns since when something is new, such as “since Tuesday”. */
export function sinceWhen(iso: string, now = new Date()): string {
  const time = new Date(iso)
  const words = news().since
  const shown = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale.value, options).format(time)
  if (time.toDateString() === now.toDateString()) {
    return words.time(shown({ hour: '2-digit', minute: '2-digit' }))
  }
  if (now.getTime() - time.getTime() < WEEK) return words.weekday(shown({ weekday: 'long' }))
  const year = time.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const }
  return words.date(shown({ day: 'numeric', month: 'long', ...year }))
}
