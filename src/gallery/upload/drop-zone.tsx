import { useSignalEffect } from '@preact/signals'
import { Upload } from 'lucide'
import { useEffect } from 'preact/hooks'
import { drops, isFileOver } from '../base/drops.ts'
import { holdPage } from '../base/leaving.ts'
import { Icon } from '../parts/icon.tsx'
import { upload as text } from '../text/upload.ts'
import { droppedFiles } from './pick.ts'
import { upload, watchUploads } from './uploads.ts'

/**
 * Uploads dropped and chosen files, including those from before it loaded, and shows where files may be
 * dropped.
 */
export function DropZone() {
  useEffect(watchUploads, [])
  useSignalEffect(() => {
    const dropped = drops.value
    if (dropped.length === 0) return
    drops.value = []
    for (const { entries, tagId } of dropped) {
      // Reading a large folder and looking up its files takes a while.
      const release = holdPage()
      void droppedFiles(entries)
        .then((files) => upload(files, tagId))
        .finally(release)
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
