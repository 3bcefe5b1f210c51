import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useKeys } from '../base/keys.ts'
import { common } from '../text/common.ts'
import { CloseButton } from './close-button.tsx'
import { open } from './modals.ts'
import { Notices } from './toast.tsx'

interface ModalProps {
  /** For screen readers. */
  label: string
  class?: string
  /** `alertdialog` for a question that has to be answered: a click outside doesn't close it. */
  role?: 'dialog' | 'alertdialog'
  /** Called on Escape, or a click outside. */
  onClose(): void
  children: ComponentChildren
}

/**
 * Shows content above everything else, which can't be used meanwhile; keys of what is below do nothing.
 * The focus returns afterwards to where it was.
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
        // The browser closes it on a second Escape in a row; reopen it, because the owner decides
        // whether it closes.
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

interface DialogProps {
  title: string
  /** `alertdialog` for a question that has to be answered. */
  role?: 'dialog' | 'alertdialog'
  class?: string
  onClose(): void
  children: ComponentChildren
  footer?: ComponentChildren
  /** Called by the submit button, or Enter in a field. */
  onSubmit?(): void
}

/** A dialog with a heading and buttons; it is open as long as it is rendered. */
export function Dialog(props: DialogProps) {
  const { title, role = 'dialog', children, footer, onClose, onSubmit } = props
  // The content may be a form of its own, and forms can't be nested.
  const Body = onSubmit ? 'form' : 'div'
  return (
    <Modal
      label={title}
      role={role}
      class={props.class ? `dialog ${props.class}` : 'dialog'}
      onClose={onClose}
    >
      <Body
        class="body"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit?.()
        }}
      >
        <header>
          <h2>{title}</h2>
          {role === 'dialog' && <CloseButton onClose={onClose} />}
        </header>
        {children}
        {footer && <footer>{footer}</footer>}
      </Body>
    </Modal>
  )
}

interface SureProps {
  title: string
  text: ComponentChildren
  /** What the button says. */
  act: string
  onClose(): void
  onSure(): void
}

/** Asks whether somebody is sure about what removes or ends something. */
export function Sure({ title, text: warning, act, onClose, onSure }: SureProps) {
  return (
    <Dialog
      title={title}
      role="alertdialog"
      onClose={onClose}
      onSubmit={onSure}
      footer={
        <>
          <button type="button" class="btn" onClick={onClose}>
            {common().cancel}
          </button>
          <button type="submit" class="btn stop">
            {act}
          </button>
        </>
      }
    >
      <p>{warning}</p>
    </Dialog>
  )
}
