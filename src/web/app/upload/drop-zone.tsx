import { useSignal } from '@preact/signals'
import { Upload } from 'lucide'
import { useEffect } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { upload as text } from '../text/upload.ts'
import { droppedFiles, wanted } from './pick.ts'
import { upload, watchUploads } from './uploads.ts'

/** Takes files that are dropped anywhere on the page, or pasted. */
export function DropZone() {
  const isOver = useSignal(false)
  useEffect(watchUploads, [])
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    let depth = 0
    const isOfFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const count = (by: number) => (event: DragEvent) => {
      if (!isOfFiles(event)) return
      depth += by
      isOver.value = depth > 0
    }
    addEventListener('dragenter', count(1), { signal })
    addEventListener('dragleave', count(-1), { signal })
    addEventListener('dragover', (event) => isOfFiles(event) && event.preventDefault(), { signal })
    addEventListener(
      'drop',
      (event) => {
        depth = 0
        isOver.value = false
        // A tag of the side bar takes what is dropped on it by itself.
        if (event.defaultPrevented || !isOfFiles(event)) return
        event.preventDefault()
        void droppedFiles(event.dataTransfer!).then(upload)
      },
      { signal },
    )
    addEventListener('paste', (event) => void upload(wanted(event.clipboardData?.files ?? [])), {
      signal,
    })
    return () => ended.abort()
  }, [])
  if (!isOver.value) return null
  return (
    <div class="drop">
      <Icon of={Upload} />
      {text().dropHere}
    </div>
  )
}
