import { useSignal } from '@preact/signals'
import { KeyRound } from 'lucide'
import type { Schemas } from '../../client/index.ts'
import { act, api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { when } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { session } from '../base/session.ts'
import { allPages } from '../base/slices.ts'
import { Icon } from '../parts/icon.tsx'
import { PasswordDialog, PasswordField } from '../parts/password.tsx'
import { Switch } from '../parts/switch.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { account as text } from '../text/account.ts'
import { problem } from '../text/problem.ts'
import { deviceOf } from './device.ts'

type Session = Schemas['Session']

/** How many sessions are shown at first, and how many more each time. */
const SOME = 20

/** Changes the user's password, and lists the sessions. */
export function Account() {
  const words = text()
  const isChanging = useSignal(false)
  const { data, error, most, isEnding, end, endOthers, reload } = useSessions()
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
      <div class="line">
        <h3 class="label rest">{words.sessions}</h3>
        {data.value && data.value.total > 1 && (
          <button
            type="button"
            class="btn"
            disabled={isEnding.value}
            onClick={() => void endOthers()}
          >
            {words.endOthers}
          </button>
        )}
      </div>
      {error.value && <p role="alert">{problem(error.value)}</p>}
      <ul class="sessions">
        {data.value?.items.map((one) => (
          <SessionLine key={one.id} session={one} end={() => void end(one)} />
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
          onDone={() => void reload()}
        />
      )}
    </section>
  )
}

/** Returns the first sessions, and functions that end one or all others. */
function useSessions() {
  const most = useSignal(SOME)
  const { data, error, reload } = useResource((signal) => {
    const query = { limit: most.value }
    return ask(api.GET('/api/v1/auth/sessions', { params: { query }, signal }))
  })
  const end = async ({ id }: Session) => {
    const { items, total } = data.peek()!
    data.value = { items: items.filter((one) => one.id !== id), total: total - 1 }
    try {
      if (await endSession(id)) toast({ text: text().ended })
    } catch (reason) {
      complain(reason)
    }
    await reload()
  }
  const isEnding = useSignal(false)
  const endOthers = async () => {
    isEnding.value = true
    try {
      const all = await allPages((query) =>
        ask(api.GET('/api/v1/auth/sessions', { params: { query } })),
      )
      for (const { id, is_current } of all) if (!is_current) await endSession(id)
      toast({ text: text().endedOthers })
    } catch (reason) {
      complain(reason)
    }
    await reload()
    isEnding.value = false
  }
  return { data, error, most, isEnding, end, endOthers, reload }
}

/** Ends a session; returns false if it was over already. */
async function endSession(id: number): Promise<boolean> {
  try {
    const params = { path: { session_id: id } }
    await act(api.DELETE('/api/v1/auth/sessions/{session_id}', { params }))
    return true
  } catch (reason) {
    if (reason instanceof ApiError && reason.status === 404) return false
    throw reason
  }
}

function SessionLine({ session, end }: { session: Session; end(): void }) {
  const words = text()
  const { user_agent, is_current, started_at, last_activity } = session
  return (
    <li class="line">
      <div class="rest">
        {words.device(deviceOf(user_agent))}
        <p class="muted small num">
          {is_current
            ? words.thisOne(when(started_at))
            : words.since(when(started_at), when(last_activity))}
        </p>
      </div>
      {!is_current && (
        <button type="button" class="btn" onClick={end}>
          {words.end}
        </button>
      )}
    </li>
  )
}

/** Asks for the user's password and a new one. */
export function ChangePassword({ onClose, onDone }: { onClose(): void; onDone?(): void }) {
  const words = text()
  const current = useSignal('')
  const next = useSignal('')
  const endsKeys = useSignal(false)
  const send = async () => {
    const body = {
      password: next.value,
      current_password: current.value,
      end_keys: endsKeys.value,
    }
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
      <Switch
        label={words.endKeys}
        isOn={endsKeys.value}
        onChange={(isOn) => {
          endsKeys.value = isOn
        }}
      />
    </PasswordDialog>
  )
}
