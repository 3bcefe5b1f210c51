import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { AcknowledgedChange } from '../worlds/client.ts'
import type { World } from '../worlds/world.ts'

/** How an object is; undefined when it is not there. */
type State = unknown

/** A change that was acknowledged. */
interface Noted {
  /** The number of its operation, and once that is known, the id of the first entry of that. */
  operation: number
  /** When it was sent, and when its answer had come, by `performance.now()`. */
  begun: number
  ended: number
}

/** What was acknowledged, in the order of the operations of each object. */
export interface History {
  noted: Noted[]
  /** Notes how an object is before the first change of it. */
  begin(key: string, state: State): void
  note(operation: number, begun: number, changes: [key: string, state: State][]): void
  /** Has each operation known by the id of its first entry, which tells, unlike its number, what came before it. */
  place(entryOf: (operation: number) => number): void
  /** Returns how an object was once the entry with this id was the last one. */
  stateAt(key: string, entry: number): State
  /** Returns the objects that were there once the entry with this id was the last one. */
  statesAt(entry: number): Map<string, State>
  /** Returns whether a change of the object came after the entry with this id. */
  isChangedAfter(key: string, entry: number): boolean
}

export function createHistory(): History {
  const states = new Map<string, { operation: number; state: State }[]>()
  const add = (key: string, operation: number, state: State) => {
    const list = states.get(key)
    if (!list) states.set(key, [{ operation, state }])
    else {
      assert.ok(
        operation > list.at(-1)!.operation,
        `${key}: operation ${operation} is no later one`,
      )
      list.push({ operation, state })
    }
  }
  const history: History = {
    noted: [],
    begin: (key, state) => add(key, 0, state),
    note(operation, begun, changes) {
      history.noted.push({ operation, begun, ended: performance.now() })
      for (const [key, state] of changes) add(key, operation, state)
    },
    place(entryOf) {
      for (const change of history.noted) change.operation = entryOf(change.operation)
      for (const list of states.values()) {
        for (const state of list)
          if (state.operation > 0) state.operation = entryOf(state.operation)
      }
    },
    stateAt: (key, entry) =>
      states.get(key)?.findLast(({ operation }) => operation <= entry)?.state,
    statesAt(entry) {
      const keys = [...states.keys()].map((key) => [key, history.stateAt(key, entry)] as const)
      return new Map(keys.filter(([, state]) => state !== undefined))
    },
    isChangedAfter: (key, entry) => (states.get(key)?.at(-1)?.operation ?? 0) > entry,
  }
  return history
}

/** Notes what a client has changed. Throws when the answer named no operation although something is another now. */
export function noteChange(
  history: History,
  { operation, begun, before, after }: AcknowledgedChange,
): void {
  const changes = differences(before, after)
  if (operation !== null) history.note(operation, begun, changes)
  else assert.deepEqual(changes, [], 'a change without an operation')
}

/** Returns the objects of a world, by their kinds and names. */
export function objectsOf({ files, pools, tags }: World): Map<string, State> {
  const of = (kind: string, things: Record<string, State>) =>
    Object.entries(things).map(([name, state]) => [`${kind} ${name}`, state] as const)
  return new Map([
    ...of('file', files),
    ...of('pool', pools),
    ...tags.map((name) => [`tag ${name}`, true] as const),
  ])
}

function differences(before: World, after: World): [string, State][] {
  const [old, now] = [objectsOf(before), objectsOf(after)]
  const changed = [...now].filter(([key, state]) => {
    const was = old.get(key)
    // What a step left alone is the same object.
    return was !== state && !isDeepStrictEqual(was, state)
  })
  const gone = [...old.keys()].filter((key) => !now.has(key))
  return [...changed, ...gone.map((key) => [key, undefined] as [string, State])]
}
