import type { ReadonlySignal, Signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { api, ask, asOneChange } from '../base/api.ts'
import { inLanes } from '../base/slices.ts'
import { complainUnlessLost } from '../parts/toast.tsx'
import { readFile } from './facts.ts'
import { type Group, groupOf, nextPair } from './groups.ts'
import type { Held } from './held.ts'
import type { File, Pair } from './sides.ts'

type Ids = Schemas['DuplicateClusterIds']

/** How many clusters a page has; more are loaded when fewer than this are left. */
const PAGE = 8
const PREFETCH = 5
/** Settling a group while a page is being read moves the later ones up, so pages overlap. */
const OVERLAP = 3

/** What the queue knows: the loaded groups, and what was decided about them. */
export interface State {
  held: Held
  groups: Signal<Group[] | null>
  /** The pair that the user chose; null for the group's next one. */
  chosen: Signal<Pair | null>
  pair: ReadonlySignal<Pair | null>
  settledKeys: Signal<ReadonlySet<string>>
  /** How many groups the server has that are not loaded. */
  more: Signal<number>
  loading: Signal<'loading' | 'ready' | 'failed'>
  /** Files in the trash, as far as they were moved there on this page. */
  gone: Set<string>
  /** Operations whose undo is handled here. */
  own: Set<number>
  /** Decided, but may still be taken back. */
  withheld: Group | null
  turn: Promise<unknown>
  /** Counts evictions: a response to a request from before one is stale. */
  generation: number
  /** Whether a cluster of the last page has more files than it returned. */
  isGoingOn: boolean
}

/** Runs requests one after the other. Throws what `work` throws. */
export function inTurn<Result>(state: State, work: () => Promise<Result>): Promise<Result> {
  const done = asOneChange(state.turn.then(work))
  state.turn = done.catch(() => undefined)
  return done
}

/** Records whether a group is settled. */
export function setSettled({ settledKeys }: State, key: string, isSettled: boolean): void {
  const keys = new Set(settledKeys.peek())
  if (isSettled) keys.add(key)
  else keys.delete(key)
  settledKeys.value = keys
}

/** Loads more groups if few are left. */
export function prefetch(state: State): void {
  const count = state.groups.peek()!.length
  const isDue = count === 0 || (state.more.peek() > 0 && count < PREFETCH)
  if (isDue && state.loading.peek() !== 'loading') void load(state, count)
}

/** Reads what follows `count` groups; from the beginning if nothing loaded is left. */
export async function load(state: State, count: number): Promise<void> {
  const of = state.generation
  const isEmpty = () => (state.groups.peek() ?? []).length === 0
  state.loading.value = 'loading'
  const start = Math.max(0, count - OVERLAP)
  try {
    await take(state, start)
    if (isEmpty() && start > 0) await take(state, 0)
    for (let offset = PAGE; isEmpty() && state.more.peek() > 0; offset += PAGE) {
      await take(state, offset)
    }
    // The rest of a large cluster is readable once the server has the decision about it.
    if (isEmpty() && state.withheld && state.isGoingOn) {
      state.held.flush()
      await take(state, 0)
    }
    if (of === state.generation) state.loading.value = 'ready'
  } catch (error) {
    if (of !== state.generation) return
    state.loading.value = 'failed'
    complainUnlessLost(error)
  }
}

async function take(state: State, offset: number): Promise<void> {
  const { groups, generation } = state
  const query = { limit: PAGE, offset }
  const page = await inTurn(state, () =>
    ask(api.GET('/api/v1/files/duplicates/ids', { params: { query } })),
  )
  const found = await withFiles(unknown(page.items, knownFiles(state)))
  if (generation !== state.generation) return
  // More may be settled by now.
  const fresh = unknown(found, knownFiles(state)).map(groupOf).filter(nextPair)
  for (const { key } of fresh) setSettled(state, key, false)
  groups.value = [...(groups.peek() ?? []), ...fresh]
  state.isGoingOn = page.items.some(({ ids, file_count }) => ids.length < file_count)
  state.more.value = Math.max(0, page.total - offset - page.items.length)
}

function knownFiles({ groups, withheld, gone }: State): Set<string> {
  const shown = [...(groups.peek() ?? []), ...(withheld ? [withheld] : [])]
  return new Set([...gone, ...shown.flatMap(({ files }) => files.map(({ id }) => id))])
}

/** Returns the clusters that share no file with the cached ones. */
function unknown<Cluster extends Ids>(clusters: Cluster[], known: ReadonlySet<string>): Cluster[] {
  return clusters.filter(({ ids }) => !ids.some((id) => known.has(id)))
}

/** Returns clusters with their files, without those that are gone. Throws an ApiError. */
async function withFiles(clusters: Ids[]) {
  const files = new Map<string, File>()
  const read = async (id: string) => {
    const file = await readFile(id)
    if (file && !file.is_deleted) files.set(id, file)
  }
  const { signal } = new AbortController()
  const ids = clusters.flatMap((cluster) => cluster.ids)
  // The server rejects a client that sends hundreds of requests at once.
  const { error } = await inLanes(ids, read, { signal, onProgress: () => {} })
  if (error !== undefined) throw error
  return clusters.map((cluster) => ({
    ...cluster,
    files: cluster.ids.flatMap((id) => files.get(id) ?? []),
  }))
}
