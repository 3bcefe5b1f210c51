import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'
import { untilBack } from '../base/connection.ts'
import { ApiError } from '../base/error.ts'
import type { Cell } from '../base/listing.ts'
import { useResource } from '../base/resource.ts'
import { undone } from '../base/undo/undo.ts'
import type { Files } from '../grid/index.ts'
import { Unread } from '../parts/instead.tsx'
import { viewer } from '../text/viewer.ts'
import { Layer } from './layer.tsx'
import { colourOf, thumbnail } from './subject.ts'

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
          style={colourOf(cell)}
          onClick={() => onGo(cell.id)}
        >
          <Layer src={thumbnail(cell)} />
        </button>
      ))}
    </nav>
  )
}

/** Shows the files that look like one, nearest first; another file needs another key. */
export function Alike({ id }: { id: string }) {
  const words = viewer()
  const { data, error, reload } = useResource(async (signal) => {
    // An undo may bring one back.
    void undone.value
    const params = { path: { file_id: id } }
    const call = api.GET('/api/v1/files/{file_id}/similar', { params, signal })
    return (await ask(call)).items.map(({ file }) => file)
  })
  const files = data.value
  return (
    <section class="strip alike" aria-label={words.alike}>
      <p role="status">{files && words.alikeFound(files.length)}</p>
      {!files && <Unread error={error.value} retry={() => void reload()} />}
      {files?.map((file) => (
        <LookAlike key={file.id} file={file} />
      ))}
    </section>
  )
}

function LookAlike({ file: { id, original_name, mime_type, version } }: { file: Schemas['File'] }) {
  const words = viewer()
  const name = original_name ?? (mime_type.startsWith('video/') ? words.film : words.picture)
  // The listing may be without it; all photos have it, and the browser's back returns to the listing.
  return (
    <a href={`/f/${id}`} title={name}>
      <Layer src={thumbnail({ id, version })} alt={name} />
    </a>
  )
}

/** The files before and after one; null at the ends, and until they are loaded. */
export interface Neighbours {
  previous: Cell | null
  next: Cell | null
}

/** Returns the files before and after a file, as far as they are loaded. */
export function useNeighbours(files: Files, id: string): Neighbours {
  const found = useSignal<(Neighbours & { of: string }) | null>(null)
  const position = files.positionOf(id)
  useEffect(() => {
    let isWanted = true
    const look = async () => {
      // This loads them for the strip as well.
      await files.locate(id)
      const neighbours = await files.neighbours(id)
      if (isWanted) found.value = { of: id, ...neighbours }
    }
    const attempt = (): Promise<void> =>
      look().catch(async (error) => {
        if (!(error instanceof ApiError)) throw error
        const isLost = error.code === 'no_connection' && (await untilBack())
        if (isLost && isWanted) await attempt()
      })
    void attempt()
    return () => {
      isWanted = false
    }
  }, [files, id, files.total.value, position === null])
  if (position !== null) {
    const previous = position > 0 ? files.peek(position - 1) : null
    const next = files.peek(position + 1)
    const isWhole = (previous || position === 0) && (next || position + 1 === files.total.value)
    if (isWhole) return { previous, next }
  }
  return found.value?.of === id ? found.value : { previous: null, next: null }
}
