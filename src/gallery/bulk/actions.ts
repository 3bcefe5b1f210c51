import { api } from '../base/api.ts'
import { files } from '../grid/index.ts'
import { complain } from '../parts/toast.tsx'
import type { Target } from '../tagging/index.ts'
import { bulk } from '../text/bulk.ts'
import { run, takeOut } from './run.ts'
import { readCells } from './target.ts'
import { zonesOf } from './zones.ts'

/** One date for all files, or by how much each is shifted. */
type Dates = { set: { content_datetime: string } } | { shift_minutes: number }

/** Above this number of files, the listing is read again instead of each file. */
const FEW = 1000

/** Updates changed files in the grid. */
export function renew(ids: string[]): void {
  const reading = ids.length > FEW ? files.refresh() : files.renew(ids)
  reading.catch(complain)
}

export function review(target: Target): Promise<void> {
  return run(target, {
    change: (file_ids, send) => {
      const body = { file_ids, needs_review: false }
      return send(api.POST('/api/v1/files/bulk/review', { body }))
    },
    done: bulk().areReviewed,
    failed: bulk().notReviewed,
    after: renew,
  })
}

/** Moves files to the trash. */
export function trash(target: Target): Promise<void> {
  return takeOut(target, {
    change: (file_ids, send) => send(api.POST('/api/v1/files/bulk/delete', { body: { file_ids } })),
    done: bulk().areTrashed,
    failed: bulk().notTrashed,
  })
}

/** Sets a date that the local clock of each file then shows, or shifts the date of each. */
export function changeDates(target: Target, dates: Dates): Promise<void> {
  return run(target, {
    change: async (file_ids, send) => {
      const update = (file_ids: string[], dates: Dates) =>
        send(api.POST('/api/v1/files/bulk/update', { body: { file_ids, ...dates } }))
      const { skipped_ids } = await update(file_ids, dates)
      if (!('set' in dates)) return
      // Each file keeps its zone, which the page can find out only once all have the same instant.
      const skipped = new Set(skipped_ids)
      const changed = file_ids.filter((id) => !skipped.has(id))
      const read = (query: { from: string; to: string; cursor?: string }) =>
        readCells({ ...query, sort: 'content_datetime', order: 'asc' })
      const zones = await zonesOf(changed, dates.set.content_datetime, read)
      for (const [shift_minutes, ids] of zones) await update(ids, { shift_minutes })
    },
    done: bulk().areDated,
    failed: bulk().notDated,
    after: () => void files.refresh().catch(complain),
  })
}
