import type { Schemas } from '../../client/index.ts'
import { Chip } from '../parts/chip.tsx'
import { tagging } from '../text/tagging.ts'
import { viewer } from '../text/viewer.ts'

/** Shows the tags of a file that the caller may not change, and the reason. */
export function LockedTags({ file }: { file: Schemas['File'] }) {
  const { tags } = tagging()
  return (
    <section class="tagging" aria-label={tags}>
      <h2>{tags}</h2>
      {file.tags.length > 0 && (
        <div class="chips">
          {file.tags.map(({ id, name }) => (
            <Chip key={id}>{name}</Chip>
          ))}
        </div>
      )}
      <p class="muted small">{viewer().locked(file.creator_name)}</p>
    </section>
  )
}
