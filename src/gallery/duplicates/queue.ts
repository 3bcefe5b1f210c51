import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Answer, Schemas } from '../../client/index.ts'
import { act, api, ask, asOneChange } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { inLanes } from '../base/slices.ts'
import { remember, undone } from '../base/undo/undo.ts'
import { complain, complainUnlessLost } from '../parts/toast.tsx'
import { readFile } from './facts.ts'
import {
  apart,
  type Group,
  groupByHand,
  groupOf,
  nextPair,
  renewed,
  withChosen,
  without,
} from './groups.ts'
import type { Held } from './held.ts'
import { type Choices, type File, mergeOf, otherOf, type Pair, type Side } from './sides.ts'

/** The groups that are decided pair by pair. */
export interface Queue {
  /** The groups that are loaded and undecided, the current one first; null before the first page. */
  groups: ReadonlySignal<Group[] | null>
  /** Whether more is being loaded, or failed to load. */
  state: ReadonlySignal<'loading' | 'ready' | 'failed'>
  /** The current pair; null if nothing is left, or nothing is loaded yet. */
  pair: ReadonlySignal<Pair | null>
  settled: ReadonlySignal<number>
  /** The number of groups, including those that are settled. */
  total: ReadonlySignal<number>
  merge(kept: Side, choices: Choices): void
  /** Keeps both; they are never shown as a pair again. */
  keepBoth(): void
  trashBoth(): void
  /** Moves the group behind all others. */
  later(): void
  /** Shows another file of the group, by its place. */
  choose(place: number): void
  /** Puts files that are to be decided by hand before all others. */
  bring(files: File[]): void
  /** Reads the groups again, once all requests are done. */
  reload(): Promise<void>
  /** Evicts what is loaded, because files have changed elsewhere. */
  clear(): void
  dispose(): void
}

type Ids = Schemas['DuplicateClusterIds']

/** How many clusters a page has; more are loaded when fewer than this are left. */
const PAGE = 8
const PREFETCH = 5
/** Settling a group while a page is being read moves the later ones up, so pages overlap. */
const OVERLAP = 3

/** Creates the queue of groups of files that look alike. */
export function createQueue(held: Held): Queue {
  const groups = signal<Group[] | null>(null)
  const chosen = signal<Pair | null>(null)
  const settledKeys = signal<ReadonlySet<string>>(new Set())
  // How many groups the server has that are not loaded.
  const more = signal(0)
  const state = signal<Queue['state']['value']>('loading')
  const pair = computed(() => {
    const [group] = groups.value ?? []
    return group ? (chosen.value ?? nextPair(group)) : null
  })
  // Files in the trash, as far as they were moved there on this page.
  const gone = new Set<string>()
  // Operations whose undo is handled here.
  const own = new Set<number>()
  // Decided, but may still be taken back.
  let withheld: Group | null = null
  let turn: Promise<unknown> = Promise.resolve()
  // Counts evictions: a response to a request from before one is stale.
  let generation = 0
  // Whether a cluster of the last page has more files than it returned.
  let isGoingOn = false

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = asOneChange(turn.then(work))
    turn = done.catch(() => undefined)
    return done
  }

  const setSettled = (key: string, isSettled: boolean) => {
    const keys = new Set(settledKeys.peek())
    if (isSettled) keys.add(key)
    else keys.delete(key)
    settledKeys.value = keys
  }

  // Puts a group into a place of what is left, without the files that have gone since.
  const put = (before: Group, place: number, shown: Pair | null = null) => {
    const group = without(before, gone)
    const isThere = (file: File) => group.files.includes(file)
    const others = (groups.peek() ?? []).filter(({ key }) => key !== group.key)
    if (!nextPair(group)) return
    setSettled(group.key, false)
    groups.value = others.toSpliced(place, 0, group)
    if (place > 0) return
    chosen.value = shown && isThere(shown.left) && isThere(shown.right) ? shown : null
  }

  // Continues with what is left of the current group, else with the next group.
  const goOn = (left: Group) => {
    const [, ...others] = groups.peek()!
    chosen.value = null
    const isSettled = nextPair(left) === null
    if (isSettled) setSettled(left.key, true)
    groups.value = isSettled ? others : [left, ...others]
    prefetch()
  }

  const prefetch = () => {
    const count = groups.peek()!.length
    const isDue = count === 0 || (more.peek() > 0 && count < PREFETCH)
    if (isDue && state.peek() !== 'loading') void load(count)
  }

  // Reads what follows `count` groups; from the beginning if nothing loaded is left.
  const load = async (count: number) => {
    const of = generation
    state.value = 'loading'
    const start = Math.max(0, count - OVERLAP)
    try {
      await take(start)
      if (isEmpty() && start > 0) await take(0)
      for (let offset = PAGE; isEmpty() && more.peek() > 0; offset += PAGE) await take(offset)
      // The rest of a large cluster is readable once the server has the decision about it.
      if (isEmpty() && withheld && isGoingOn) {
        held.flush()
        await take(0)
      }
      if (of === generation) state.value = 'ready'
    } catch (error) {
      if (of !== generation) return
      state.value = 'failed'
      complainUnlessLost(error)
    }
  }

  const isEmpty = () => (groups.peek() ?? []).length === 0

  const take = async (offset: number) => {
    const of = generation
    const query = { limit: PAGE, offset }
    const known = () => {
      const shown = [...(groups.peek() ?? []), ...(withheld ? [withheld] : [])]
      return new Set([...gone, ...shown.flatMap(({ files }) => files.map(({ id }) => id))])
    }
    const page = await inTurn(() =>
      ask(api.GET('/api/v1/files/duplicates/ids', { params: { query } })),
    )
    const found = await withFiles(unknown(page.items, known()))
    if (of !== generation) return
    // More may be settled by now.
    const fresh = unknown(found, known()).map(groupOf).filter(nextPair)
    for (const { key } of fresh) setSettled(key, false)
    groups.value = [...(groups.peek() ?? []), ...fresh]
    isGoingOn = page.items.some(({ ids, file_count }) => ids.length < file_count)
    more.value = Math.max(0, page.total - offset - page.items.length)
  }

  // Sends a change of the current pair, which is shown as done at once.
  const decide = <Data>(
    trashed: string[],
    call: (shown: Pair) => Promise<Answer<Data>>,
    done?: (data: Data, restore: (ids: string[]) => void) => void | Promise<void>,
  ) => {
    const shown = pair.peek()
    const [before] = groups.peek() ?? []
    if (!shown || !before) return
    held.flush()
    // A failure doesn't replace a pair that the user is looking at by now.
    const restore = (place = groups.peek()?.[0]?.key === before.key ? 0 : 1, ids = trashed) => {
      for (const id of ids) gone.delete(id)
      put(before, place, chosenBefore)
    }
    const chosenBefore = chosen.peek()
    for (const id of trashed) gone.add(id)
    inTurn(async () => {
      const { data, operation } = await act(call(shown))
      if (operation !== null) {
        own.add(operation)
        remember(operation, () => restore(0))
      }
      await done?.(data, (ids) => restore(undefined, ids))
    }).catch((error) => {
      complain(error)
      restore()
    })
    // After the request, so that reading ahead finds the state it leaves.
    goOn(without(before, gone))
  }

  const renew = (file: File) => {
    groups.value = groups.peek()!.map((group) => renewed(group, file))
    const shown = chosen.peek()
    const inPlace = (other: File) => (other.id === file.id ? file : other)
    if (shown) chosen.value = { left: inPlace(shown.left), right: inPlace(shown.right) }
  }

  // Holds a change back until the next one, so that it can be undone.
  const holdBack = (
    after: (group: Group, shown: Pair) => void,
    send?: (shown: Pair) => Promise<unknown>,
  ) => {
    const shown = pair.peek()
    const [before] = groups.peek() ?? []
    if (!shown || !before) return
    const chosenBefore = chosen.peek()
    held.hold({
      takeBack() {
        withheld = null
        put(before, 0, chosenBefore)
      },
      isForServer: send !== undefined,
      send() {
        withheld = null
        send?.(shown).catch((error) => {
          complain(error)
          put(before, 1)
        })
      },
    })
    withheld = before
    after(before, shown)
  }

  const dismiss = ({ left, right }: Pair) => {
    const body = { file_id_a: left.id, file_id_b: right.id }
    return inTurn(() => act(api.POST('/api/v1/files/duplicates/dismiss', { body })))
  }

  const unwatch = undone.subscribe((operation) => {
    if (operation !== null && !own.has(operation)) void load(0)
  })

  return {
    groups,
    state,
    pair,
    settled: computed(() => settledKeys.value.size),
    total: computed(() => settledKeys.value.size + (groups.value?.length ?? 0) + more.value),
    merge(kept, choices) {
      const now = pair.peek()
      if (!now) return
      const body = mergeOf(now, kept, choices)
      decide(
        [now[otherOf(kept)].id],
        () => api.POST('/api/v1/files/duplicates/resolve', { body }),
        renew,
      )
    },
    keepBoth: () => holdBack((group, shown) => goOn(apart(group, shown)), dismiss),
    trashBoth() {
      const now = pair.peek()
      if (!now) return
      const file_ids = [now.left.id, now.right.id]
      decide(
        file_ids,
        () => api.POST('/api/v1/files/bulk/delete', { body: { file_ids } }),
        async (_, restore) => {
          // The request silently skips files that the caller may not edit.
          const refused = await notTrashed(file_ids)
          if (!refused[0]) return
          restore(refused)
          complain(new ApiError(403, 'forbidden'))
        },
      )
    },
    later: () =>
      holdBack((group) => {
        chosen.value = null
        groups.value = [...groups.peek()!.slice(1), group]
        prefetch()
      }),
    choose(place) {
      const [group] = groups.peek() ?? []
      const now = pair.peek()
      const next = group && now && withChosen(group, now, place)
      if (next) chosen.value = next
    },
    bring(files) {
      const known = new Set(files.map(({ id }) => id))
      const rest = (groups.peek() ?? []).filter(
        (other) => !other.files.some(({ id }) => known.has(id)),
      )
      groups.value = [groupByHand(files), ...rest]
      chosen.value = null
    },
    reload: () => load(0),
    clear() {
      generation++
      groups.value = null
      chosen.value = null
      state.value = 'loading'
    },
    dispose: unwatch,
  }
}

/** Returns which of the files are not in the trash. Throws an ApiError. */
async function notTrashed(ids: string[]): Promise<string[]> {
  const files = await Promise.all(ids.map(readFile))
  return files.flatMap((file) => (file && !file.is_deleted ? [file.id] : []))
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
