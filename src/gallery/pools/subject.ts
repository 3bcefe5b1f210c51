import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { act, api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { type Resource, resource } from '../base/resource.ts'
import { returns } from '../base/returning.ts'
import { session } from '../base/session.ts'
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
  // Whether another user's pool may be edited, according to the last attempt.
  const isShared = signal<boolean | null>(null)
  const isOwn = ({ creator_id }: Pool) => {
    const { user } = session.value!
    return user.is_admin || creator_id === user.id
  }
  const loaded = resource(async (signal) => {
    void undone.value
    void returns.value
    const pool = await ask(api.GET('/api/v1/pools/{pool_id}', { params, signal }))
    if (!isOwn(pool)) isShared.value = await mayChange(id, signal)
    return pool
  })
  return {
    loaded,
    mayEdit: computed(() => {
      const pool = loaded.data.value
      return pool ? isOwn(pool) || isShared.value : null
    }),
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

/**
 * The API reveals whether the caller may edit a pool only in response to an edit; this one changes
 * nothing.
 */
async function mayChange(pool_id: string, signal: AbortSignal): Promise<boolean> {
  try {
    const params = { path: { pool_id } }
    await ask(api.PATCH('/api/v1/pools/{pool_id}', { params, body: {}, signal }))
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return false
    throw error
  }
}

/** Shows the files of the pool of the address in an order, whatever its own is. */
export function showOrder(sort: PoolSort, order: 'asc' | 'desc'): void {
  // The address doesn't mention the manual order.
  const next = sort === 'manual' ? { sort: undefined, order: undefined } : { sort, order }
  replace({ listing: next, at: null })
}
