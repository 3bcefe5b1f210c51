import { useSignal } from '@preact/signals'
import { type Keys, useKeys } from '../base/keys/keys.ts'
import { keyTag } from '../base/settings/preferences.ts'
import { OnDemand } from '../parts/on-demand.tsx'
import type { Tagger } from './change/tagger.ts'
import { recent } from './history.ts'
import { SLOTS } from './recent.ts'
import { areTagsLoaded, tagsById } from './tags.ts'

const keyTagDialog = async () => (await import('./key-tag.tsx')).KeyTagDialog

/** Registers the digits and `f` for their tags while it is mounted, and further keys. */
export function TagKeys({ tagger, more }: { tagger: Tagger; more: Keys }) {
  const isAsked = useSignal(false)
  const keys: Keys = {
    ...more,
    '0': () => void tagger.repeat(),
    f: () => {
      const id = keyTag.peek()
      const isGone = areTagsLoaded.peek() && !tagsById.peek().has(id)
      if (id === '' || isGone) isAsked.value = true
      else void tagger.toggle(id)
    },
  }
  for (let slot = 0; slot < SLOTS; slot++) {
    keys[slot + 1] = () => {
      const id = recent.peek().slots[slot]
      if (id !== undefined) void tagger.add([id])
    }
  }
  useKeys('tagging', keys)
  if (!isAsked.value) return null
  return (
    <OnDemand
      load={keyTagDialog}
      onClose={() => {
        isAsked.value = false
      }}
      onChosen={(id: string) => void tagger.add([id])}
    />
  )
}
