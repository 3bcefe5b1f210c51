import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useKeys } from '../../base/keys/keys.ts'
import { Notices } from '../notices.tsx'

/** The modals that are open, the innermost last. */
const open = signal<HTMLDialogElement[]>([])

interface ModalProps {
  /** What it is, for screen readers. */
  label: string
  class?: string
  /** `alertdialog` for a question that has to be answered: a click beside it doesn't close it. */
  role?: 'dialog' | 'alertdialog'
  /** Wanted by Escape, or by a click beside it. */
  onClose(): void
  children: ComponentChildren
}

/**
 * Something above everything else, which can't be used meanwhile; while it is there, keys of what
 * is below do nothing. Where the focus was before, it is afterwards.
 */
export function Modal({ label, class: extra, role = 'dialog', onClose, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null)
  useKeys('modal', {}, { isModal: true })
  useLayoutEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    open.value = [...open.value, dialog]
    return () => {
      open.value = open.value.filter((other) => other !== dialog)
      dialog.close()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key is Escape, which is onCancel
    <dialog
      ref={ref}
      class={extra}
      role={role === 'dialog' ? undefined : role}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected || currentTarget.open) return
        // A second Escape in a row closes it unasked; whether it goes is up to who renders it.
        currentTarget.showModal()
        onClose()
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget && role === 'dialog') onClose()
      }}
    >
      {children}
      {open.value.at(-1) === ref.current && ref.current && <Notices />}
    </dialog>
  )
}

/** Whether anything is above the page itself. */
export function isModalOpen(): boolean {
  return open.value.length > 0
}
