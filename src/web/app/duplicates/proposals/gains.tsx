import type { ComponentChildren } from 'preact'
import { moment } from '../../base/format.ts'
import { duplicates } from '../../text/duplicates.ts'
import { localTime } from '../../viewer/facts.ts'
import type { Proposal } from './plan.ts'

/** What the kept one comes to have, in a line. */
export function Gains({ gains }: { gains: Proposal['gains'] }) {
  const words = duplicates()
  const { tags, pools, notes, date } = gains
  const named = (name: string, what: string): ComponentChildren => (
    <span key={name}>
      {name} <b>{what}</b>
    </span>
  )
  const list = (of: { name: string }[]) => of.map(({ name }) => name).join(', ')
  const parts = [
    tags.length > 0 && named(words.theTags(tags.length), list(tags)),
    pools.length > 0 && named(words.thePools(pools.length), list(pools)),
    date && named(words.theDate, moment(localTime(date))),
    notes !== null && named(words.theNote, `“${notes}”`),
  ].filter(Boolean)
  if (parts.length === 0) return <span class="why muted">{words.gainsNothing}</span>
  return (
    <span class="why">
      {words.gains} {parts.flatMap((part, place) => (place === 0 ? [part] : [', ', part]))}
    </span>
  )
}
