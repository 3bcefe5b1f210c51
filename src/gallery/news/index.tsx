import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'
import { number } from '../base/format.ts'
import { mediaUrl } from '../base/media.ts'
import { returns } from '../base/returning.ts'
import { session } from '../base/session.ts'
import { remember } from '../base/shared-preferences.ts'
import { CloseButton } from '../parts/close-button.tsx'
import { news as text } from '../text/news.ts'
import { sinceWhen } from './since.ts'

/** Milliseconds after which a look at nothing new counts as the last one. */
const LATER = 60 * 60 * 1000

/** What is new to a user since their last look, until they close it. */
const note = signal<{ user: number; since: string; news: Schemas['News'] } | null>(null)
/** For whom, and after which return, this page looked last; null before that, and after a failure. */
let looked: string | null = null

/**
 * Says once what others have shared since the user last looked, on whichever device that was. Looks again
 * when the user returns to the page after a while.
 */
export function News() {
  const user = session.value!.user.id
  const wanted = `${user} ${returns.value}`
  useEffect(() => {
    if (looked === wanted) return
    looked = wanted
    // It can wait for the next visit or return.
    look(user).catch(() => {
      if (looked === wanted) looked = null
    })
  }, [wanted])
  const shown = note.value
  if (shown?.user !== user) return null
  const words = text()
  const { files, from, pools, first } = shown.news
  return (
    <section class="gap news" aria-label={words.label}>
      <b>
        {words.isNew(
          files,
          sinceWhen(shown.since),
          from.map(({ name }) => name),
        )}
      </b>
      {pools.map(({ id, name, files }) => (
        <a key={id} class="link" href={`/albums/${id}`}>
          {name} ({number(files)})
        </a>
      ))}
      <span class="rest" />
      {first.map((id, place) => (
        <a key={id} href={`/f/${id}`} aria-label={words.open(place + 1)}>
          <img src={mediaUrl(id, 'thumbnail')} alt="" />
        </a>
      ))}
      <CloseButton
        onClose={() => {
          note.value = null
        }}
      />
    </section>
  )
}

async function look(user: number): Promise<void> {
  const { seen_until } = await ask(api.GET('/api/v1/users/me/settings'))
  const shown = note.peek()
  const open = shown?.user === user ? shown : null
  const last = new Date(typeof seen_until === 'string' ? seen_until : Number.NaN)
  // On the first visit nothing is new.
  const since = open?.since ?? (Number.isNaN(last.getTime()) ? null : last.toISOString())
  const query = since === null ? {} : { since }
  const news = await ask(api.GET('/api/v1/files/new', { params: { query } }))
  const isRecent = Date.parse(news.until) - last.getTime() < LATER
  if (news.files === 0 && isRecent) return
  // It was closed meanwhile; what has come since is said at the next look.
  if (note.peek() !== shown) return
  // Before it is shown, so that no other device shows it again.
  await remember({ seen_until: news.until })
  if (news.files > 0) note.value = { user, since: since!, news }
}
