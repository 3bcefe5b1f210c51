import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { asOneChange } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { looks } from '../base/returning.ts'
import { undone } from '../base/undo/undo.ts'
import { alsoAdded, applied, type Edit, type OnFiles } from './edits.ts'
import { afterAdding, afterRemoving, tagsOfLast } from './recent.ts'
import { reportTags } from './report.tsx'
import { correctCounts, follows, recent, storeRecent } from './tags.ts'
import { loadTags, send, type Tagged, type Target } from './target.ts'

/** Tags the files of a target, one change after another. */
export interface Tagger {
  target: Target
  /** The tags of the files, with changes under way; undefined until they are loaded. */
  tags: ReadonlySignal<OnFiles[] | undefined>
  /** The tags that were added here. */
  fresh: ReadonlySignal<ReadonlySet<string>>
  /** Why the tags could not be loaded. */
  error: ReadonlySignal<ApiError | undefined>
  /** How many files are done, while a change takes several requests. */
  progress: ReadonlySignal<number | null>
  add(ids: string[]): Promise<void>
  remove(ids: string[]): Promise<void>
  /** Adds a tag to all of the files, or removes it if it is on all of them. */
  toggle(id: string): Promise<void>
  /** Adds the tags that the previously tagged files got. */
  repeat(): Promise<void>
  /** Begins to load the tags, and reloads them after each undo and when the user returns. */
  open(): void
  /** Stops a change that takes several requests, after the current one. */
  cancel(): void
  dispose(): void
}

/** Creates a tagger. `known` are the tags of the files, if the caller has them already. */
export function createTagger(target: Target, known?: OnFiles[]): Tagger {
  const { shown, load, show, settle } = createTags(target, known)
  const { tags } = shown
  const progress = signal<number | null>(null)
  let queue = Promise.resolve()
  let stopping = new AbortController()
  let close: (() => void) | undefined

  const open = () => {
    let isKnown = known !== undefined
    close ??= effect(() => {
      // An undo may have changed the tags of these files, or another tab or user.
      void [undone.value, looks.value]
      if (!isKnown) queue = queue.then(load)
      isKnown = false
    })
  }
  const change = (edit: Edit) => {
    if (edit.ids.length === 0) return Promise.resolve()
    const { following, takeBack } = show(edit)
    const { signal } = stopping
    const onProgress = (done: number) => {
      progress.value = done < target.count ? done : null
    }
    const sent = queue.then(async () => {
      const outcome = await send(target, edit, following, { signal, onProgress })
      progress.value = null
      if (outcome.done === 0) takeBack()
      await settle(edit, outcome)
      reportTags(target, edit, outcome)
    })
    // The tags are reloaded before the change can be undone.
    const turn = asOneChange(sent)
    // A failed change is reported, and doesn't stop the next one.
    queue = turn.catch(() => undefined)
    return turn
  }
  return {
    ...shown,
    target,
    progress,
    add: (ids) => change({ action: 'add', ids }),
    remove: (ids) => change({ action: 'remove', ids }),
    async toggle(id) {
      if (tags.peek() === undefined) {
        open()
        await queue
      }
      const isOn = tags.peek()?.some((tag) => tag.id === id && tag.on === 'all')
      await change({ action: isOn ? 'remove' : 'add', ids: [id] })
    },
    repeat: () => change({ action: 'add', ids: tagsOfLast(recent.peek(), target.key) }),
    cancel() {
      stopping.abort()
      stopping = new AbortController()
    },
    open,
    dispose: () => close?.(),
  }
}

interface Shown {
  /** How many tags follow from the added ones by rules. */
  following: number
  takeBack(): void
}

/** Creates the tags of the files, which show each change before it is sent. */
function createTags(target: Target, known: OnFiles[] | undefined) {
  const loaded = signal(known)
  const error = signal<ApiError | undefined>()
  const edits = signal<Edit[]>([])
  const fresh = signal<ReadonlySet<string>>(new Set())
  const tags = computed(() => loaded.value && applied(loaded.value, edits.value, follows.value))

  const load = async () => {
    try {
      loaded.value = await loadTags(target)
      error.value = undefined
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason
      error.value = reason
    }
  }
  const show = (edit: Edit): Shown => {
    const adds = edit.action === 'add'
    const before = new Map(tags.peek()?.map((tag) => [tag.id, tag.on]))
    const following = adds ? alsoAdded(follows.peek(), edit.ids) : []
    const counted = [...edit.ids, ...following].filter((id) =>
      adds ? before.get(id) !== 'all' : before.has(id),
    )
    const files = adds ? target.count : -target.count
    const isOther = (id: string) => !edit.ids.includes(id)
    batch(() => {
      edits.value = [...edits.peek(), edit]
      fresh.value = new Set(
        adds ? [...fresh.peek(), ...edit.ids] : [...fresh.peek()].filter(isOther),
      )
      correctCounts(counted, files)
      storeRecent((adds ? afterAdding : afterRemoving)(recent.peek(), target.key, edit.ids))
    })
    const takeBack = () => {
      correctCounts(counted, -files)
      if (!adds) return
      fresh.value = new Set([...fresh.peek()].filter(isOther))
      storeRecent(afterRemoving(recent.peek(), target.key, edit.ids))
    }
    return { following: following.length, takeBack }
  }
  // Replaces a shown change by its outcome.
  const settle = async (edit: Edit, { done, tags: now }: Tagged) => {
    if (now) loaded.value = now
    else if (done > 0 && done < target.count) await load()
    else if (done > 0 && loaded.peek())
      loaded.value = applied(loaded.peek()!, [edit], follows.peek())
    edits.value = edits.peek().filter((one) => one !== edit)
  }
  return { shown: { tags, fresh, error }, load, show, settle }
}

/** Adds a tag to files, apart from any panel. */
export async function tagFiles(ids: string[], tag: string): Promise<void> {
  const target: Target = {
    key: ids.join(),
    count: ids.length,
    ids: async () => ({ ids, locked: [] }),
  }
  const tagger = createTagger(target, [])
  await tagger.add([tag])
  tagger.dispose()
}
