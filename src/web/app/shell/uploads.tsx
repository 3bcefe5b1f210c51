import { useEffect, useRef } from 'preact/hooks'
import { Chip } from '../parts/chip.tsx'
import { colorOf, TagBox, tagsById } from '../tagging/index.ts'
import { shell } from '../text/shell.ts'
import { batch, chooseTag, DropZone, UploadPanel } from '../upload/index.ts'

/** What takes dropped files anywhere, and tells how far they are. */
export function Uploads() {
  return (
    <>
      <DropZone />
      <UploadPanel picker={<BatchTags />} />
    </>
  )
}

/** The tags that all files of the list get. */
function BatchTags() {
  const ids = batch.tags.value
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // On a phone, the keyboard would cover the list.
    if (!matchMedia('(pointer: coarse)').matches) input.current!.focus()
  }, [])
  return (
    <div class="batch">
      {ids.length > 0 && (
        <div class="chips">
          {ids.map((id) => {
            const tag = tagsById.value.get(id)
            if (!tag) return null
            return (
              <Chip
                key={id}
                color={colorOf(tag)}
                removeLabel={shell().leaveOut(tag.name)}
                onRemove={() => {
                  batch.set(ids.filter((other) => other !== id))
                }}
              >
                {tag.name}
              </Chip>
            )
          })}
        </div>
      )}
      <TagBox
        input={input}
        present={new Set(ids)}
        onPick={chooseTag}
        onLeave={() => input.current?.blur()}
      />
    </div>
  )
}
