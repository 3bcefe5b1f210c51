import { signal } from '@preact/signals'
import type { Answer, Schemas } from '../../client/index.ts'
import { act, asOneChange } from '../base/api.ts'
import { withFilms } from '../base/pairs.ts'
import { inSlices, slicesOf } from '../base/slices.ts'
import { files, selection } from '../grid/index.ts'
import { complain } from '../parts/toast.tsx'
import { type Ids, reportOutcome, type Target } from '../tag-box/index.ts'
import { type LeftOut, leftOutOf, reachedBy } from './left-out.ts'

type Result = Schemas['BulkResult']

interface Running {
  done: number
  count: number
  end(): void
}

/** The change under way, from its second request on; null for none. */
export const running = signal<Running | null>(null)

/** Sends a change and returns the answer, and records it as undoable. Throws an ApiError. */
type Send = <Data>(call: Promise<Answer<Data>>) => Promise<Data>

interface Said {
  text: string
  undo?: string
  action?: { text: string; act(): void }
}

/** A change of many files, which may take several requests. */
export interface Change {
  /** Changes these files, among them the films of pictures. Throws an ApiError. */
  change(file_ids: string[], send: Send): Promise<unknown>
  /** Says that all have changed; the button that undoes it may have a name. */
  done(count: number, ids: string[]): string | Promise<Said>
  failed(reason: string): string
  /** Updates the grid after the change; `others` are the files that were not changed. */
  after(ids: string[], others: string[]): void
  /** Whether the change can't be undone. */
  isFinal?: boolean
}

let queue: Promise<unknown> = Promise.resolve()

/** Changes the files of a target, after earlier changes have finished, and reports the result. */
export function run(target: Target, change: Change): Promise<void> {
  // Read only now: the change before may remove some files from the listing.
  const found = target.ids()
  found.catch(() => undefined)
  const turn = asOneChange(queue.then(async () => runSlices(target, await found, change)))
  queue = turn.catch(() => undefined)
  return turn
}

/** Changes files in a way that removes them from the listing. */
export function takeOut(target: Target, change: Omit<Change, 'after'>): Promise<void> {
  const before = selection.selected.peek()
  const after = (ids: string[], others: string[]) => {
    files.remove(ids)
    selection.lose(ids, before, others)
  }
  return run(target, { ...change, after })
}

async function runSlices(target: Target, { ids, locked }: Ids, wanted: Change): Promise<void> {
  const { change, done, failed, after, isFinal } = wanted
  const known = new Set(withFilms(locked))
  const operations: number[] = []
  const left: LeftOut = { locked: [], skipped: [], unnamed: 0 }
  // How many files of the unfinished slice have changed.
  let reached = 0
  // Whether a film was left as it is, perhaps apart from its picture.
  let isTorn = false
  const stopping = new AbortController()
  const onProgress = (files: number) => {
    const isOver = files >= ids.length
    const end = () => stopping.abort()
    running.value = isOver ? null : { done: files, count: ids.length, end }
  }
  const changeSlice = async (pictures: string[]) => {
    const slice = withFilms(pictures)
    const results: Result[] = []
    const send: Send = async (call) => {
      const { data, operation } = await act(call)
      if (operation !== null && !isFinal) operations.push(operation)
      if (isResult(data)) results.push(data)
      reached = Math.round((reachedBy(slice, results) * pictures.length) / slice.length)
      return data
    }
    await change(slice, send)
    const { locked, skipped, unnamed } = leftOutOf(slice, known, results)
    const among = new Set(pictures)
    const isPicture = (id: string) => among.has(id)
    // Of a film that is left out alone, the picture has changed: doing it again would turn or shift that twice.
    left.locked.push(...locked.filter(isPicture))
    left.skipped.push(...skipped.filter(isPicture))
    left.unnamed += unnamed
    isTorn ||= ![...locked, ...skipped].every(isPicture)
    reached = 0
    return null
  }
  const { signal } = stopping
  const outcome = await inSlices(slicesOf(ids), changeSlice, { signal, onProgress })
  running.value = null
  const own = { ...target, count: ids.length }
  const skipped = left.skipped.length + left.unnamed
  const changed = outcome.done - skipped - left.locked.length
  const reported = outcome.error === undefined ? outcome.done : changed + reached
  const others = new Set([...left.locked, ...left.skipped, ...ids.slice(outcome.done)])
  const chosen = ids.filter((id) => !others.has(id))
  const isAll = outcome.error === undefined && chosen.length === ids.length
  const said = isAll ? await done(changed, chosen) : ''
  reportOutcome(
    own,
    { ...outcome, done: reported, operations, locked: left.locked, skipped },
    {
      failed,
      ...(typeof said === 'string' ? { done: said } : { ...said, done: said.text }),
    },
  )
  if (outcome.done === 0 && operations.length === 0) return
  after(chosen, [...others])
  // Some files that count as changed are not, and the server didn't name them.
  if (left.unnamed > 0 || isTorn) files.refresh().catch(complain)
}

function isResult(data: unknown): data is Result {
  return typeof data === 'object' && data !== null && 'skipped_ids' in data
}
