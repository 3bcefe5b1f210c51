import { useSignal } from '@preact/signals'
import { Share2 } from 'lucide'
import { useKeys } from '../base/keys.ts'
import { Tool } from '../parts/tool.tsx'
import { Sharing } from '../sharing/index.tsx'
import { oneFile } from '../tag-box/index.ts'
import { common } from '../text/common.ts'
import { viewer } from '../text/viewer.ts'
import type { Place } from './facts.ts'

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
