import { useSignal } from '@preact/signals'
import { CornerDownLeft } from 'lucide'
import { ApiError } from '../base/error.ts'
import { signIn } from '../base/session.ts'
import { Icon } from '../parts/icon.tsx'
import { Mark } from '../parts/mark.tsx'
import { problem } from '../text/problem.ts'
import { shell } from '../text/shell.ts'

/** The screen for users that aren't signed in. */
export function SignIn() {
  const name = useSignal('')
  const password = useSignal('')
  const complaint = useSignal('')
  const isBusy = useSignal(false)
  const words = shell()

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isBusy.value) return
    isBusy.value = true
    complaint.value = ''
    try {
      await signIn(name.value, password.value)
    } catch (error) {
      complaint.value = refusal(error)
    }
    isBusy.value = false
  }

  return (
    <main class="entrance">
      <form class="signin" onSubmit={submit}>
        <h1>
          <Mark />
        </h1>
        <label class="field">
          <span>{words.name}</span>
          <input
            class="input"
            name="username"
            autocomplete="username"
            autocapitalize="none"
            required
            autofocus
            value={name}
            onInput={(event) => {
              name.value = event.currentTarget.value
            }}
          />
        </label>
        <label class="field">
          <span>{words.password}</span>
          <input
            class="input"
            type="password"
            name="password"
            autocomplete="current-password"
            required
            value={password}
            onInput={(event) => {
              password.value = event.currentTarget.value
            }}
          />
        </label>
        <p class="complaint" role="alert">
          {complaint}
        </p>
        <button type="submit" class="btn primary" disabled={isBusy}>
          {words.signIn} <Icon of={CornerDownLeft} />
        </button>
      </form>
    </main>
  )
}

function refusal(error: unknown): string {
  if (error instanceof ApiError && error.status === 401) return shell().wrong
  if (error instanceof ApiError && error.status === 403) return shell().blocked
  return problem(error)
}
