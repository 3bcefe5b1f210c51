import { Switch } from '../parts/switch.tsx'
import { areTagsLoaded } from '../tagging/index.ts'
import { upload as text } from '../text/upload.ts'
import { folderTags } from './choices.ts'
import { tagByFolders } from './uploads.ts'

/** How many names are shown. */
const SHOWN = 4

/** Whether files get tags of the names of the folders from which they came, if there are any. */
export function FolderSwitch() {
  const words = text()
  const names = folderTags.names.value
  const unfit = folderTags.unfit.value
  if (names.length === 0) return null
  const shown = names.slice(0, SHOWN).join(', ')
  return (
    <div class="batch">
      <Switch
        label={words.byFolders}
        hint={names.length > SHOWN ? `${shown} ${words.more(names.length - SHOWN)}` : shown}
        isOn={folderTags.isOn.value}
        // Which tags there are has to be known.
        isDisabled={!areTagsLoaded.value}
        onChange={(isOn) => void tagByFolders(isOn)}
      />
      {unfit.length > 0 && <p class="muted small">{words.noTags(unfit.join(', '))}</p>}
    </div>
  )
}
