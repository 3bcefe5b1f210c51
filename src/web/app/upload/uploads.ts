import { effect, signal } from '@preact/signals'
import { session } from '../base/session.ts'
import { files as listed } from '../grid/index.ts'
import { type Arrived, openArrived } from './arrived.ts'
import { batchTags, endBatch, noteArrived } from './batch.ts'
import { createQueue } from './queue.ts'
import { sendFile } from './send.ts'

/** Whether the panel is open; closed, it is a pill. */
export const isPanelOpen = signal(false)
/** How many files of the last choice were here already. */
export const skipped = signal(0)

let arrived: Arrived | undefined
let opening: Promise<Arrived> | undefined

/** The uploads of this page. */
export const uploads = createQueue({
  async send(file, watch) {
    const tags = batchTags.peek()
    const id = await sendFile(file, tags, watch)
    noteArrived(id, tags)
    return id
  },
  isDone: (key) => arrived?.idOf(key) !== undefined,
  onDone: (key, id) => arrived?.add(key, id),
})

/** Sends files that somebody chose; those that have arrived before are skipped. */
export async function upload(files: File[]): Promise<void> {
  if (files.length === 0) return
  opening ??= openArrived(session.peek()!.user.id)
  arrived = await opening
  isPanelOpen.value = true
  skipped.value = uploads.add(files)
}

/** Forgets what has arrived, and what was refused; with nothing left, the batch is over. */
export function clearUploads(): void {
  uploads.clear()
  skipped.value = 0
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
