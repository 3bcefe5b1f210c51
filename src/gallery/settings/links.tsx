import { useSignal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { act, api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { when } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { session } from '../base/session.ts'
import { allPages } from '../base/slices.ts'
import { Sure } from '../parts/dialog.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { links } from '../text/links.ts'
import { problem } from '../text/problem.ts'

type Share = Schemas['Share']

/** Lists links for people without an account, where there are any, and ends them. */
export function Links() {
  const words = links()
  const { data, error, reload } = useResource((signal) =>
    allPages((query) => ask(api.GET('/api/v1/shares', { params: { query }, signal }))),
  )
  const ending = useSignal<Share | null>(null)
  const close = () => {
    ending.value = null
  }
  const end = async ({ id: share_id }: Share) => {
    try {
      await act(api.DELETE('/api/v1/shares/{share_id}', { params: { path: { share_id } } }))
      toast({ text: words.ended })
    } catch (reason) {
      // It may have ended meanwhile.
      if (!(reason instanceof ApiError && reason.status === 404)) complain(reason)
    }
    close()
    await reload()
  }
  const items = data.value ?? []
  if (items.length === 0 && !error.value) return null
  return (
    <section class="card">
      <h2>{words.list}</h2>
      {error.value && <p role="alert">{problem(error.value)}</p>}
      <ul class="sessions">
        {items.map((share) => (
          <Line
            key={share.id}
            share={share}
            end={() => {
              ending.value = share
            }}
          />
        ))}
      </ul>
      {ending.value && (
        <Sure
          title={words.endQuestion(nameOf(ending.value))}
          text={words.endWarning}
          act={words.end}
          onClose={close}
          onSure={() => void end(ending.value!)}
        />
      )}
    </section>
  )
}

function nameOf({ title, pool_name, files }: Share): string {
  return title ?? pool_name ?? links().what(files)
}

function Line({ share, end }: { share: Share; end(): void }) {
  const words = links()
  const { files, created_at, last_used_at, expires_at } = share
  const name = nameOf(share)
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now()
  const isOthers = share.creator_id !== session.value!.user.id
  const facts = [
    name !== words.what(files) && words.what(files),
    isOthers && share.creator_name !== null && words.by(share.creator_name),
    words.since(when(created_at)),
    last_used_at === null ? words.unused : words.used(when(last_used_at)),
    expires_at === null ? words.endless : words[isOver ? 'over' : 'until'](when(expires_at)),
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
