import { whereOf } from '../parts/near.ts'
import type { Columns } from './listing/columns.ts'

/** Says in the heading of a day where its files were taken. */
export function Where({ places }: { places: NonNullable<Columns['near']> }) {
  const where = whereOf(places)
  return where && <span class="muted small where">{where}</span>
}
