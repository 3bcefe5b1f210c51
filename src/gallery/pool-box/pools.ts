import { computed, signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { act, api, ask } from '../base/api.ts'
import { type Resource, resource } from '../base/resource.ts'
import { floods, returns } from '../base/returning.ts'
import { looksOnly } from '../base/session.ts'
import { allPages } from '../base/slices.ts'
import { undone } from '../base/undo/undo.ts'
import { indexTags } from '../tag-box/match.ts'

export type Pool = Schemas['Pool']

let created: Resource<Pool[]> | undefined

/** Counts the changes here to pools or to the files in them. */
const poolChanges = signal(0)

/** Returns all pools that the caller may see, the newest first; loaded on the first call. */
function all(): Resource<Pool[]> {
  created ??= resource(async (signal) => {
    // An undo, or a change elsewhere, may concern a pool or its files.
    void undone.value
    void [returns.value, floods.value]
    void poolChanges.value
    return allPages((page) => {
      const query = { ...page, sort: 'created', order: 'desc' } as const
      return ask(api.GET('/api/v1/pools', { params: { query }, signal }))
    })
  })
  return created
}

const NONE: Pool[] = []

/** All pools, the newest first; none before they are loaded. */
export const pools = computed(() => all().data.value ?? NONE)
export const arePoolsLoaded = computed(() => all().data.value !== undefined)
/** Why the pools could not be loaded. */
export const poolsError = computed(() => all().error.value)
/** Those to which the user may add files. */
export const editable = computed(() =>
  pools.value.filter((pool) => pool.may_edit && !pool.is_smart),
)
/** These, prepared for searching: among equally good names the newest pool comes first. */
export const poolIndex = computed(() => {
  const age = new Map(editable.value.map(({ id }, place) => [id, place]))
  return indexTags(editable.value, (id) => -age.get(id)!)
})

/** Whether the user may add files to a pool: to one that is there, or to a new one. */
export function mayPool(): boolean {
  return !looksOnly() || editable.value.length > 0
}

/** Reloads the pools, such as after a change to one of them. */
export function reloadPools(): void {
  poolChanges.value++
}

/**
 * Creates a pool, which fills itself if a filter is given; returns it, with the operation that can be undone. Throws an
 * ApiError.
 */
export async function createPool(
  name: string,
  filter: string | null = null,
): Promise<{ pool: Pool; operation: number | null }> {
  const body = { name, is_public: false, filter }
  const { data, operation } = await act(api.POST('/api/v1/pools', { body }))
  const { data: known, isLoading, reload } = all()
  if (known.peek()) known.value = [data, ...pools.peek()]
  // A list that is being loaded may have been read before the change.
  if (isLoading.peek() || !known.peek()) void reload()
  return { pool: data, operation }
}
