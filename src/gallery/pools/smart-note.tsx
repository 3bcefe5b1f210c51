import { ListFilter } from 'lucide'
import { changeSearch, loadFilterWords } from '../filter/index.ts'
import { Icon } from '../parts/icon.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import type { Pool } from '../pool-box/index.ts'
import { smart } from '../text/smart.ts'

/** Says what an album fills itself with, and lets those who may edit it change that. */
export function SmartNote({ pool }: { pool: Pool }) {
  const words = smart()
  const { filter } = pool
  return (
    <div class="gap smart">
      <Icon of={ListFilter} />
      {filter === null ? (
        <span class="rest">{words.fillsForYou}</span>
      ) : (
        <>
          <span class="rest sentence">
            {words.fills} <OnDemand load={loadFilterWords} filter={filter} />
          </span>
          <button type="button" class="btn" onClick={() => changeSearch(pool)}>
            {words.change}
          </button>
        </>
      )}
    </div>
  )
}
