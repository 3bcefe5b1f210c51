import { useSignal } from '@preact/signals'
import { Eye } from 'lucide'
import { act, api } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { session } from '../base/session.ts'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { toast } from '../parts/toast.tsx'
import { account as text } from '../text/account.ts'
import { common } from '../text/common.ts'
import { problem } from '../text/problem.ts'

/** Asks for the user's password and a new one. */
export function ChangePassword({ onClose, onDone }: { onClose(): void; onDone?(): void }) {
  const words = text()
  const current = useSignal('')
  const next = useSignal('')
  const isSeen = useSignal(false)
  const complaint = useSignal('')
  const isBusy = useSignal(false)

  const submit = async () => {
    if (isBusy.value) return
    isBusy.value = true
    complaint.value = ''
    try {
      const body = { password: next.value, current_password: current.value }
      await act(api.PATCH('/api/v1/users/me', { body }))
      toast({ text: words.changed })
      onClose()
      onDone?.()
    } catch (reason) {
      const isWrong = reason instanceof ApiError && reason.status === 403
      complaint.value = isWrong ? words.wrong : problem(reason)
    }
    isBusy.value = false
  }

  const typed = {
    id: 'new-password',
    class: 'input',
    autocomplete: 'new-password' as const,
    required: true,
    value: next,
    onInput({ currentTarget }: { currentTarget: HTMLInputElement }) {
      next.value = currentTarget.value
    },
  }
  return (
    <Dialog
      title={words.change}
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <button type="button" class="btn" onClick={onClose}>
            {common().cancel}
          </button>
          <button type="submit" class="btn primary" disabled={isBusy}>
            {words.change}
          </button>
        </>
      }
    >
      <input
        type="hidden"
        name="username"
        autocomplete="username"
        value={session.value!.user.name}
      />
      <label class="field">
        <span>{words.current}</span>
        <input
          class="input"
          type="password"
          autocomplete="current-password"
          required
          autofocus
          value={current}
          onInput={({ currentTarget }) => {
            current.value = currentTarget.value
          }}
        />
      </label>
      <div class="line">
        <div class="field rest">
          <label for="new-password">{words.next}</label>
          {isSeen.value ? <input {...typed} type="text" /> : <input {...typed} type="password" />}
        </div>
        <button
          type="button"
          class="btn icononly show-password"
          aria-label={words.show}
          aria-pressed={isSeen}
          onClick={() => {
            isSeen.value = !isSeen.value
          }}
        >
          <Icon of={Eye} />
        </button>
      </div>
      <p class="muted small">{words.hint}</p>
      <p class="complaint" role="alert">
        {complaint}
      </p>
    </Dialog>
  )
}
