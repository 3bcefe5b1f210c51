import { signal } from '@preact/signals'
import { X } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../base/error.ts'
import { number } from '../base/format.ts'
import { mediaUrl } from '../base/media.ts'
import { dayClosed } from '../base/preferences.ts'
import { session } from '../base/session.ts'
import { settled } from '../base/settled.ts'
import { areSettingsShared } from '../base/shared-preferences.ts'
import { isFiltered } from '../filter/index.ts'
import { Icon } from '../parts/icon.tsx'
import { hrefOf } from '../routes.ts'
import { thisDay as text } from '../text/this-day.ts'
import { readThisDay, today, type Year } from './read.ts'

/** What was found last, and for whom. */
const found = signal<{ user: number; day: string; years: Year[] } | null>(null)

/** The file that was opened from here, whose link gets the focus back. */
let opened: string | null = null

/** Shows what was taken on this day in earlier years, above all photos, until the user closes it. */
export function ThisDay() {
  const user = session.value!.user.id
  const day = today()
  const isWanted = areSettingsShared.value && !isFiltered.value && dayClosed.value !== day
  // A change may remove one of them; `settled` counts returns as well.
  const turn = settled.value
  useEffect(() => {
    if (!isWanted) return
    const ended = new AbortController()
    readThisDay(ended.signal).then(
      (years) => {
        if (!ended.signal.aborted) found.value = { user, day, years }
      },
      (error) => {
        // It can wait for the next visit.
        if (!ended.signal.aborted && !(error instanceof ApiError)) throw error
      },
    )
    return () => ended.abort()
  }, [isWanted, user, day, turn])
  const known = found.value
  const isShown = isWanted && known?.user === user && known.day === day && known.years.length > 0
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isShown || opened === null) return
    row.current?.querySelector<HTMLElement>(`a[href*="/f/${opened}"]`)?.focus()
    opened = null
  }, [isShown])
  if (!isShown) return null
  const words = text()
  return (
    <section class="thisday" ref={row} aria-labelledby="thisday">
      <div class="day">
        <h2 id="thisday">{words.title}</h2>
        <button
          type="button"
          class="btn quiet icononly"
          aria-label={words.close}
          title={words.close}
          onClick={() => {
            dayClosed.value = day
          }}
        >
          <Icon of={X} />
        </button>
      </div>
      <ul>
        {known.years.map((year) => (
          <li key={year.year}>
            {year.shown.map(({ id, version }, place) => (
              <a
                key={id}
                href={hrefOfDay(id, year)}
                onClick={() => {
                  opened = id
                }}
                aria-label={words.open(place + 1, words.yearsAgo(year.ago))}
              >
                <img
                  src={mediaUrl(id, 'thumbnail', { v: version })}
                  alt=""
                  loading="lazy"
                  draggable={false}
                />
              </a>
            ))}
            <span class="ago num">
              {words.yearsAgo(year.ago)}
              {year.files > year.shown.length && ` · ${number(year.files)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The address of a file among those of its day. */
function hrefOfDay(id: string, { from, to }: Year): string {
  return hrefOf({ path: `/f/${id}`, listing: { from, to, sort: 'content_datetime' }, at: null })
}
