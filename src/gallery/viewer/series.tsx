import { type Signal, useSignal } from '@preact/signals'
import { Check } from 'lucide'
import { act, api } from '../base/api.ts'
import { useKeys } from '../base/keys.ts'
import { type Cell, isLocked } from '../base/listing.ts'
import { withFilms } from '../base/pairs.ts'
import type { Files } from '../grid/index.ts'
import { Icon } from '../parts/icon.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { viewer } from '../text/viewer.ts'
import { Layer } from './layer.tsx'
import { colourOf, thumbnail } from './subject.ts'

/** Returns the files of a file's series in their order, as far as they are loaded; none for a file in no series. */
export function seriesOf(files: Pick<Files, 'peek' | 'positionOf'>, id: string): Cell[] {
  const position = files.positionOf(id)
  const cell = position === null ? null : files.peek(position)
  if (position === null || cell === null || typeof cell.series !== 'number') return []
  const run = [cell]
  const follows = (at: number) => {
    const other = files.peek(at)
    return other?.series === cell.series ? other : null
  }
  for (let at = position - 1, other = follows(at); other; other = follows(--at)) run.unshift(other)
  for (let at = position + 1, other = follows(at); other; other = follows(++at)) run.push(other)
  return run
}

interface SeriesProps {
  files: Files
  cells: readonly Cell[]
  id: string
  onGo(id: string): void
}

/** Shows the files of a series, from which those to keep are chosen; the others go to the trash together. */
export function Series({ files, cells, id, onGo }: SeriesProps) {
  const words = viewer()
  const kept = useSignal<ReadonlySet<string>>(new Set())
  const own = cells.filter((cell) => !isLocked(cell))
  const chosen = cells.filter((cell) => kept.value.has(cell.id))
  const others = own.filter((cell) => !kept.value.has(cell.id))
  useKeys('series', { k: () => own.length > 0 && toggle(kept, id) })
  const keep = () => {
    if (!kept.peek().has(id)) onGo(chosen[0]!.id)
    return moveToTrash(
      files,
      others.map((cell) => cell.id),
    )
  }
  return (
    <section class="strip series" aria-label={words.series(cells.length)}>
      {cells.map((cell, at) => (
        <span key={cell.id}>
          <button
            type="button"
            tabIndex={-1}
            aria-current={cell.id === id ? 'true' : undefined}
            aria-label={cell.id === id ? words.shown : words.goTo}
            style={colourOf(cell)}
            onClick={() => onGo(cell.id)}
          >
            <Layer src={thumbnail(cell)} />
          </button>
          {own.length > 0 && (
            <button
              type="button"
              class="keep"
              aria-pressed={kept.value.has(cell.id)}
              aria-label={words.keep(at + 1)}
              title={words.keep(at + 1)}
              onClick={() => toggle(kept, cell.id)}
            >
              <Icon of={Check} />
            </button>
          )}
        </span>
      ))}
      {own.length > 1 && chosen.length === 0 && <p class="small">{words.tickToKeep}</p>}
      {chosen.length > 0 && others.length > 0 && (
        <button type="button" class="btn primary" onClick={() => void keep()}>
          {words.keepThese(chosen.length, others.length)}
        </button>
      )}
    </section>
  )
}

function toggle(kept: Signal<ReadonlySet<string>>, id: string): void {
  const next = new Set(kept.peek())
  if (!next.delete(id)) next.add(id)
  kept.value = next
}

async function moveToTrash(files: Files, ids: string[]): Promise<void> {
  const file_ids = withFilms(ids)
  files.remove(ids)
  try {
    const { operation } = await act(api.POST('/api/v1/files/bulk/delete', { body: { file_ids } }))
    toast({ text: viewer().seriesTrashed(ids.length), operation })
  } catch (error) {
    complain(error)
    await files.refresh().catch(complain)
  }
}
