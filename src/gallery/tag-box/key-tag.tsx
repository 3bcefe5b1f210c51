import { useLayoutEffect, useRef } from 'preact/hooks'
import { keyTag } from '../base/preferences.ts'
import { Dialog } from '../parts/dialog.tsx'
import { tagBox } from '../text/tag-box.ts'
import { TagBox } from './box.tsx'

interface KeyTagDialogProps {
  onChosen?(id: string): void
  onClose(): void
}

const NONE: ReadonlySet<string> = new Set()

/** Asks for the tag that a single key adds and removes. */
export function KeyTagDialog({ onChosen, onClose }: KeyTagDialogProps) {
  const words = tagBox()
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])
  return (
    <Dialog title={words.keyTag} onClose={onClose}>
      <p class="muted">{words.keyTagHint}</p>
      <TagBox
        input={input}
        present={NONE}
        onPick={(id) => {
          keyTag.value = id
          onClose()
          onChosen?.(id)
        }}
        onLeave={onClose}
      />
    </Dialog>
  )
}
