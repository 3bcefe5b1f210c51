import { useSignal } from '@preact/signals'
import { KeyRound } from 'lucide'
import type { Schemas } from '../../client/index.ts'
import { act, api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { when } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { session } from '../base/session.ts'
import { Icon } from '../parts/icon.tsx'
import { PasswordDialog, PasswordField } from '../parts/password.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { account as text } from '../text/account.ts'
import { problem } from '../text/problem.ts'
import { deviceOf } from './device.ts'

/** How many sessions are shown at first, and how many more each time. */
const SOME = 20

/** Changes the user's password, and lists the sessions. */
export function Account() {
  const words = text()
  const isChanging = useSignal(false)
  const most = useSignal(SOME)
  const sessions = useResource((signal) => {
    const query = { limit: most.value }
    return ask(api.GET('/api/v1/auth/sessions', { params: { query }, signal }))
  })
  const { data, error } = sessions

  const end = async ({ id }: Schemas['Session']) => {
    const { items, total } = data.peek()!
    data.value = { items: items.filter((one) => one.id !== id), total: total - 1 }
    try {
      const params = { path: { session_id: id } }
      await act(api.DELETE('/api/v1/auth/sessions/{session_id}', { params }))
      toast({ text: words.ended })
    } catch (reason) {
      // It may have expired.
      if (!(reason instanceof ApiError && reason.status === 404)) complain(reason)
    }
    await sessions.reload()
  }

  return (
    <section class="card">
      <div class="line">
        <h2 class="rest">{words.title}</h2>
        <button
          type="button"
          class="btn"
          onClick={() => {
            isChanging.value = true
          }}
        >
          <Icon of={KeyRound} />
          {words.change}
        </button>
      </div>
      <h3 class="label">{words.sessions}</h3>
      {error.value && <p role="alert">{problem(error.value)}</p>}
      <ul class="sessions">
        {data.value?.items.map((one) => (
          <li class="line" key={one.id}>
            <div class="rest">
              {words.device(deviceOf(one.user_agent))}
              <p class="muted small num">
                {one.is_current
                  ? words.thisOne(when(one.started_at))
                  : words.since(when(one.started_at), when(one.last_activity))}
              </p>
            </div>
            {!one.is_current && (
              <button type="button" class="btn" onClick={() => void end(one)}>
                {words.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      {data.value && data.value.total > data.value.items.length && most.value < 200 && (
        <button
          type="button"
          class="btn"
          onClick={() => {
            most.value = Math.min(200, most.value + 3 * SOME)
          }}
        >
          {words.more(data.value.total - data.value.items.length)}
        </button>
      )}
      {isChanging.value && (
        <ChangePassword
          onClose={() => {
            isChanging.value = false
          }}
          onDone={() => void sessions.reload()}
        />
      )}
    </section>
  )
}

/** Asks for the user's password and a new one. */
export function ChangePassword({ onClose, onDone }: { onClose(): void; onDone?(): void }) {
  const words = text()
  const current = useSignal('')
  const next = useSignal('')
  const send = async () => {
    const body = { password: next.value, current_password: current.value }
    await act(api.PATCH('/api/v1/users/me', { body }))
    toast({ text: words.changed })
    onClose()
    onDone?.()
  }
  return (
    <PasswordDialog
      title={words.change}
      action={words.change}
      username={session.value!.user.name}
      refusals={{ 403: words.wrong }}
      send={send}
      onClose={onClose}
    >
      <PasswordField label={words.current} value={current} isFirst />
      <PasswordField label={words.next} value={next} kind="new" />
      <p class="muted small">{words.hint}</p>
    </PasswordDialog>
  )
}
