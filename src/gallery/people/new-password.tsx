import { useSignal } from '@preact/signals'
import { CopyField } from '../parts/copy-field.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { PasswordDialog, PasswordField } from '../parts/password.tsx'
import { Switch } from '../parts/switch.tsx'
import { people as text } from '../text/people.ts'
import { newPassword, type User } from './users.ts'

/** Gives a user another password, after confirmation; the server may require the admin's own. */
export function NewPassword({ user, onClose }: { user: User; onClose(): void }) {
  const words = text()
  const created = useSignal<string | null>(null)
  const isWanted = useSignal(false)
  const own = useSignal('')
  const endsKeys = useSignal(false)
  if (created.value !== null) {
    return <PasswordOnce name={user.name} password={created.value} onClose={onClose} />
  }
  const send = async () => {
    created.value = await newPassword(user, {
      end_keys: endsKeys.value,
      ...(isWanted.value && { current_password: own.value }),
    })
    isWanted.value = created.value === null
  }
  return (
    <PasswordDialog
      title={words.passwordQuestion(user.name)}
      role="alertdialog"
      action={words.newPassword}
      refusals={isWanted.value ? { 403: words.wrongPassword } : {}}
      send={send}
      onClose={onClose}
    >
      <p>{words.passwordWarning(user.name)}</p>
      <Switch
        label={words.endKeys(user.name)}
        isOn={endsKeys.value}
        onChange={(isOn) => {
          endsKeys.value = isOn
        }}
      />
      {isWanted.value && <PasswordField label={words.yourPassword} value={own} isFirst />}
    </PasswordDialog>
  )
}

interface PasswordOnceProps {
  name: string
  password: string
  onClose(): void
}

/** Shows a password that can't be shown again, to be copied. */
export function PasswordOnce({ name, password, onClose }: PasswordOnceProps) {
  const words = text()
  return (
    <Dialog
      title={words.passwordOf(name)}
      role="alertdialog"
      onClose={onClose}
      footer={
        // No form: a second Enter in a row must not close what is shown once.
        <button type="button" class="btn primary" onClick={onClose}>
          {words.noted}
        </button>
      }
    >
      <p>{words.shownOnce(name)}</p>
      <CopyField label={words.passwordOf(name)} value={password} />
    </Dialog>
  )
}
