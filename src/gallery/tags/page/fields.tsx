import { useSignal } from '@preact/signals'
import { ChevronRight, type IconNode, Pencil } from 'lucide'
import type { ComponentChildren, TargetedFocusEvent, TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Dot } from '../../parts/chip.tsx'
import { CloseButton } from '../../parts/close-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { tagPage } from '../../text/tag-page.ts'
import { close, isNarrow } from './state.ts'

interface TitleProps {
  name: string
  color: string | null
  children?: ComponentChildren
}

/** Shows the name of the open tag or category, and the button that closes it. */
export function Title({ name, color, children }: TitleProps) {
  return (
    <header>
      <Dot color={color} />
      <h2>{name}</h2>
      {children}
      <CloseButton onClose={close} />
    </header>
  )
}

interface TextProps {
  label: string
  value: string
  hasLines?: boolean
  onLeave(text: string): void
}

/** A text field that is saved on leaving it; Escape reverts it. */
export function Text({ label, value, hasLines = false, onLeave }: TextProps) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const element = field.current!
    // What the user types meanwhile stays.
    if (element.value === element.defaultValue) element.value = value
    element.defaultValue = value
  }, [value])
  type Field = HTMLInputElement | HTMLTextAreaElement
  const shared = {
    class: 'input',
    'aria-label': label,
    onBlur({ currentTarget }: TargetedFocusEvent<Field>) {
      const text = currentTarget.value.trim()
      currentTarget.value = value
      if (text !== value) onLeave(text)
    },
    onKeyDown(event: TargetedKeyboardEvent<Field>) {
      const { currentTarget, key } = event
      if (key === 'Enter' && (!hasLines || event.ctrlKey)) currentTarget.blur()
      if (key !== 'Escape') return
      // Otherwise the whole panel would close.
      event.preventDefault()
      event.stopPropagation()
      currentTarget.value = value
      currentTarget.blur()
    },
  }
  return hasLines ? (
    <textarea ref={field} rows={2} defaultValue={value} {...shared} />
  ) : (
    <input ref={field} type="text" maxLength={256} defaultValue={value} {...shared} />
  )
}

interface NotesProps {
  value: string | null
  onLeave(notes: string | null): void
}

/** The notes of a tag or category, which are saved on leaving them. */
export function Notes({ value, onLeave }: NotesProps) {
  const words = tagPage()
  return (
    <Fold icon={Pencil} label={words.notes} hint={value ?? ''}>
      <div class="field">
        <span aria-hidden="true">{words.notes}</span>
        <Text
          label={words.notes}
          value={value ?? ''}
          hasLines
          onLeave={(text) => onLeave(text || null)}
        />
      </div>
    </Fold>
  )
}

interface FoldProps {
  icon: IconNode
  label: string
  hint?: string
  isOpen?: boolean
  children: ComponentChildren
}

/** A part of the panel; on phones, a line that opens it. */
export function Fold({ icon, label, hint, isOpen: isOpenFirst = false, children }: FoldProps) {
  const isOpen = useSignal(isOpenFirst)
  if (!isNarrow.value) return <>{children}</>
  return (
    <div class="fold">
      <button
        type="button"
        class="line"
        aria-expanded={isOpen}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon of={icon} />
        {label}
        <span class="rest muted">{!isOpen.value && hint}</span>
        <Icon of={ChevronRight} />
      </button>
      {isOpen.value && children}
    </div>
  )
}
