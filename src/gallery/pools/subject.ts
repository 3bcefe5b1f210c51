import { computed, type ReadonlySignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { act, api, ask } from '../base/api.ts'
import { type Resource, resource } from '../base/resource.ts'
import { returns } from '../base/returning.ts'
import { remember, undone } from '../base/undo/undo.ts'
import { complain } from '../parts/toast.tsx'
import { type Pool, reloadPools } from '../pool-box/index.ts'
import { replace } from '../routes.ts'

export type PoolSort = Pool['sort_key']

/** The pool that is shown. */
export interface Subject {
  loaded: Resource<Pool>
  /** Whether the caller may change it; null until that is known. */
  mayEdit: ReadonlySignal<boolean | null>
  /** Changes it; returns whether that succeeded. */
  change(update: {
    name?: string
    sort_key?: PoolSort
    sort_order?: 'asc' | 'desc'
  }): Promise<boolean>
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
    void undone.value
    void returns.value
    return ask(api.GET('/api/v1/pools/{pool_id}', { params, signal }))
  })
  return {
    loaded,
    mayEdit: computed(() => loaded.data.value?.may_edit ?? null),
    async change(body) {
      try {
        const call = api.PATCH('/api/v1/pools/{pool_id}', { params, body })
        const { data, operation } = await act(call)
        if (operation) remember(operation)
        loaded.data.value = data
        reloadPools()
        return true
      } catch (error) {
        complain(error)
        return false
      }
    },
  }
}

/** Shows the files of the pool of the address in an order, whatever its own is. */
export function showOrder(sort: PoolSort, order: 'asc' | 'desc'): void {
  // The address doesn't mention the manual order.
  const next = sort === 'manual' ? { sort: undefined, order: undefined } : { sort, order }
  replace({ listing: next, at: null })
}
