import { useSignal } from '@preact/signals'
import { keyTag } from '../base/settings/preferences.ts'
import { Chip } from '../parts/chip.tsx'
import { colorOf, KeyTagDialog, tagsById } from '../tagging/index.ts'
import { settings } from '../text/settings.ts'

/** Sets the tag that a single key adds and removes. */
export function KeyTag() {
  const words = settings()
  const isChoosing = useSignal(false)
  const tag = tagsById.value.get(keyTag.value)
  return (
    <div class="choice">
      <span>{words.keyTag}</span>
      <span class="chips">
        {tag ? <Chip color={colorOf(tag)}>{tag.name}</Chip> : words.noKeyTag}
        <button
          type="button"
          class="btn"
          onClick={() => {
            isChoosing.value = true
          }}
        >
          {words.chooseKeyTag}
        </button>
      </span>
      {isChoosing.value && (
        <KeyTagDialog
          onClose={() => {
            isChoosing.value = false
          }}
        />
      )}
    </div>
  )
}
