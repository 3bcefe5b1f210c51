import { effect, signal } from '@preact/signals'
import { session } from '../base/session.ts'
import { files as listed } from '../grid/index.ts'
import { tagFiles } from '../tagging/index.ts'
import { type Arrived, openArrived } from './arrived.ts'
import { endBatch, noteArrived, setBatchTags, tagsOf } from './batch.ts'
import { createQueue, type Item, keyOf } from './queue.ts'
import { sendFile } from './send.ts'

/** Whether the panel is open; closed, it is a pill. */
export const isPanelOpen = signal(false)
/** How many files of the last choice were here already. */
export const skipped = signal(0)

let arrived: Arrived | undefined
let opening: Promise<Arrived> | undefined

/** The uploads of this page. */
export const uploads = createQueue({
  async send(item, watch) {
    const tags = tagsOf(item)
    const id = await sendFile(item.file, tags, watch)
    noteArrived(id, item, tags)
    return id
  },
  isDone: (key) => arrived?.idOf(key) !== undefined,
  onDone: (key, id) => arrived?.add(key, id),
})

/**
 * Sends files that somebody chose; those that have arrived before are skipped. All of them get the
 * tag that they were dropped on: it is the batch's when they are the first of the list.
 */
export async function upload(files: File[], tagId: string | null = null): Promise<void> {
  if (files.length === 0) return
  opening ??= openArrived(session.peek()!.user.id)
  arrived = await opening
  isPanelOpen.value = true
  const isFirst = uploads.items.length === 0
  if (tagId !== null && isFirst) setBatchTags([tagId])
  const here = uploads.add(files, tagId === null || isFirst ? [] : [tagId])
  skipped.value = here.length
  const ids = here.flatMap((file) => arrived?.idOf(keyOf(file)) ?? [])
  if (tagId !== null && ids.length > 0) await tagFiles(ids, tagId)
}

/** Forgets what has arrived, and what was refused. */
export function clearUploads(): void {
  uploads.clear()
  skipped.value = 0
  endWithNothingLeft()
}

/** Gives a file up. */
export function dropUpload(item: Item): void {
  uploads.drop(item)
  endWithNothingLeft()
}

function endWithNothingLeft(): void {
  if (uploads.items.length === 0) endBatch()
}

/** Milliseconds between two looks at a listing that grows. */
const PAUSE = 3000

/** Shows what has arrived in the grid, and asks before a page is left that is sending. */
export function watchUploads(): () => void {
  let seen = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    timer = undefined
    void listed.refresh()
  }
  const stop = effect(() => {
    void uploads.version.value
    const done = uploads.items.filter(({ state }) => state === 'done').length
    if (done > seen) timer ??= setTimeout(look, PAUSE)
    seen = done
  })
  const ask = (event: BeforeUnloadEvent) => {
    const isActive = uploads.items.some(({ state }) => state === 'waiting' || state === 'sending')
    if (isActive) event.preventDefault()
  }
  addEventListener('beforeunload', ask)
  return () => {
    stop()
    clearTimeout(timer)
    removeEventListener('beforeunload', ask)
  }
}
