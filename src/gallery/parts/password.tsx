import { type Signal, useSignal } from '@preact/signals'
import { Eye } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { ApiError } from '../base/error.ts'
import { common } from '../text/common.ts'
import { problem } from '../text/problem.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'

/** What a refusal means, by its HTTP status. */
type Refusals = Record<number, string>

/**
 * Returns a function that calls `send` unless an earlier call is under way, whether one is, and in words
 * why the last one failed.
 */
export function useSubmit(send: () => Promise<unknown>, refusals: Refusals) {
  const complaint = useSignal('')
  const isBusy = useSignal(false)
  const submit = async () => {
    if (isBusy.value) return
    isBusy.value = true
    complaint.value = ''
    try {
      await send()
    } catch (error) {
      const known = error instanceof ApiError ? refusals[error.status] : undefined
      complaint.value = known ?? problem(error)
    }
    isBusy.value = false
  }
  return { submit, isBusy, complaint }
}

interface PasswordDialogProps {
  title: string
  role?: 'dialog' | 'alertdialog'
  /** What the submit button says. */
  action: ComponentChildren
  /** The other button; by default it closes the dialog. */
  other?: { text: string; act(): Promise<unknown> }
  /** Whose password it is, for the browser's password manager. */
  username?: string
  refusals: Refusals
  /** Throws an ApiError. */
  send(): Promise<unknown>
  onClose(): void
  children: ComponentChildren
}

/** A dialog with fields for passwords, which sends them and says why they are refused. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, role, action, other, username, refusals, send, onClose, children } = props
  const { submit, isBusy, complaint } = useSubmit(send, refusals)
  const leave = () =>
    other?.act().catch((error) => {
      complaint.value = problem(error)
    })
  return (
    <Dialog
      title={title}
      {...(role && { role })}
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <button
            type="button"
            class={other ? 'btn quiet' : 'btn'}
            // A second Enter in a row must not answer a question.
            autofocus={role === 'alertdialog'}
            onClick={other ? () => void leave() : onClose}
          >
            {other?.text ?? common().cancel}
          </button>
          <button type="submit" class="btn primary" disabled={isBusy}>
            {action}
          </button>
        </>
      }
    >
      {username !== undefined && (
        <input type="hidden" name="username" autocomplete="username" value={username} />
      )}
      {children}
      <p class="complaint" role="alert">
        {complaint}
      </p>
    </Dialog>
  )
}

/** How the browser fills a field in. */
const AUTOCOMPLETE = { current: 'current-password', new: 'new-password', given: 'off' } as const

interface PasswordFieldProps {
  label: string
  value: Signal<string>
  /** The user's own password, a new one that can be shown, or one that is given to somebody else. */
  kind?: keyof typeof AUTOCOMPLETE
  /** Whether it gets the focus when it appears. */
  isFirst?: boolean
}

/** A field for a password. */
export function PasswordField({ label, value, kind = 'current', isFirst }: PasswordFieldProps) {
  const id = useId()
  const isSeen = useSignal(kind === 'given')
  // The types of Preact don't allow a type that changes.
  const typed = {
    id,
    class: 'input',
    name: kind === 'current' ? 'password' : undefined,
    autocomplete: AUTOCOMPLETE[kind],
    autocapitalize: 'none' as const,
    spellcheck: false,
    required: true,
    autofocus: isFirst,
    ref: isFirst ? focus : null,
    value,
    onInput({ currentTarget }: { currentTarget: HTMLInputElement }) {
      value.value = currentTarget.value
    },
  }
  const field = (
    <div class={kind === 'new' ? 'field rest' : 'field'}>
      <label for={id}>{label}</label>
      {isSeen.value ? <input {...typed} type="text" /> : <input {...typed} type="password" />}
    </div>
  )
  if (kind !== 'new') return field
  return (
    <div class="line">
      {field}
      <button
        type="button"
        class="btn icononly show-password"
        aria-label={common().showPassword}
        aria-pressed={isSeen}
        onClick={() => {
          isSeen.value = !isSeen.value
        }}
      >
        <Icon of={Eye} />
      </button>
    </div>
  )
}

/** A stable function, so that it runs only once; `autofocus` only works when a dialog opens. */
const focus = (element: HTMLElement | null) => element?.focus()
