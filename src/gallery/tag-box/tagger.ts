import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { asOneChange } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { undone } from '../base/undo/undo.ts'
import { alsoAdded, applied, type Edit, type OnFiles } from './edits.ts'
import { afterAdding, afterRemoving, tagsOfLast } from './recent.ts'
import { tellOfTags } from './report.tsx'
import { correctCounts, follows, keepRecent, recent } from './tags.ts'
import { loadTags, send, type Target } from './target.ts'

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
  /** Begins to load the tags, and reloads them after each undo. */
  open(): void
  /** Stops a change that takes several requests, after the current one. */
  cancel(): void
  dispose(): void
}

/** Creates a tagger. `known` are the tags of the files, if the caller has them already. */
export function createTagger(target: Target, known?: OnFiles[]): Tagger {
  const told = signal(known)
  const error = signal<ApiError | undefined>()
  const edits = signal<Edit[]>([])
  const fresh = signal<ReadonlySet<string>>(new Set())
  const progress = signal<number | null>(null)
  let queue = Promise.resolve()
  let stopping = new AbortController()
  let close: (() => void) | undefined

  const tags = computed(() => told.value && applied(told.value, edits.value, follows.value))

  const load = async () => {
    try {
      told.value = await loadTags(target)
      error.value = undefined
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason
      error.value = reason
    }
  }
  const open = () => {
    let isKnown = known !== undefined
    close ??= effect(() => {
      // An undo may have changed the tags of these files.
      void undone.value
      if (!isKnown) queue = queue.then(load)
      isKnown = false
    })
  }

  const change = (edit: Edit) => {
    if (edit.ids.length === 0) return Promise.resolve()
    const adds = edit.action === 'add'
    const before = new Map(tags.peek()?.map((tag) => [tag.id, tag.on]))
    const following = adds ? alsoAdded(follows.peek(), edit.ids) : []
    const counted = [...edit.ids, ...following].filter((id) =>
      adds ? before.get(id) !== 'all' : before.has(id),
    )
    const files = adds ? target.count : -target.count
    batch(() => {
      edits.value = [...edits.peek(), edit]
      fresh.value = new Set(
        adds
          ? [...fresh.peek(), ...edit.ids]
          : [...fresh.peek()].filter((id) => !edit.ids.includes(id)),
      )
      correctCounts(counted, files)
      keepRecent((adds ? afterAdding : afterRemoving)(recent.peek(), target.key, edit.ids))
    })
    const { signal } = stopping
    const onProgress = (done: number) => {
      progress.value = done < target.count ? done : null
    }
    const made = queue.then(async () => {
      const outcome = await send(target, edit, following.length, { signal, onProgress })
      progress.value = null
      const { done, tags: now } = outcome
      if (done === 0) takeBack(edit, counted, files)
      if (now) told.value = now
      else if (done > 0 && done < target.count) await load()
      else if (done > 0 && told.peek()) told.value = applied(told.peek()!, [edit], follows.peek())
      edits.value = edits.peek().filter((one) => one !== edit)
      tellOfTags(target, edit, outcome)
    })
    // The tags are reloaded before the change can be undone.
    const turn = asOneChange(made)
    // A failed change is reported, and doesn't stop the next one.
    queue = turn.catch(() => undefined)
    return turn
  }

  const takeBack = (edit: Edit, counted: string[], files: number) => {
    correctCounts(counted, -files)
    if (edit.action === 'remove') return
    fresh.value = new Set([...fresh.peek()].filter((id) => !edit.ids.includes(id)))
    keepRecent(afterRemoving(recent.peek(), target.key, edit.ids))
  }

  return {
    target,
    tags,
    fresh,
    error,
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
