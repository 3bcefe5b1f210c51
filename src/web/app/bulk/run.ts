import { signal } from '@preact/signals'
import type { Answer, Schemas } from '../../../client/index.ts'
import { act, asOneChange } from '../base/api.ts'
import { inSlices, slicesOf, type Target, tell } from '../tagging/index.ts'

/** A change of many files that is under way. */
interface Running {
  done: number
  count: number
  end(): void
}

/** What is under way, from its second request on; null for nothing. */
export const running = signal<Running | null>(null)

/** Sends a change and returns the answer; it is counted and can be undone. Throws an ApiError. */
type Send = <Data>(call: Promise<Answer<Data>>) => Promise<Data>

/** A change of many files, which takes several requests when they are very many. */
export interface Change {
  /** Changes these files. Throws an ApiError. */
  change(file_ids: string[], send: Send): Promise<unknown>
  done(count: number): string
  failed(reason: string): string
  /** What the grid does about those that were changed, and those that were not. */
  after(ids: string[], others: string[]): void
  /** Whether nothing takes it back. */
  isFinal?: boolean
}

/** Changes the files of a target, and tells what became of it. */
export function run(target: Target, change: Change): Promise<void> {
  return asOneChange(runSlices(target, change))
}

async function runSlices(target: Target, wanted: Change): Promise<void> {
  const { change, done, failed, after, isFinal } = wanted
  const { ids, locked: known } = await target.ids()
  const isLocked = new Set(known)
  const operations: number[] = []
  const send: Send = async (call) => {
    const { data, operation } = await act(call)
    if (operation !== null && !isFinal) operations.push(operation)
    for (const id of skippedOf(data)) isLocked.add(id)
    return data
  }
  const stopping = new AbortController()
  const onProgress = (files: number) => {
    const isOver = files >= ids.length
    const end = () => stopping.abort()
    running.value = isOver ? null : { done: files, count: ids.length, end }
  }
  const { signal } = stopping
  const changeSlice = async (slice: string[]) => {
    await change(slice, send)
    return null
  }
  const outcome = await inSlices(slicesOf(ids), changeSlice, { signal, onProgress })
  running.value = null
  const locked = ids.filter((id) => isLocked.has(id))
  const own = { ...target, count: ids.length }
  tell(own, { ...outcome, operations, locked }, { done: done(outcome.done), failed })
  if (outcome.done === 0) return
  const changed = new Set(ids.slice(0, outcome.done).filter((id) => !isLocked.has(id)))
  after(
    [...changed],
    ids.filter((id) => !changed.has(id)),
  )
}

/** Returns the ids of the files that an answer says it left out. */
function skippedOf(data: unknown): string[] {
  return (data as Partial<Schemas['BulkResult']> | undefined)?.skipped_ids ?? []
}
