import { useSignal } from '@preact/signals'
import { CornerDownLeft } from 'lucide'
import { signIn } from '../base/session.ts'
import { Icon } from '../parts/icon.tsx'
import { Mark } from '../parts/mark.tsx'
import { PasswordField, useSubmit } from '../parts/password.tsx'
import { shell } from '../text/shell.ts'

/** The screen for users that aren't signed in. */
export function SignIn() {
  const name = useSignal('')
  const password = useSignal('')
  const words = shell()
  const { submit, isBusy, complaint } = useSubmit(() => signIn(name.value, password.value), {
    401: words.wrong,
    403: words.blocked,
  })
  return (
    <main class="entrance">
      <form
        class="signin"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
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
        <PasswordField label={words.password} value={password} />
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
