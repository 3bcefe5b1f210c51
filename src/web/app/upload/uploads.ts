import { computed, effect, signal } from '@preact/signals'
import { act, answered, api } from '../base/api.ts'
import { lostFor } from '../base/connection.ts'
import { holdPage } from '../base/leaving.ts'
import { session } from '../base/session.ts'
import { remember } from '../base/undo/undo.ts'
import { files as listed } from '../grid/index.ts'
import { complainUnlessLost, toast } from '../parts/toast.tsx'
import { tagFiles } from '../tagging/index.ts'
import { pooling } from '../text/pooling.ts'
import { problem } from '../text/problem.ts'
import { tagging } from '../text/tagging.ts'
import { upload as words } from '../text/upload.ts'
import { type Arrived, openArrived } from './arrived.ts'
import { createBatch } from './batch.ts'
import { createBatchPool } from './pool.ts'
import { createQueue, type Item, keyOf } from './queue.ts'
import { findGone, findStored, sendFile } from './send.ts'
import { summaryOf } from './summary.ts'

/** Whether the panel is open; closed, it is a pill. */
export const isPanelOpen = signal(false)
/** How many files were here already: of the last choice, and of those asked about just then. */
export const skipped = signal(0)

let arrived: Arrived | undefined
let opening: Promise<Arrived> | undefined

/** The uploads of this page. */
export const uploads = createQueue({
  async send(item, watch) {
    const isKnown = (id: string) => arrived?.holds(id) ?? false
    const found = item.isInDoubt ? await findStored(item.file, isKnown) : null
    // What was given up meanwhile is not of the list any more.
    watch.signal.throwIfAborted()
    if (found === null) item.given = batch.tagsOf(item)
    const given = item.given!
    const id = found ?? (await sendFile(item.file, given, watch))
    batch.arrive(id, item, given)
    batchPool.arrive(id)
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

/** The tags of the files of the list. */
export const batch = createBatch({
  async change(action, file_ids, tag) {
    const body = { action, file_ids, tag_ids: [tag] }
    return (await act(api.POST('/api/v1/files/bulk/tags', { body }))).operation
  },
  onChanged: remember,
  onFailed(error, change, retry) {
    const action = retry && { text: words().tryAgain, act: retry }
    const text = tagging()[change === 'add' ? 'notTagged' : 'notRemoved'](problem(error))
    toast({ text, kind: 'bad', ...(action && { action }) })
  },
})

/** The pool of the files of the list. */
export const batchPool = createBatchPool({
  async change(action, { id }, file_ids) {
    const request = { params: { path: { pool_id: id } }, body: { file_ids } }
    const call =
      action === 'add'
        ? api.POST('/api/v1/pools/{pool_id}/files', request)
        : api.POST('/api/v1/pools/{pool_id}/files/remove', request)
    return (await act<unknown>(call)).operation
  },
  onChanged: remember,
  onFailed(error, retry) {
    const action = retry && { text: words().tryAgain, act: retry }
    const text = pooling().notPut(problem(error))
    toast({ text, kind: 'bad', ...(action && { action }) })
  },
})

/** The tag that the first files of the list fell on, and that nobody had chosen for it before. */
let fallenOn: string | null = null
let turn: Promise<unknown> = Promise.resolve()
/** The choices of files that the server is asked about at a time, begun anew by a cleared list. */
let asked = { choices: 0, here: 0 }

/** A file that has arrived before. */
interface Known {
  file: File
  key: string
}

/** What a choice of files holds besides new ones. */
interface Rest {
  asked: typeof asked
  known: Known[]
  /** How many are in the list already. */
  listed: number
}

/**
 * Sends files that somebody chose; those that have arrived before are skipped. All of them get the
 * tag that they were dropped on: it is the batch's when they are the first of the list.
 */
export async function upload(files: File[], tagId: string | null = null): Promise<void> {
  if (files.length === 0) return
  const queued = turn.then(() => queueNew(files, tagId))
  turn = queued.catch(() => undefined)
  // What is chosen next doesn't wait for the answer about these.
  await skipKnown(await queued, tagId)
}

async function queueNew(files: File[], tagId: string | null): Promise<Rest> {
  opening ??= openArrived(session.peek()!.user.id)
  arrived = await opening
  const fresh: File[] = []
  const known: Known[] = []
  for (const file of files) {
    const key = keyOf(file)
    if (arrived.idOf(key) === undefined) fresh.push(file)
    else known.push({ file, key })
  }
  // A list that has arrived and is out of sight was another batch, with tags of its own.
  if (!isPanelOpen.peek() && uploads.items.every(({ state }) => state === 'done')) clearUploads()
  isPanelOpen.value = true
  asked.choices++
  return { asked, known, listed: queue(fresh, tagId) }
}

/** Adds files with the tag that they fell on; returns how many of them are in the list already. */
function queue(files: File[], tagId: string | null): number {
  if (files.length === 0) return 0
  if (uploads.items.length === 0) {
    // Tags that were chosen by hand stay.
    const chosen = batch.tags.peek()
    if (tagId !== null && !chosen.includes(tagId)) {
      batch.set([...chosen, tagId])
      fallenOn = tagId
    }
  } else if (fallenOn !== null && tagId !== fallenOn) {
    batch.settleTag(fallenOn, uploads.items)
    fallenOn = null
  }
  const isOfBatch = tagId === null || batch.tags.peek().includes(tagId)
  return uploads.add(files, isOfBatch ? [] : [tagId]).length
}

async function skipKnown(rest: Rest, tagId: string | null): Promise<void> {
  const { known, listed } = rest
  await forgetGone(known)
  const ids: string[] = []
  const gone: File[] = []
  for (const { file, key } of known) {
    const id = arrived!.idOf(key)
    if (id === undefined) gone.push(file)
    else ids.push(id)
  }
  rest.asked.here += ids.length + listed + queue(gone, tagId)
  if (rest.asked === asked) skipped.value = asked.here
  if (--rest.asked.choices === 0) rest.asked.here = 0
  if (tagId !== null && ids.length > 0) tagFiles(ids, tagId).catch(complainUnlessLost)
}

/** Forgets those that were deleted for good since they have arrived. */
async function forgetGone(known: Known[]): Promise<void> {
  if (known.length === 0 || lostFor.peek() !== null) return
  try {
    const ids = new Set(known.flatMap(({ key }) => arrived!.idOf(key) ?? []))
    arrived!.forget(await findGone([...ids]))
  } catch (error) {
    complainUnlessLost(error)
  }
}

/** Gives all files of the list a tag that somebody chose by hand. */
export function chooseTag(id: string): void {
  // Also one that was left out: now it stays when others fall elsewhere.
  if (id === fallenOn) fallenOn = null
  batch.set([...new Set([...batch.tags.peek(), id])])
}

/** Forgets what has arrived, and gives up what has not and isn't under way. */
export function clearUploads(): void {
  uploads.clear()
  skipped.value = 0
  asked = { choices: 0, here: 0 }
  letGo()
}

/** Gives a file up. */
export function dropUpload(item: Item): void {
  uploads.drop(item)
  letGo()
}

function letGo(): void {
  batch.letGo(uploads.items)
  if (uploads.items.length > 0) return
  fallenOn = null
  batchPool.letGo()
}

/** Milliseconds between two looks at a listing that grows. */
const PAUSE = 3000

/** Shows what has arrived in the grid, and asks before a page is left with what has not. */
export function watchUploads(): () => void {
  let seen = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    timer = undefined
    answered.value++
    listed.refresh().catch(complainUnlessLost)
  }
  const stop = effect(() => {
    void drawn.value
    const { done } = summaryOf(uploads.items)
    if (done > seen) timer ??= setTimeout(look, PAUSE)
    seen = done
  })
  const release = holdPage(mayArrive)
  return () => {
    stop()
    release()
    clearTimeout(timer)
  }
}

/** Whether files are on their way, or may be tried again: a reload would lose them. */
function mayArrive(): boolean {
  const { failed, isActive } = summaryOf(uploads.items)
  return isActive || failed > 0
}
