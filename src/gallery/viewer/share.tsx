import { useSignal } from '@preact/signals'
import { Share2 } from 'lucide'
import { useKeys } from '../base/keys/keys.ts'
import { Sharing } from '../sharing/index.tsx'
import { oneFile } from '../tagging/index.ts'
import { share } from '../text/share.ts'
import { Tool } from './tools.tsx'

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
      <Tool label={share().share} icon={Share2} act={open} />
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
