import { useSignalEffect } from '@preact/signals'
import { Upload } from 'lucide'
import { useEffect } from 'preact/hooks'
import { drops, isFileOver } from '../base/drops.ts'
import { Icon } from '../parts/icon.tsx'
import { upload as text } from '../text/upload.ts'
import { droppedFiles } from './pick.ts'
import { upload, watchUploads } from './uploads.ts'

/** Sends what was dropped or chosen, also before this was there, and tells where files may fall. */
export function DropZone() {
  useEffect(watchUploads, [])
  useSignalEffect(() => {
    const dropped = drops.value
    if (dropped.length === 0) return
    drops.value = []
    for (const { entries, tagId } of dropped) {
      void droppedFiles(entries).then((files) => upload(files, tagId))
    }
  })
  if (!isFileOver.value) return null
  return (
    <div class="drop">
      <Icon of={Upload} />
      {text().dropHere}
    </div>
  )
}
