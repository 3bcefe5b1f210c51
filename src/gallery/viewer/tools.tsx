import { useSignal } from '@preact/signals'
import { ChevronLeft, ChevronRight, type IconNode, Share2 } from 'lucide'
import { useKeys } from '../base/keys.ts'
import { Icon } from '../parts/icon.tsx'
import { Sharing } from '../sharing/index.tsx'
import { oneFile } from '../tag-box/index.ts'
import { common } from '../text/common.ts'
import { viewer } from '../text/viewer.ts'
import type { Place } from './facts.ts'

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

/** A link to a public map, which learns of the place only when somebody follows it. */
export function PlaceLink({ place }: { place: Place }) {
  return (
    <a
      class="place"
      href={place.map}
      target="_blank"
      rel="noreferrer noopener"
      title={`${viewer().showOnMap}: ${place.position}`}
    >
      {place.name}
    </a>
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

/** The button, with its key, that opens the sharing of the file. */
export function ShareTool({ id, onShared }: { id: string; onShared(): void }) {
  // The file that is shared, which stays the same while the dialog is open.
  const shared = useSignal<string | null>(null)
  const open = () => {
    shared.value = id
  }
  useKeys('viewer-share', { s: open })
  return (
    <>
      <Tool label={common().share} icon={Share2} act={open} />
      {shared.value !== null && (
        <Sharing
          of={{ files: oneFile(shared.value) }}
          onShared={onShared}
          onClose={() => {
            shared.value = null
          }}
        />
      )}
    </>
  )
}
