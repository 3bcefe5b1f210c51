import { useSignal } from '@preact/signals'
import { PasswordDialog, PasswordField } from '../parts/password.tsx'
import { people as text } from '../text/people.ts'
import { ToldOnce } from './told-once.tsx'
import { newPassword, type User } from './users.ts'

/** Gives a user another password, after confirmation; the server may require the admin's own. */
export function NewPassword({ user, onClose }: { user: User; onClose(): void }) {
  const words = text()
  const told = useSignal<string | null>(null)
  const isWanted = useSignal(false)
  const own = useSignal('')
  if (told.value !== null) {
    return <ToldOnce name={user.name} password={told.value} onClose={onClose} />
  }
  const send = async () => {
    told.value = await newPassword(user, isWanted.value ? own.value : undefined)
    isWanted.value = told.value === null
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
      {isWanted.value && <PasswordField label={words.yourPassword} value={own} isFirst />}
    </PasswordDialog>
  )
}
