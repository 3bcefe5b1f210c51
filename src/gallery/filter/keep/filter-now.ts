import { listing } from '../../routes.ts'
import { narrowed } from '../panel/groups.ts'

/** Returns the filter and the days of the address as one filter; names are no part of a filter. */
export function filterNow(): string {
  const { filter = '', from, to } = listing.peek()
  const last = to && new Date(Date.parse(to) - 1).toISOString().slice(0, 10)
  const days = [...(from ? [`d>=${from.slice(0, 10)}`] : []), ...(last ? [`d<=${last}`] : [])]
  return days.length === 0 ? filter : narrowed(filter, days)
}
