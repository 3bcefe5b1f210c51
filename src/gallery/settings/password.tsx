import { useSignal } from '@preact/signals'
import { act, api } from '../base/api.ts'
import { session } from '../base/session.ts'
import { PasswordDialog, PasswordField } from '../parts/password.tsx'
import { toast } from '../parts/toast.tsx'
import { account as text } from '../text/account.ts'

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
