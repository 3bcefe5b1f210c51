import { X } from 'lucide'
import { common } from '../text/common.ts'
import { Icon } from './icon.tsx'

/** A cross that closes what it stands in. */
export function CloseButton({ onClose }: { onClose(): void }) {
  return (
    <button
      type="button"
      class="btn quiet icononly"
      aria-label={common().close}
      onClick={() => onClose()}
    >
      <Icon of={X} />
    </button>
  )
}
