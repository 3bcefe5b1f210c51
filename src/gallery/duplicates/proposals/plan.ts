import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Schemas } from '../../../client/index.ts'
import { act, api, ask, asOneChange } from '../../base/api.ts'
import { holdPage } from '../../base/leaving.ts'
import { inLanes } from '../../base/slices.ts'
import { undone } from '../../base/undo/undo.ts'
import { complain, complainUnlessLost, toast } from '../../parts/toast.tsx'
import { duplicates } from '../../text/duplicates.ts'
import { problem } from '../../text/problem.ts'
import type { Held } from '../held.ts'

export type Proposal = Schemas['DuplicateProposal']
export type Why = Proposal['why']

/** What the server proposes to do about copies. */
export interface Plan {
  /** The proposals that are loaded so far; null before the first page. */
  items: ReadonlySignal<Proposal[] | null>
  /** The key of the proposal that is open; null for none. */
  open: Signal<string | null>
  /** Whether the server has more proposals than are loaded. */
  isMore: ReadonlySignal<boolean>
  total: ReadonlySignal<number>
  isLost: ReadonlySignal<boolean>
  /** How many are settled of those that are carried out together; null for none. */
  running: ReadonlySignal<number | null>
  /** The progress of marking files as different, pair by pair; null for none. */
  apart: ReadonlySignal<MarkingApart | null>
  /** Carries out a proposal. */
  settle(item: Proposal): void
  /** Carries out all proposals for one reason, including those that are not loaded. */
  settleAll(why: Why): Promise<void>
  /** Keeps all files of a proposal, so that it is never made again. */
  keepAll(item: Proposal): void
  reload(): Promise<void>
  dispose(): void
}

/** A run that marks files as different, and can be stopped. */
interface MarkingApart {
  done: number
  count: number
  end(): void
}

/**
 * How many proposals a request asks for; then the limits for those shown and those discarded in one
 * request.
 */
const PAGE = 100
const MOST = 500
const MOST_DISCARDED = 500

/** Returns the key that identifies a proposal. */
export function keyOf({ keep, discard }: Proposal): string {
  return `${keep} ${discard[0]}`
}

interface State {
  held: Held
  items: Signal<Proposal[] | null>
  unloaded: Signal<number>
  open: Signal<string | null>
  isLost: Signal<boolean>
  running: Signal<number | null>
  apart: Signal<MarkingApart | null>
  /** Settled here, but not confirmed by the server yet. */
  pending: Set<string>
  /** The keys to open again when an operation is undone, by its number. */
  settledBy: Map<number, string>
  /** Counts the readings; only the last one is shown. */
  turn: number
  work: Promise<unknown>
}

/** Creates the plan; nothing is loaded before `reload`. */
export function createPlan(held: Held): Plan {
  const state: State = {
    held,
    items: signal(null),
    unloaded: signal(0),
    open: signal(null),
    isLost: signal(false),
    running: signal(null),
    apart: signal(null),
    pending: new Set(),
    settledBy: new Map(),
    turn: 0,
    work: Promise.resolve(),
  }
  const { items, unloaded, open, isLost, running, apart } = state
  const dispose = undone.subscribe(async (operation) => {
    if (operation === null) return
    await reload(state)
    open.value = state.settledBy.get(operation) ?? open.peek()
  })
  return {
    items,
    open,
    isMore: computed(() => unloaded.value > 0),
    total: computed(() => (items.value?.length ?? 0) + unloaded.value),
    isLost,
    running,
    apart,
    settle: (item) => settle(state, item),
    settleAll(why) {
      held.flush()
      return inTurn(state, () => settleAll(state, why))
    },
    keepAll: (item) => keepAll(state, item),
    reload: () => reload(state),
    dispose,
  }
}

// Runs changes one after the other: files marked as different must not be merged by a later change.
function inTurn<Result>(state: State, change: () => Promise<Result>): Promise<Result> {
  const done = asOneChange(state.work.then(change))
  state.work = done.catch(() => undefined)
  return done
}

function read(offset: number) {
  const query = { limit: PAGE, offset }
  return ask(api.GET('/api/v1/files/duplicates/proposals', { params: { query } }))
}

async function reload(state: State): Promise<void> {
  const { items, open, isLost } = state
  const own = ++state.turn
  try {
    const found: Proposal[] = []
    let total = 1
    for (let offset = 0; offset < Math.min(total, MOST); offset += PAGE) {
      const page = await read(offset)
      if (own !== state.turn) return
      total = page.total
      found.push(...page.items)
      state.unloaded.value = Math.max(0, total - offset - PAGE)
      const isFirst = items.peek() === null
      items.value = found.filter((item) => !state.pending.has(keyOf(item)))
      if (isFirst && found[0]) open.value = keyOf(found[0])
    }
    isLost.value = false
  } catch (error) {
    if (own !== state.turn) return
    isLost.value = true
    complainUnlessLost(error)
  }
}

// Removes a proposal that is being settled; returns a function that puts it back into its place.
function take({ items, pending }: State, item: Proposal): () => void {
  const place = (items.peek() ?? []).indexOf(item)
  pending.add(keyOf(item))
  items.value = (items.peek() ?? []).filter((other) => other !== item)
  return () => {
    pending.delete(keyOf(item))
    items.value = (items.peek() ?? []).toSpliced(place, 0, item)
  }
}

function send(chosen: Proposal[]) {
  const body = { items: chosen.map(({ keep, discard }) => ({ keep, discard })) }
  return act(api.POST('/api/v1/files/duplicates/proposals/settle', { body }))
}

function settle(state: State, item: Proposal): void {
  state.held.flush()
  const putBack = take(state, item)
  inTurn(state, () => send([item])).then(
    ({ data: { settled, skipped }, operation }) => {
      state.pending.delete(keyOf(item))
      if (operation !== null) state.settledBy.set(operation, keyOf(item))
      reportSettled(settled, item.discard.length, operation === null ? [] : [operation])
      reportSkipped(skipped)
      if (skipped.length > 0) void reload(state)
    },
    (error) => {
      putBack()
      complain(error)
    },
  )
}

function keepAll(state: State, item: Proposal): void {
  const putBack = take(state, item)
  state.held.hold({
    takeBack() {
      putBack()
      state.open.value = keyOf(item)
    },
    isForServer: true,
    send() {
      inTurn(state, () => markApart(state, [item.keep, ...item.discard])).then(
        (isWhole) => {
          state.pending.delete(keyOf(item))
          if (!isWhole) void reload(state)
        },
        (error) => {
          putBack()
          complain(error)
        },
      )
    },
  })
}

async function settleAll(state: State, why: Why): Promise<void> {
  const sums = { settled: 0, discarded: 0 }
  const operations: number[] = []
  const skipped: Schemas['SettleResult']['skipped'] = []
  const { running } = state
  running.value = 0
  try {
    let offset = why === 'identical' ? 0 : firstOf(state.items.peek() ?? [], why)
    for (;;) {
      const page = await read(offset)
      const some = upTo(
        MOST_DISCARDED,
        page.items.filter((item) => item.why === why),
      )
      if (some.length === 0) break
      const { data, operation } = await send(some)
      if (operation !== null) operations.push(operation)
      const left = new Set(data.skipped.map(({ keep }) => keep))
      const done = some.filter(({ keep }) => !left.has(keep))
      sums.settled += data.settled
      sums.discarded += done.reduce((sum, { discard }) => sum + discard.length, 0)
      skipped.push(...data.skipped)
      offset += some.length - done.length
      running.value = sums.settled
    }
  } catch (error) {
    toast({ text: duplicates().endedAfter(sums.settled, problem(error)), kind: 'bad' })
  }
  running.value = null
  reportSettled(sums.settled, sums.discarded, operations)
  reportSkipped(skipped)
  await reload(state)
}

// Marks each pair of the files as different; returns false if it was stopped before. Throws an
// ApiError.
async function markApart({ apart }: State, ids: string[]): Promise<boolean> {
  const pairs = ids.flatMap((file_id_a, at) =>
    ids.slice(at + 1).map((file_id_b) => ({ file_id_a, file_id_b })),
  )
  const count = pairs.length
  const stopping = new AbortController()
  const { signal } = stopping
  const onProgress = (done: number) => {
    apart.value = done < count ? { done, count, end: () => stopping.abort() } : null
  }
  const dismiss = (body: Schemas['DuplicateDismiss']) =>
    act(api.POST('/api/v1/files/duplicates/dismiss', { body }))
  // Pairs that are not sent yet would be lost with the page.
  const release = holdPage()
  if (count > 1) onProgress(0)
  const { done, error } = await inLanes(pairs, dismiss, { signal, onProgress })
  release()
  apart.value = null
  if (error !== undefined) throw error
  return done === count
}

// Returns where the loaded proposals for a reason begin.
function firstOf(items: Proposal[], why: Why): number {
  const place = items.findIndex((item) => item.why === why)
  return Math.max(0, place)
}

function reportSettled(settled: number, discarded: number, operation: number[]): void {
  if (settled === 0) return
  const undoable = operation.length > 0 ? { operation } : {}
  toast({ text: duplicates().settled(settled, discarded), ...undoable })
}

// Reports what was left out because somebody has changed it meanwhile.
function reportSkipped(skipped: Schemas['SettleResult']['skipped']): void {
  const [first] = skipped
  if (!first) return
  const reason = duplicates().skipReasons[first.reason]
  toast({ text: duplicates().skipped(skipped.length, reason), kind: 'bad' })
}

/** Returns the first proposals that together discard at most `most` files. */
function upTo(most: number, items: Proposal[]): Proposal[] {
  let sum = 0
  return items.filter(({ discard }) => {
    sum += discard.length
    return sum <= most
  })
}
