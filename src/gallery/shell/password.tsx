import { useSignal } from '@preact/signals'
import { CornerDownLeft } from 'lucide'
import { ApiError } from '../base/error.ts'
import { signIn, signOut } from '../base/session.ts'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { problem } from '../text/problem.ts'
import { shell } from '../text/shell.ts'

/** Asks for the password when the session has ended, above the page, which stays as it is. */
export function PasswordInPlace({ name }: { name: string }) {
  const password = useSignal('')
  const complaint = useSignal('')
  const isBusy = useSignal(false)
  const words = shell()

  async function submit(): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    complaint.value = ''
    try {
      await signIn(name, password.value)
    } catch (error) {
      const status = error instanceof ApiError && error.status
      const known = status === 401 ? words.wrongPassword : status === 403 && words.blocked
      complaint.value = known || problem(error)
    }
    isBusy.value = false
  }

  const leave = () =>
    signOut().catch((error) => {
      complaint.value = problem(error)
    })

  return (
    <Dialog
      title={words.passwordPlease}
      role="alertdialog"
      onClose={() => {}}
      onSubmit={submit}
      footer={
        <>
          <button type="button" class="btn quiet" onClick={() => void leave()}>
            {words.signOut}
          </button>
          <button type="submit" class="btn primary" disabled={isBusy}>
            {words.goOn} <Icon of={CornerDownLeft} />
          </button>
        </>
      }
    >
      <p>{words.sessionEnded(name)}</p>
      <input type="hidden" name="username" autocomplete="username" value={name} />
      <label class="field">
        <span>{words.password}</span>
        <input
          class="input"
          type="password"
          name="password"
          autocomplete="current-password"
          required
          autofocus
          value={password}
          onInput={({ currentTarget }) => {
            password.value = currentTarget.value
          }}
        />
      </label>
      <p class="complaint" role="alert">
        {complaint}
      </p>
    </Dialog>
  )
}
