import type { Cell } from '../base/listing.ts'
import { mediaUrl } from '../base/media.ts'
import type { Files } from '../grid/index.ts'
import { viewer } from '../text/viewer.ts'

const REACH = 6

interface StripProps {
  files: Files
  id: string
  onGo(id: string): void
}

/** Shows the files around the current one, as far as they are loaded. */
export function Strip({ files, id, onGo }: StripProps) {
  const position = files.positionOf(id)
  if (position === null) return null
  const cells: Cell[] = []
  for (let at = Math.max(0, position - REACH); at <= position + REACH; at++) {
    const cell = files.peek(at)
    if (cell) cells.push(cell)
  }
  return (
    <nav class="strip" aria-label={viewer().strip}>
      {cells.map((cell) => (
        <button
          type="button"
          key={cell.id}
          // Arrow keys go from file to file, so a tab stop at each would only be in the way.
          tabIndex={-1}
          aria-current={cell.id === id ? 'true' : undefined}
          aria-label={cell.id === id ? viewer().shown : viewer().goTo}
          onClick={() => onGo(cell.id)}
        >
          <img src={mediaUrl(cell.id, 'thumbnail', { v: cell.version })} alt="" draggable={false} />
        </button>
      ))}
    </nav>
  )
}
