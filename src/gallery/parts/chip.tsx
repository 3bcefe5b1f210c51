import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface ChipProps {
  children: ComponentChildren
  /** Of the dot before it, as `#rrggbb`; null for none of its own. */
  color?: string | null
  class?: string
  /** What taking it away is called, for screen readers; without it there is no such button. */
  removeLabel?: string
  onRemove?(): void
}

/** A small thing among others, such as a tag of a file. */
export function Chip({ children, color, class: extra, removeLabel, onRemove }: ChipProps) {
  return (
    <span class={extra ? `chip ${extra}` : 'chip'}>
      {color !== undefined && <Dot color={color} />}
      {children}
      {removeLabel !== undefined && (
        <button type="button" class="x" aria-label={removeLabel} onClick={onRemove}>
          <Icon of={X} />
        </button>
      )}
    </span>
  )
}

/** The dot of a tag or category in its colour. */
export function Dot({ color }: { color: string | null }) {
  return <span class="dot" style={color === null ? undefined : { '--c': color }} />
}
