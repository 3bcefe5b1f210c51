import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { common } from '../../text/common.ts'
import { Icon } from '../icon.tsx'
import { Modal } from './modal.tsx'

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
          {role === 'dialog' && (
            <button
              type="button"
              class="btn quiet icononly"
              aria-label={common().close}
              onClick={onClose}
            >
              <Icon of={X} />
            </button>
          )}
        </header>
        {children}
        {footer && <footer>{footer}</footer>}
      </Body>
    </Modal>
  )
}
