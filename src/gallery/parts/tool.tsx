import { ChevronLeft, ChevronRight, type IconNode } from 'lucide'
import { Icon } from './icon.tsx'

interface ToolProps {
  label: string
  icon: IconNode
  isOn?: boolean
  /** Of the icon. */
  look?: string
  /** Hidden where there is little room, because a gesture or the keyboard does the same. */
  isSpare?: boolean
  act(): void
}

/** A button of the bar above the picture. */
export function Tool({ label, icon, isOn, look, isSpare, act }: ToolProps) {
  return (
    <button
      type="button"
      class={isSpare ? 'tool spare' : 'tool'}
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      onClick={act}
    >
      <Icon of={icon} {...(look && { class: look })} />
    </button>
  )
}

/** A button at the side of the picture. */
export function Arrow({
  side,
  label,
  act,
}: {
  side: 'previous' | 'next'
  label: string
  act(): void
}) {
  return (
    <button type="button" class={`arrow ${side}`} aria-label={label} onClick={act}>
      <Icon of={side === 'previous' ? ChevronLeft : ChevronRight} />
    </button>
  )
}
