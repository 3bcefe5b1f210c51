import type { Schemas } from '../../client/index.ts'
import { act, api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { when } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { session } from '../base/session.ts'
import { complain, toast } from '../parts/toast.tsx'
import { links } from '../text/links.ts'
import { problem } from '../text/problem.ts'

type Share = Schemas['Share']

/** How many links are shown. */
const MOST = 200

/** Lists links for people without an account, where there are any, and ends them. */
export function Links() {
  const words = links()
  const { data, error, reload } = useResource((signal) =>
    ask(api.GET('/api/v1/shares', { params: { query: { limit: MOST } }, signal })),
  )
  const end = async (share: Share) => {
    try {
      await act(
        api.DELETE('/api/v1/shares/{share_id}', { params: { path: { share_id: share.id } } }),
      )
      toast({ text: words.ended })
    } catch (reason) {
      // It may have ended meanwhile.
      if (!(reason instanceof ApiError && reason.status === 404)) complain(reason)
    }
    await reload()
  }
  const { items = [], total = 0 } = data.value ?? {}
  if (total === 0 && !error.value) return null
  return (
    <section class="card">
      <h2>{words.list}</h2>
      {error.value && <p role="alert">{problem(error.value)}</p>}
      <ul class="sessions">
        {items.map((share) => (
          <Line key={share.id} share={share} end={() => void end(share)} />
        ))}
      </ul>
      {total > items.length && <p class="muted small">{words.more(total - items.length)}</p>}
    </section>
  )
}

function Line({ share, end }: { share: Share; end(): void }) {
  const words = links()
  const { title, pool_name, files, created_at, last_used_at, expires_at } = share
  const name = title ?? pool_name ?? words.what(files)
  const isOthers = share.creator_id !== session.value!.user.id
  const facts = [
    name !== words.what(files) && words.what(files),
    isOthers && share.creator_name !== null && words.by(share.creator_name),
    words.since(when(created_at)),
    last_used_at === null ? words.unused : words.used(when(last_used_at)),
    expires_at === null ? words.endless : words.until(when(expires_at)),
    share.has_password && words.hasPassword,
    share.may_upload && words.takesPhotos,
  ]
  return (
    <li class="line">
      <div class="rest">
        {name}
        <p class="muted small num">{facts.filter(Boolean).join(', ')}</p>
      </div>
      <button type="button" class="btn" aria-label={words.endOf(name)} onClick={end}>
        {words.end}
      </button>
    </li>
  )
}
