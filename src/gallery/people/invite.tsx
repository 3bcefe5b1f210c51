import { useSignal } from '@preact/signals'
import { PasswordDialog, PasswordField } from '../parts/password.tsx'
import { people as text } from '../text/people.ts'
import { generatePassword } from './generated-password.ts'
import { PasswordOnce } from './new-password.tsx'
import { RoleChoice } from './role.tsx'
import { createUser, type Role, rightsOf } from './users.ts'

/** Creates a user with rights and a password, which is generated unless one is typed. */
export function Invite({ onClose }: { onClose(): void }) {
  const words = text()
  const name = useSignal('')
  const password = useSignal(generatePassword())
  const role = useSignal<Role>('creator')
  const isCreated = useSignal(false)
  if (isCreated.value) {
    return <PasswordOnce name={name.value} password={password.value} onClose={onClose} />
  }
  const send = async () => {
    await createUser({
      name: name.value,
      password: password.value,
      ...rightsOf(role.value),
    })
    isCreated.value = true
  }
  return (
    <PasswordDialog
      title={words.add}
      action={words.add}
      refusals={{ 409: words.taken }}
      send={send}
      onClose={onClose}
    >
      <label class="field">
        <span>{words.name}</span>
        <input
          class="input"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
          autofocus
          value={name}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value
          }}
        />
      </label>
      <PasswordField label={words.password} value={password} kind="given" />
      <RoleChoice
        role={role.value}
        onChange={(chosen) => {
          role.value = chosen
        }}
      />
    </PasswordDialog>
  )
}
