import { useSignal } from '@preact/signals'
import { CornerDownLeft } from 'lucide'
import { signIn, signOut } from '../base/session.ts'
import { Icon } from '../parts/icon.tsx'
import { PasswordDialog, PasswordField } from '../parts/password.tsx'
import { shell } from '../text/shell.ts'

/** Asks for the password when the session has ended, above the page, which stays as it is. */
export function PasswordInPlace({ name }: { name: string }) {
  const password = useSignal('')
  const words = shell()
  return (
    <PasswordDialog
      title={words.passwordPlease}
      role="alertdialog"
      action={
        <>
          {words.goOn} <Icon of={CornerDownLeft} />
        </>
      }
      other={{ text: words.signOut, act: signOut }}
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
