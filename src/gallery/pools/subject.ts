import { computed, type ReadonlySignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { act, api, ask } from '../base/api.ts'
import { type Resource, resource } from '../base/resource.ts'
import { settled } from '../base/settled.ts'
import { remember, undone } from '../base/undo/undo.ts'
import { complain, toast } from '../parts/toast.tsx'
import { type Pool, reloadPools } from '../pool-box/index.ts'
import { replace } from '../routes.ts'
import { pools as text } from '../text/pools.ts'
import { COVER } from './album.ts'

export type PoolSort = Pool['sort_key']

/** The pool that is shown. */
export interface Subject {
  loaded: Resource<Pool>
  /** Whether the caller may change it; null until that is known. */
  mayEdit: ReadonlySignal<boolean | null>
  /** Changes it; returns whether that succeeded. */
  change(update: {
    name?: string
    notes?: string | null
    sort_key?: PoolSort
    sort_order?: 'asc' | 'desc'
  }): Promise<boolean>
  /** Makes a file of it its cover. Throws an ApiError. */
  setCover(file: string): Promise<void>
}

/** Returns the pool with an id, for as long as the component is mounted. */
export function useSubject(id: string): Subject {
  const subject = useMemo(() => createSubject(id), [id])
  useEffect(() => () => subject.loaded.dispose(), [subject])
  return subject
}

function createSubject(id: string): Subject {
  const params = { path: { pool_id: id } }
  const loaded = resource((signal) => {
    // What comes into it or goes changes its number and its cover, wherever that is done.
    void [undone.value, settled.value]
    return ask(api.GET('/api/v1/pools/{pool_id}', { params, signal }))
  })
  const show = (pool: Pool) => {
    loaded.data.value = pool
    reloadPools()
  }
  return {
    loaded,
    mayEdit: computed(() => loaded.data.value?.may_edit ?? null),
    async change(body) {
      try {
        const call = api.PATCH('/api/v1/pools/{pool_id}', { params, body })
        const { data, operation } = await act(call)
        if (operation) remember(operation)
        show(data)
        return true
      } catch (error) {
        complain(error)
        return false
      }
    },
    async setCover(file) {
      // The rest of it is that of others, who may have changed it.
      const { metadata } = await ask(api.GET('/api/v1/pools/{pool_id}', { params }))
      const body = { metadata: { ...metadata, [COVER]: file } }
      const call = api.PATCH('/api/v1/pools/{pool_id}', { params, body })
      const { data, operation } = await act(call)
      toast({ text: text().isCover, operation })
      show(data)
    },
  }
}

/** Shows the files of the pool of the address in an order, whatever its own is. */
export function showOrder(sort: PoolSort, order: 'asc' | 'desc'): void {
  // The address doesn't mention the manual order.
  const next = sort === 'manual' ? { sort: undefined, order: undefined } : { sort, order }
  replace({ listing: next, at: null })
}
