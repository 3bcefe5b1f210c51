import { number } from '../base/format.ts'
import { mediaUrl } from '../base/media.ts'
import { duplicates } from '../text/duplicates.ts'
import type { Group } from './groups.ts'
import type { Pair } from './sides.ts'

interface OthersProps {
  group: Group
  pair: Pair
  choose(place: number): void
}

/** Shows the first nine files of a group with the digits that select them. */
export function Others({ group, pair, choose }: OthersProps) {
  const words = duplicates()
  return (
    <nav class="others" aria-label={words.others}>
      {group.files.slice(0, 9).map((file, place) => (
        <button
          key={file.id}
          type="button"
          aria-pressed={file.id === pair.left.id || file.id === pair.right.id}
          aria-label={words.file(number(place + 1), file.original_name ?? words.unnamed)}
          onClick={() => choose(place)}
        >
          <img src={mediaUrl(file.id, 'thumbnail', { v: file.version })} alt="" />
          <b aria-hidden="true">{place + 1}</b>
        </button>
      ))}
    </nav>
  )
}
