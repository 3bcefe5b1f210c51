import {
  type ReadonlySignal,
  type Signal,
  useComputed,
  useSignal,
  useSignalEffect,
} from '@preact/signals'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import { number } from '../base/format.ts'
import { type Resource, useResource } from '../base/resource.ts'
import { toast } from '../parts/toast.tsx'
import { problem } from '../text/problem.ts'
import { sharing } from '../text/sharing.ts'
import { readClosedTags } from './closed-tags.ts'
import { readState } from './read.ts'
import { reportShared, send } from './send.ts'
import { type ClosedTag, type Draft, hiddenTags, isEmpty, withAdded, withSharing } from './sight.ts'
import { findPeople, type Person, type State, type Subject } from './state.ts'

interface Options {
  of: Subject
  /** What was typed while the dialog was loading, and whether Enter was pressed. */
  typed: Signal<string>
  isEager: Signal<boolean>
  onClose(): void
  onShared?: ((ids: string[]) => void) | undefined
}

/** In pictures. */
export interface Progress {
  done: number
  all: number
}

export interface Sharing {
  loaded: Resource<State>
  draft: Signal<Draft>
  /** The draft with the person whom Enter would add, and with what it does to a pool. */
  whole: ReadonlySignal<Draft>
  hasPictures: Signal<boolean>
  /** Whether the user wants later pictures of a pool to be shared; null before they have chosen. */
  later: Signal<boolean | null>
  /** Whether tags are shared along. */
  hasTags: Signal<boolean>
  /** The tags that are hidden from somebody whom the draft shares with. */
  hidden: ReadonlySignal<ClosedTag[]>
  /** The person whom the list of names offers first. */
  chosen: Signal<Person | null>
  /** The chosen person, if the draft does not have them yet. */
  pending: ReadonlySignal<Person | null>
  /** Why the last attempt failed. */
  reason: Signal<string | null>
  progress: Signal<Progress | null>
  add(person: Person): void
  /** Adds the chosen person and submits, as soon as the people are loaded. */
  enter(): void
}

/** Returns the state of a sharing dialog, from loading its subject to sending the changes. */
export function useSharing({ of, typed, isEager, onClose, onShared }: Options): Sharing {
  const draft = useSignal<Draft>({ rights: new Map(), isPublic: null })
  const hasPictures = useSignal(true)
  const chosen = useSignal<Person | null>(null)
  const loaded = useResource((signal) => readState(of, signal))
  const pending = useComputed(() => {
    const person = typed.value.trim() === '' ? null : chosen.value
    return person && withAdded(draft.value, person.id) !== draft.value ? person : null
  })
  useSignalEffect(() => {
    if (loaded.data.value?.isSmart) hasPictures.value = false
  })
  const later = useSignal<boolean | null>(null)
  const whole = useComputed(() => {
    const next = pending.value ? withAdded(draft.value, pending.value.id) : draft.value
    const state = loaded.data.value
    return state?.kind === 'pool' && !state.isSmart ? withSharing(next, state, later.value) : next
  })
  // A category is nothing without its tags.
  const hasTags = useSignal('category_id' in of)
  const closed = useResource(async (signal) => {
    const state = loaded.data.value
    return state?.isMine ? readClosedTags(of, state.ids, signal) : null
  })
  const hidden = useComputed(() => hiddenTags(closed.data.value ?? [], whole.value))
  const add = (person: Person) => {
    draft.value = withAdded(draft.peek(), person.id)
    typed.value = ''
  }
  const readHidden = async () => {
    if (!hasTags.peek()) return []
    if (!closed.data.peek() || closed.isLoading.peek()) await closed.reload()
    if (closed.error.peek()) throw closed.error.peek()
    return hidden.peek()
  }
  const { reason, progress, submit } = useSubmit({
    of,
    loaded,
    whole,
    hasPictures,
    readHidden,
    onClose,
    onShared,
  })
  useSignalEffect(() => {
    const now = loaded.data.value
    if (!isEager.value || !now) return
    isEager.value = false
    const text = typed.peek().trim()
    const first = text === '' ? null : findPeople(now.people, text)[0]
    if (text !== '' && !first) return
    if (first) add(chosen.peek() ?? first.person)
    void submit()
  })
  const enter = () => {
    isEager.value = true
  }
  const choices = { hasPictures, later, hasTags, hidden }
  return { loaded, draft, whole, ...choices, chosen, pending, reason, progress, add, enter }
}

type SubmitOptions = Pick<Options, 'of' | 'onClose' | 'onShared'> &
  Pick<Sharing, 'loaded' | 'whole' | 'hasPictures'> & { readHidden(): Promise<ClosedTag[]> }

function useSubmit(options: SubmitOptions) {
  const { of, loaded, whole, hasPictures, readHidden, onClose, onShared } = options
  const reason = useSignal<string | null>(null)
  const progress = useSignal<Progress | null>(null)
  const stopping = useMemo(() => new AbortController(), [])
  // Other effects are cleared a frame after it is closed. An answer that comes before that would share.
  useLayoutEffect(() => () => stopping.abort(), [stopping])

  const submit = async () => {
    const now = loaded.data.peek()
    const draft = whole.peek()
    if (progress.peek() || !now?.isMine || isEmpty(draft)) return
    reason.value = null
    const all = now.pictures?.all ?? 0
    progress.value = { done: 0, all }
    const hidden = await readHidden().catch((error: unknown) => {
      reason.value = problem(error)
      return null
    })
    if (!hidden || stopping.signal.aborted) {
      progress.value = null
      return
    }
    const outcome = await send(of, now, draft, {
      hasPictures: hasPictures.peek(),
      tags: hidden,
      ...(onShared && { onBack: onShared }),
      signal: stopping.signal,
      onProgress: (done) => {
        progress.value = { done, all }
      },
    })
    progress.value = null
    const isClosed = stopping.signal.aborted
    if (outcome.error !== undefined) {
      const why = problem(outcome.error)
      const { done, ids } = outcome
      const text = done > 0 ? sharing().partly(number(done), number(ids.length), why) : why
      if (isClosed) toast({ text, kind: 'bad' })
      reason.value = text
      await loaded.reload()
    } else {
      // By now, another one may be open in its place.
      if (!isClosed) onClose()
      void reportShared(of, draft, outcome)
    }
    if (outcome.done > 0 || !('files' in of)) onShared?.(outcome.ids)
  }
  return { reason, progress, submit }
}
