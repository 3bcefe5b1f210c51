import { AppError } from '../base/errors.ts'
import { createRuns, type Starter } from '../base/runs.ts'
import { type Clock, isoTime } from '../base/time.ts'
import { LIBRARY_FILE } from '../exports/library-format.ts'
import { REFUSED_KEPT } from '../http/run-state.ts'
import { REASONS } from './reasons.ts'
import type { ImportEvent, ImportOptions, ImportState } from './schema.ts'

interface Imports {
  /** Yields the events of an import, which ends with `done` after the file at which `ended` is aborted. */
  watch(
    by: Starter,
    options: Pick<ImportOptions, 'dry_run'>,
    importing: (ended: AbortSignal) => AsyncIterable<ImportEvent>,
  ): AsyncGenerator<ImportEvent>
  /** Returns the progress of the present import, or the result of the last one. */
  state(): Omit<ImportState, 'background'>
  /** Ends the present import. Throws conflict when there is none. */
  end(by: Pick<Starter, 'name'>): void
}

/** Returns the imports of this process, of which none has run yet. */
export function createImports(clock: Clock): Imports {
  const runs = createRuns<ImportEvent>(clock)
  let ending = new AbortController()
  let tallies: ImportState['tallies'] = null
  let refused: ImportState['refused'] = []
  let dry_run = false

  async function* noted(
    events: AsyncIterable<ImportEvent>,
    options: Pick<ImportOptions, 'dry_run'>,
  ): AsyncGenerator<ImportEvent> {
    const tally = { total: 0, imported: 0, skipped: 0, errors: 0 }
    tallies = tally
    refused = []
    dry_run = options.dry_run
    for await (const event of events) {
      if (event.type === 'start') tally.total = event.total!
      if (event.type === 'file') note(tally, event)
      yield event
    }
  }
  const note = (tally: NonNullable<typeof tallies>, event: ImportEvent) => {
    const { filename, status, reason } = event
    // It is no picture, and comes last.
    if (status === 'imported' && filename === LIBRARY_FILE) {
      tally.total--
      return
    }
    tally[status === 'error' ? 'errors' : status!]++
    // A sidecar is no file that stays behind, and there may be one for each file.
    if (status === 'imported' || reason === REASONS.sidecar) return
    refused.push({ filename: filename!, status: status!, reason: reason! })
    if (refused.length > REFUSED_KEPT) refused.shift()
  }

  return {
    watch(by, options, importing) {
      ending = new AbortController()
      return runs.watch(by, noted(importing(ending.signal), options))
    },
    state() {
      const { state, started_at, by, progress } = runs.last()
      const began = started_at === null ? null : isoTime(started_at)
      return { state, started_at: began, by, progress, tallies, refused, dry_run }
    },
    end({ name }) {
      if (runs.last().state !== 'running') {
        throw new AppError('conflict', 'No import of this server is running')
      }
      ending.abort(`ended by ${name}`)
    },
  }
}
