import { useSignal } from '@preact/signals'
import { CornerDownLeft } from 'lucide'
import { signIn, signOut } from '../base/session.ts'
import { Icon, Mark } from '../parts/icon.tsx'
import { PasswordDialog, PasswordField, useSubmit } from '../parts/password.tsx'
import { shell } from '../text/shell.ts'
import { signIn as text } from '../text/sign-in.ts'

/** The screen for users that aren't signed in. */
export function SignIn() {
  const name = useSignal('')
  const password = useSignal('')
  const words = text()
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

/** Asks for the password when the session has ended, above the page, which stays as it is. */
export function PasswordInPlace({ name }: { name: string }) {
  const password = useSignal('')
  const words = text()
  return (
    <PasswordDialog
      title={words.passwordPlease}
      role="alertdialog"
      action={
        <>
          {words.goOn} <Icon of={CornerDownLeft} />
        </>
      }
      other={{ text: shell().signOut, act: signOut }}
      username={name}
      refusals={{ 401: words.wrongPassword, 403: words.blocked }}
      send={() => signIn(name, password.value)}
      onClose={() => {}}
    >
      <p>{words.sessionEnded(name)}</p>
      <PasswordField label={words.password} value={password} isFirst />
    </PasswordDialog>
  )
}
