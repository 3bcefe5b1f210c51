import { ListFilter } from 'lucide'
import { useLayoutEffect } from 'preact/hooks'
import { act, api } from '../../base/api.ts'
import { Icon } from '../../parts/icon.tsx'
import { complain, toast } from '../../parts/toast.tsx'
import { reloadPools } from '../../pool-box/index.ts'
import { go, listing } from '../../routes.ts'
import { common } from '../../text/common.ts'
import { smart } from '../../text/smart.ts'
import { filterNow } from './filter-now.ts'
import { changing, isSearch } from './search.ts'

/** Lets an album fill itself with what is shown, or goes back to it. */
export function Changing() {
  const words = smart()
  useLayoutEffect(
    () => () => {
      changing.value = null
    },
    [],
  )
  const { id, name } = changing.value ?? { id: '', name: '' }
  const { search } = listing.value
  const back = () => go({ path: `/albums/${id}`, listing: null, at: null })
  const save = async () => {
    const params = { path: { pool_id: id } }
    const body = { filter: filterNow() }
    const { operation } = await act(api.PATCH('/api/v1/pools/{pool_id}', { params, body }))
    toast({ text: words.isChanged(name), operation })
    reloadPools()
    back()
  }
  return (
    <div class="gap changing">
      <Icon of={ListFilter} />
      <span class="rest">
        <b>{words.changing(name)}</b> {search && words.nameNotKept(search)}
      </span>
      <button type="button" class="btn" onClick={back}>
        {common().cancel}
      </button>
      <button
        type="button"
        class="btn primary"
        disabled={!isSearch.value}
        onClick={() => void save().catch(complain)}
      >
        {words.save}
      </button>
    </div>
  )
}
