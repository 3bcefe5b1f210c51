import { Chip } from '../parts/chip.tsx'
import { colorOf, TagBox, tagsById } from '../tagging/index.ts'
import { shell } from '../text/shell.ts'
import { batchTags, DropZone, UploadPanel } from '../upload/index.ts'

/** What takes dropped files anywhere, and tells how far they are. */
export function Uploads() {
  return (
    <>
      <DropZone />
      <UploadPanel picker={<BatchTags />} />
    </>
  )
}

/** The tags that all files get which are sent from now on. */
function BatchTags() {
  const ids = batchTags.value
  return (
    <div class="batch">
      {ids.map((id) => {
        const tag = tagsById.value.get(id)
        if (!tag) return null
        return (
          <Chip
            key={id}
            color={colorOf(tag)}
            removeLabel={shell().leaveOut(tag.name)}
            onRemove={() => {
              batchTags.value = ids.filter((other) => other !== id)
            }}
          >
            {tag.name}
          </Chip>
        )
      })}
      <TagBox
        present={new Set(ids)}
        onPick={(id) => {
          batchTags.value = [...new Set([...batchTags.peek(), id])]
        }}
        onLeave={() => (document.activeElement as HTMLElement | null)?.blur()}
      />
    </div>
  )
}
