import { useSignal } from '@preact/signals'
import type { TargetedKeyboardEvent } from 'preact'
import { useRef } from 'preact/hooks'
import { api, ask } from '../../base/api.ts'
import { month } from '../../base/format.ts'
import { useResource } from '../../base/resource.ts'
import { settled } from '../../base/settled.ts'
import { Unread } from '../../parts/instead.tsx'
import { facets } from '../../text/facets.ts'
import { printFilter } from '../edit.ts'
import { show } from '../state.ts'
import { type Bar, barsOf } from './bars.ts'
import { DAYS, type Days, readDays, withDays } from './groups.ts'
import { conditions, listingOf } from './values.ts'

/** The days that are asked for: as two dates, and as bars of the photos of each year or month. */
export function When() {
  const words = facets()
  const { data, error, reload } = useResource(async (signal) => {
    void settled.value
    const { order: _, ...list } = listingOf(DAYS)
    const query = { ...list, sort: 'content_datetime', order: 'asc', pairs: '1' } as const
    const { buckets } = await ask(api.GET('/api/v1/files/timeline', { params: { query }, signal }))
    return barsOf(buckets)
  })
  const days = readDays(conditions.value)
  const choose = (next: Days) => {
    // A range of another kind, in the address, would limit these days without showing here.
    show({ filter: printFilter(withDays(conditions.peek(), next)), from: '', to: '' })
  }
  return (
    <fieldset>
      <legend>{words.when}</legend>
      <Unread error={error.value} retry={() => void reload()} />
      {(data.value?.length ?? 0) > 1 && <Bars bars={data.value!} days={days} onDays={choose} />}
      <div class="days">
        {(['from', 'to'] as const).map((end) => (
          <label key={end}>
            {words[end]}
            <input
              class="input"
              type="date"
              value={days[end]}
              onChange={({ currentTarget: { value } }) => {
                // The digits of a year come one by one, as of 0002 first.
                if (!value.startsWith('0')) choose({ ...days, [end]: value })
              }}
            />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface BarsProps {
  bars: Bar[]
  days: Days
  onDays(days: Days): void
}

/** A tap asks for a bar's days, one on another bar for all from one to the other. */
function Bars({ bars, days, onDays }: BarsProps) {
  const words = facets()
  const focused = useSignal(0)
  const group = useRef<HTMLFieldSetElement>(null)
  const most = Math.max(...bars.map(({ count }) => count))
  const isIn = ({ from, to }: Bar) =>
    (days.from !== '' || days.to !== '') &&
    (days.from === '' || from >= days.from) &&
    (days.to === '' || to <= days.to)
  const chosen = bars.filter(isIn)
  const tap = (bar: Bar) => {
    const [one, ...more] = chosen
    if (!one || more.length > 0) onDays({ from: bar.from, to: bar.to })
    else if (one === bar) onDays({ from: '', to: '' })
    else if (one.from < bar.from) onDays({ from: one.from, to: bar.to })
    else onDays({ from: bar.from, to: one.to })
  }
  const move = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    focused.value = Math.max(0, Math.min(bars.length - 1, focused.value + step))
    group.current!.querySelectorAll('button')[focused.value]!.focus()
  }
  return (
    <fieldset class="bars" ref={group} onKeyDown={move}>
      <legend class="hidden">{words.histogram}</legend>
      {bars.map((bar, n) => {
        const time = bar.key.length > 4 ? month(Date.parse(bar.from) / 1000) : bar.key
        const label = words.bar(time, bar.count)
        return (
          <button
            key={bar.key}
            type="button"
            tabIndex={n === Math.min(focused.value, bars.length - 1) ? 0 : -1}
            aria-label={label}
            title={label}
            aria-pressed={isIn(bar)}
            onFocus={() => {
              focused.value = n
            }}
            onClick={() => tap(bar)}
          >
            <span style={{ height: `${Math.ceil((100 * bar.count) / most)}%` }} />
          </button>
        )
      })}
    </fieldset>
  )
}
