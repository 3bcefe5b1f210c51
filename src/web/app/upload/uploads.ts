import { computed, effect, signal } from '@preact/signals'
import { beBusy } from '../base/busy.ts'
import { lostFor } from '../base/connection.ts'
import { isBeingLeft, session } from '../base/session.ts'
import { complainUnlessLost } from '../base/toast.tsx'
import { files as listed } from '../grid/index.ts'
import { tagFiles } from '../tagging/index.ts'
import { type Arrived, openArrived } from './arrived.ts'
import { endBatch, noteArrived, setBatchTags, settleBatch, tagsOf } from './batch.ts'
import { createQueue, type Item, keyOf } from './queue.ts'
import { findStored, sendFile } from './send.ts'
import { summaryOf } from './summary.ts'

/** Whether the panel is open; closed, it is a pill. */
export const isPanelOpen = signal(false)
/** How many files of the last choice were here already. */
export const skipped = signal(0)

let arrived: Arrived | undefined
let opening: Promise<Arrived> | undefined

/** The uploads of this page. */
export const uploads = createQueue({
  async send(item, watch) {
    const isKnown = (id: string) => arrived?.holds(id) ?? false
    const found = item.isInDoubt ? await findStored(item.file, isKnown) : null
    const tags = found === null ? tagsOf(item) : []
    const id = found ?? (await sendFile(item.file, tags, watch))
    noteArrived(id, item, tags)
    return id
  },
  isDone: (key) => arrived?.idOf(key) !== undefined,
  onDone: (key, id) => arrived?.add(key, id),
  isHeld: computed(() => lostFor.value !== null),
})

/** Milliseconds between two drawings of how far the uploads are. */
const FRAME = 200

/** Follows the version of `uploads`: three at a time change it more often than anybody looks. */
export const drawn = signal(0)
let isPlanned = false
uploads.version.subscribe(() => {
  if (isPlanned) return
  isPlanned = true
  setTimeout(() => {
    isPlanned = false
    drawn.value = uploads.version.peek()
  }, FRAME)
})

/** The tag that the first files of the list fell on. */
let fallenOn: string | null = null

/**
 * Sends files that somebody chose; those that have arrived before are skipped. All of them get the
 * tag that they were dropped on: it is the batch's when they are the first of the list.
 */
export async function upload(files: File[], tagId: string | null = null): Promise<void> {
  if (files.length === 0) return
  opening ??= openArrived(session.peek()!.user.id)
  arrived = await opening
  // A list that has arrived and is out of sight was another batch, with tags of its own.
  if (!isPanelOpen.peek() && uploads.items.every(({ state }) => state === 'done')) clearUploads()
  isPanelOpen.value = true
  if (uploads.items.length === 0) {
    // Tags that were chosen by hand stay.
    if (tagId !== null) setBatchTags([tagId])
    else if (fallenOn !== null) setBatchTags([])
    fallenOn = tagId
  } else if (fallenOn !== null && tagId !== fallenOn) {
    fallenOn = null
    settleBatch(uploads.items)
  }
  const here = uploads.add(files, tagId === null || tagId === fallenOn ? [] : [tagId])
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
  let release: (() => void) | undefined
  const look = () => {
    timer = undefined
    listed.refresh().catch(complainUnlessLost)
  }
  const stop = effect(() => {
    void drawn.value
    const { done, isActive } = summaryOf(uploads.items)
    if (done > seen) timer ??= setTimeout(look, PAUSE)
    seen = done
    if (isActive) release ??= beBusy()
    else {
      release?.()
      release = undefined
    }
  })
  const ask = (event: BeforeUnloadEvent) => {
    if (summaryOf(uploads.items).isActive && !isBeingLeft()) event.preventDefault()
  }
  addEventListener('beforeunload', ask)
  return () => {
    stop()
    release?.()
    clearTimeout(timer)
    removeEventListener('beforeunload', ask)
  }
}
