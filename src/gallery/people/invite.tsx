import { type Signal, useSignal } from '@preact/signals'
import { PasswordDialog, PasswordField } from '../parts/password.tsx'
import { Switch } from '../parts/switch.tsx'
import { people as text } from '../text/people.ts'
import { generatePassword } from './generated-password.ts'
import { PasswordOnce } from './new-password.tsx'
import { createUser } from './users.ts'

/** Creates a user with rights and a password, which is generated unless one is typed. */
export function Invite({ onClose }: { onClose(): void }) {
  const words = text()
  const name = useSignal('')
  const password = useSignal(generatePassword())
  const can_create = useSignal(true)
  const is_admin = useSignal(false)
  const isCreated = useSignal(false)
  if (isCreated.value) {
    return <PasswordOnce name={name.value} password={password.value} onClose={onClose} />
  }
  const send = async () => {
    await createUser({
      name: name.value,
      password: password.value,
      can_create: can_create.value,
      is_admin: is_admin.value,
    })
    isCreated.value = true
  }
  return (
    <PasswordDialog
      title={words.add}
      action={words.create}
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
      <Rights canCreate={can_create} isAdmin={is_admin} />
    </PasswordDialog>
  )
}

interface RightsProps {
  canCreate: Signal<boolean>
  isAdmin: Signal<boolean>
}

function Rights({ canCreate, isAdmin }: RightsProps) {
  const words = text()
  return (
    <div class="rights">
      <Switch
        label={words.canCreate}
        hint={words.canCreateHint}
        isOn={canCreate.value || isAdmin.value}
        isDisabled={isAdmin.value}
        onChange={(isOn) => {
          canCreate.value = isOn
        }}
      />
      <Switch
        label={words.isAdmin}
        hint={words.isAdminHint}
        isOn={isAdmin.value}
        onChange={(isOn) => {
          isAdmin.value = isOn
        }}
      />
    </div>
  )
}
