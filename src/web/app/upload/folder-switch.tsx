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
  return (
    <div class="batch">
      <Switch
        label={words.byFolders}
        hint={list(names)}
        isOn={folderTags.isOn.value}
        // Which tags there are has to be known.
        isDisabled={!areTagsLoaded.value}
        onChange={(isOn) => void tagByFolders(isOn)}
      />
      {unfit.length > 0 && <p class="muted small">{words.noTags(list(unfit))}</p>}
    </div>
  )
}

/** Returns names in a line, the first ones when there are many. */
function list(names: string[]): string {
  const shown = names.slice(0, SHOWN).join(', ')
  const left = names.length - SHOWN
  return left > 0 ? `${shown} ${text().more(left)}` : shown
}
