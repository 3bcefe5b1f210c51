import { Grid } from '../../grid/index.ts'
import { OnDemand } from '../../parts/on-demand.tsx'
import { afterGrid } from '../after-grid.ts'
import { heading } from '../state.ts'

const tools = () => import('../tools.tsx')
const bar = async () => (await afterGrid(tools)).PhotosBar
const bulk = async () => (await afterGrid(tools)).BulkBar
const empty = async () => (await tools()).NoPhotos

/** The pictures and films of the listing of the address. */
export function Photos() {
  return (
    <>
      <OnDemand load={bar} before={<div class="bar" />} />
      <Grid label={heading.value} empty={<OnDemand load={empty} />} />
      <OnDemand load={bulk} />
    </>
  )
}
