import { useSignal } from '@preact/signals'
import { ApiError } from '../base/error.ts'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { common } from '../text/common.ts'
import { people as text } from '../text/people.ts'
import { problem } from '../text/problem.ts'
import { ToldOnce } from './told-once.tsx'
import { newPassword, type User } from './users.ts'

/** Gives a user another password, after confirmation; the server may require the admin's own. */
export function NewPassword({ user, onClose }: { user: User; onClose(): void }) {
  const words = text()
  const told = useSignal<string | null>(null)
  const isWanted = useSignal(false)
  const own = useSignal('')
  const complaint = useSignal('')
  const isBusy = useSignal(false)
  if (told.value !== null) {
    return <ToldOnce name={user.name} password={told.value} onClose={onClose} />
  }
  const submit = async () => {
    if (isBusy.value) return
    isBusy.value = true
    complaint.value = ''
    try {
      told.value = await newPassword(user, isWanted.value ? own.value : undefined)
      isWanted.value = told.value === null
    } catch (error) {
      const isWrong = isWanted.value && error instanceof ApiError && error.status === 403
      complaint.value = isWrong ? words.wrongPassword : problem(error)
    }
    isBusy.value = false
  }
  return (
    <Dialog
      title={words.passwordQuestion(user.name)}
      role="alertdialog"
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <button type="button" class="btn" onClick={onClose}>
            {common().cancel}
          </button>
          <button type="submit" class="btn primary" disabled={isBusy}>
            {words.newPassword}
          </button>
        </>
      }
    >
      <p>{words.passwordWarning(user.name)}</p>
      {isWanted.value && (
        <label class="field">
          <span>{words.yourPassword}</span>
          <input
            class="input"
            type="password"
            autocomplete="current-password"
            required
            ref={focus}
            value={own}
            onInput={({ currentTarget }) => {
              own.value = currentTarget.value
            }}
          />
        </label>
      )}
      <p class="complaint" role="alert">
        {complaint}
      </p>
    </Dialog>
  )
}

/** A stable function, so that it runs only once. */
const focus = (element: HTMLElement | null) => element?.focus()
