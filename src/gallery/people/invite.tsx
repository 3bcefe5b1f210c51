import { useSignal } from '@preact/signals'
import { ApiError } from '../base/error.ts'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { Switch } from '../parts/switch.tsx'
import { common } from '../text/common.ts'
import { people as text } from '../text/people.ts'
import { problem } from '../text/problem.ts'
import { made } from './made.ts'
import { ToldOnce } from './told-once.tsx'
import { createUser } from './users.ts'

/** Creates a user with rights and a password, which is generated unless one is typed. */
export function Invite({ onClose }: { onClose(): void }) {
  const words = text()
  const name = useSignal('')
  const password = useSignal(made())
  const can_create = useSignal(true)
  const is_admin = useSignal(false)
  const complaint = useSignal('')
  const isBusy = useSignal(false)
  const isMade = useSignal(false)
  if (isMade.value) {
    return <ToldOnce name={name.value} password={password.value} onClose={onClose} />
  }
  const submit = async () => {
    if (isBusy.value) return
    isBusy.value = true
    complaint.value = ''
    try {
      await createUser({
        name: name.value,
        password: password.value,
        can_create: can_create.value,
        is_admin: is_admin.value,
      })
      isMade.value = true
    } catch (error) {
      const isTaken = error instanceof ApiError && error.status === 409
      complaint.value = isTaken ? words.taken : problem(error)
    }
    isBusy.value = false
  }
  const field = (label: string, value: { value: string }, isFirst: boolean) => (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        required
        autofocus={isFirst}
        value={value.value}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value
        }}
      />
    </label>
  )
  return (
    <Dialog
      title={words.add}
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <button type="button" class="btn" onClick={onClose}>
            {common().cancel}
          </button>
          <button type="submit" class="btn primary" disabled={isBusy}>
            {words.create}
          </button>
        </>
      }
    >
      {field(words.name, name, true)}
      {field(words.password, password, false)}
      <div class="rights">
        <Switch
          label={words.canCreate}
          hint={words.canCreateHint}
          isOn={can_create.value || is_admin.value}
          isDisabled={is_admin.value}
          onChange={(isOn) => {
            can_create.value = isOn
          }}
        />
        <Switch
          label={words.isAdmin}
          hint={words.isAdminHint}
          isOn={is_admin.value}
          onChange={(isOn) => {
            is_admin.value = isOn
          }}
        />
      </div>
      <p class="complaint" role="alert">
        {complaint}
      </p>
    </Dialog>
  )
}
