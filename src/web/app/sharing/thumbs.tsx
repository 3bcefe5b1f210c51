import { number } from '../base/format.ts'
import { mediaUrl } from '../base/media.ts'
import { useResource } from '../base/resource.ts'
import { readShown } from './read.ts'
import type { Subject } from './subject.ts'

/** How many have room, and on phones. */
const ROOM = { wide: 9, narrow: 6 }

/** The first pictures of what is shared, and how many more there are. */
export function Thumbs({ of, count }: { of: Subject; count: number }) {
  const shown = useResource((signal) => readShown(of, signal))
  if ('tag_id' in of || 'category_id' in of) return null
  const pictures = shown.data.value ?? []
  return (
    <div class="thumbs" aria-hidden="true">
      {(['wide', 'narrow'] as const).map((room) => {
        const isAll = count <= ROOM[room]
        const first = pictures.slice(0, isAll ? count : ROOM[room] - 1)
        return (
          <div key={room} class={room}>
            {first.map(({ id, v }) => (
              <img key={id} alt="" src={mediaUrl(id, 'thumbnail', v === undefined ? {} : { v })} />
            ))}
            {!isAll && <span class="num">+{number(count - first.length)}</span>}
          </div>
        )
      })}
    </div>
  )
}
