import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Answer } from '../../client/index.ts'
import { act, api } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { remember, undone } from '../base/undo/undo.ts'
import { complain } from '../parts/toast.tsx'
import { readFile } from './facts.ts'
import { apart, type Group, groupByHand, nextPair, renewed, withChosen, without } from './groups.ts'
import type { Held } from './held.ts'
import { inTurn, load, prefetch, type State, setSettled } from './pages.ts'
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

/** Creates the queue of groups of files that look alike. */
export function createQueue(held: Held): Queue {
  const state = createState(held)
  const { groups, chosen, pair, settledKeys, more, own } = state
  const dispose = undone.subscribe((operation) => {
    if (operation !== null && !own.has(operation)) void load(state, 0)
  })
  return {
    groups,
    state: state.loading,
    pair,
    settled: computed(() => settledKeys.value.size),
    total: computed(() => settledKeys.value.size + (groups.value?.length ?? 0) + more.value),
    merge: (kept, choices) => merge(state, kept, choices),
    keepBoth() {
      const dismissed = (shown: Pair) => dismiss(state, shown)
      holdBack(state, (group, shown) => goOn(state, apart(group, shown)), dismissed)
    },
    trashBoth: () => trashBoth(state),
    later() {
      holdBack(state, (group) => {
        chosen.value = null
        groups.value = [...groups.peek()!.slice(1), group]
        prefetch(state)
      })
    },
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
    reload: () => load(state, 0),
    clear() {
      state.generation++
      groups.value = null
      chosen.value = null
      state.loading.value = 'loading'
    },
    dispose,
  }
}

function createState(held: Held): State {
  const groups = signal<Group[] | null>(null)
  const chosen = signal<Pair | null>(null)
  return {
    held,
    groups,
    chosen,
    pair: computed(() => {
      const [group] = groups.value ?? []
      return group ? (chosen.value ?? nextPair(group)) : null
    }),
    settledKeys: signal<ReadonlySet<string>>(new Set()),
    more: signal(0),
    loading: signal<'loading' | 'ready' | 'failed'>('loading'),
    gone: new Set(),
    own: new Set(),
    withheld: null,
    turn: Promise.resolve(),
    generation: 0,
    isGoingOn: false,
  }
}

/** Puts a group into a place of what is left, without the files that have gone since. */
function put(state: State, before: Group, place: number, shown: Pair | null = null): void {
  const { groups, chosen } = state
  const group = without(before, state.gone)
  const isThere = (file: File) => group.files.includes(file)
  const others = (groups.peek() ?? []).filter(({ key }) => key !== group.key)
  if (!nextPair(group)) return
  setSettled(state, group.key, false)
  groups.value = others.toSpliced(place, 0, group)
  if (place > 0) return
  chosen.value = shown && isThere(shown.left) && isThere(shown.right) ? shown : null
}

/** Continues with what is left of the current group, else with the next group. */
function goOn(state: State, left: Group): void {
  const [, ...others] = state.groups.peek()!
  state.chosen.value = null
  const isSettled = nextPair(left) === null
  if (isSettled) setSettled(state, left.key, true)
  state.groups.value = isSettled ? others : [left, ...others]
  prefetch(state)
}

/** Sends a change of the current pair, which is shown as done at once. */
function decide<Data>(
  state: State,
  trashed: string[],
  call: () => Promise<Answer<Data>>,
  done: (data: Data, restore: (ids: string[]) => void) => void | Promise<void>,
): void {
  const { groups, gone } = state
  const [before] = groups.peek() ?? []
  if (!state.pair.peek() || !before) return
  state.held.flush()
  const chosenBefore = state.chosen.peek()
  // A failure doesn't replace a pair that the user is looking at by now.
  const restore = (place = groups.peek()?.[0]?.key === before.key ? 0 : 1, ids = trashed) => {
    for (const id of ids) gone.delete(id)
    put(state, before, place, chosenBefore)
  }
  for (const id of trashed) gone.add(id)
  inTurn(state, async () => {
    const { data, operation } = await act(call())
    if (operation !== null) {
      state.own.add(operation)
      remember(operation, () => restore(0))
    }
    await done(data, (ids) => restore(undefined, ids))
  }).catch((error) => {
    complain(error)
    restore()
  })
  // After the request, so that prefetching finds the state it leaves.
  goOn(state, without(before, gone))
}

function merge(state: State, kept: Side, choices: Choices): void {
  const now = state.pair.peek()
  if (!now) return
  const body = mergeOf(now, kept, choices)
  decide(
    state,
    [now[otherOf(kept)].id],
    () => api.POST('/api/v1/files/duplicates/resolve', { body }),
    (file) => renew(state, file),
  )
}

function renew({ groups, chosen }: State, file: File): void {
  groups.value = groups.peek()!.map((group) => renewed(group, file))
  const shown = chosen.peek()
  const inPlace = (other: File) => (other.id === file.id ? file : other)
  if (shown) chosen.value = { left: inPlace(shown.left), right: inPlace(shown.right) }
}

function trashBoth(state: State): void {
  const now = state.pair.peek()
  if (!now) return
  const file_ids = [now.left.id, now.right.id]
  decide(
    state,
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
}

/** Holds a change back until the next one, so that it can be undone. */
function holdBack(
  state: State,
  after: (group: Group, shown: Pair) => void,
  send?: (shown: Pair) => Promise<unknown>,
): void {
  const shown = state.pair.peek()
  const [before] = state.groups.peek() ?? []
  if (!shown || !before) return
  const chosenBefore = state.chosen.peek()
  state.held.hold({
    takeBack() {
      state.withheld = null
      put(state, before, 0, chosenBefore)
    },
    isForServer: send !== undefined,
    send() {
      state.withheld = null
      send?.(shown).catch((error) => {
        complain(error)
        put(state, before, 1)
      })
    },
  })
  state.withheld = before
  after(before, shown)
}

function dismiss(state: State, { left, right }: Pair): Promise<unknown> {
  const body = { file_id_a: left.id, file_id_b: right.id }
  return inTurn(state, () => act(api.POST('/api/v1/files/duplicates/dismiss', { body })))
}

/** Returns which of the files are not in the trash. Throws an ApiError. */
async function notTrashed(ids: string[]): Promise<string[]> {
  const files = await Promise.all(ids.map(readFile))
  return files.flatMap((file) => (file && !file.is_deleted ? [file.id] : []))
}
