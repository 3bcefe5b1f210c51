import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { common } from '../text/common.ts'
import { pools } from '../text/pools.ts'
import { problem } from '../text/problem.ts'
import { Dialog } from './dialog.tsx'

interface NameDialogProps {
  title: string
  action: string
  name?: string
  /** The description, if that is asked for as well. */
  notes?: string
  /** Throws an error that is shown below. */
  onName(name: string, notes: string): Promise<void>
  onClose(): void
  children?: ComponentChildren
}

/** Asks for the name of an album, and for its description. */
export function NameDialog({
  title,
  action,
  onName,
  onClose,
  children,
  ...given
}: NameDialogProps) {
  const name = useSignal(given.name ?? '')
  const notes = useSignal(given.notes ?? '')
  const complaint = useSignal('')
  const isBusy = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    input.current!.focus()
    input.current!.select()
  }, [])
  const submit = async () => {
    if (isBusy.peek() || name.peek().trim() === '') return
    isBusy.value = true
    try {
      await onName(name.peek(), notes.peek())
    } catch (error) {
      complaint.value = problem(error)
    }
    isBusy.value = false
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <button type="button" class="btn quiet" onClick={onClose}>
            {common().cancel}
          </button>
          <button type="submit" class="btn primary" disabled={name.value.trim() === ''}>
            {action}
          </button>
        </>
      }
    >
      <label class="field">
        <span>{pools().name}</span>
        <input
          ref={input}
          class="input"
          maxLength={256}
          value={name}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value
          }}
        />
      </label>
      {given.notes !== undefined && (
        <label class="field">
          <span>{pools().notes}</span>
          <textarea
            class="input"
            rows={4}
            value={notes}
            onInput={({ currentTarget }) => {
              notes.value = currentTarget.value
            }}
          />
        </label>
      )}
      {children}
      <p class="complaint" role="alert">
        {complaint}
      </p>
    </Dialog>
  )
}
