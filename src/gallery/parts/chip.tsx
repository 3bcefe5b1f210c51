import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface ChipProps {
  children: ComponentChildren
  /** The colour of the dot, as `#rrggbb`; null for a dot without one. */
  color?: string | null
  class?: string
  /** Names the button that removes the chip, for screen readers; without it there is no button. */
  removeLabel?: string
  onRemove?(): void
}

/** Shows a small item among others, such as a tag of a file. */
export function Chip({ children, color, class: extra, removeLabel, onRemove }: ChipProps) {
  return (
    <span class={extra ? `chip ${extra}` : 'chip'}>
      {color !== undefined && <Dot color={color} />}
      {typeof children === 'string' ? <span>{children}</span> : children}
      {removeLabel !== undefined && (
        <button type="button" class="x" aria-label={removeLabel} onClick={onRemove}>
          <Icon of={X} />
        </button>
      )}
    </span>
  )
}

/** Shows the dot of a tag or category in its colour. */
export function Dot({ color }: { color: string | null }) {
  return <span class="dot" style={color === null ? undefined : { '--c': color }} />
}
