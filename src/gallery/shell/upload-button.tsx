import { Camera, Folder, Images, Upload } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { takeFiles } from '../base/drops.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { upload as text } from '../text/upload.ts'

/** A button that asks for pictures: files, a folder, or on phones the camera. */
export function UploadButton() {
  const words = text()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const take = (input: HTMLInputElement) => {
    takeFiles([...(input.files ?? [])])
    // Otherwise choosing the same files again has no effect.
    input.value = ''
  }
  useEffect(() => {
    folder.current!.webkitdirectory = true
  }, [])
  const hasCamera = matchMedia('(pointer: coarse)').matches
  const common = {
    type: 'file',
    hidden: true,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => take(currentTarget),
  } as const
  return (
    <>
      <Menu
        label={words.upload}
        class="btn primary"
        items={[
          { text: words.chooseFiles, icon: Images, act: () => files.current!.click() },
          { text: words.chooseFolder, icon: Folder, act: () => folder.current!.click() },
          ...(hasCamera
            ? [{ text: words.takePicture, icon: Camera, act: () => camera.current!.click() }]
            : []),
        ]}
      >
        <Icon of={Upload} />
        <span class="wide">{words.upload}</span>
      </Menu>
      <input
        {...common}
        ref={files}
        multiple
        accept="image/*,video/*"
        aria-label={words.chooseFiles}
      />
      <input {...common} ref={folder} multiple aria-label={words.chooseFolder} />
      <input
        {...common}
        ref={camera}
        accept="image/*"
        capture="environment"
        aria-label={words.takePicture}
      />
    </>
  )
}
