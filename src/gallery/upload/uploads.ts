import { computed, effect, signal, untracked } from '@preact/signals'
import { answered } from '../base/api.ts'
import { isLost } from '../base/connection.ts'
import { ApiError } from '../base/error.ts'
import { holdPage } from '../base/leaving.ts'
import { session } from '../base/session.ts'
import { settled } from '../base/settled.ts'
import { files as listed } from '../grid/index.ts'
import { complain, complainUnlessLost } from '../parts/toast.tsx'
import { correctCounts, tagFiles } from '../tag-box/index.ts'
import { type Arrived, openArrived } from './arrived.ts'
import { batch, batchPool, folderTags } from './choices.ts'
import { createHalves } from './halves.ts'
import { giveUp, tagsBegun } from './parts.ts'
import type { Picked } from './pick.ts'
import { createQueue, type Here, type Item, keyOf } from './queue.ts'
import { countFiles, findAlike, findGone, findStored, isOwn, sendFile } from './send.ts'
import { isAskedAbout, summaryOf } from './summary.ts'

/** Whether the panel is open; otherwise it is a small button. */
export const isPanelOpen = signal(false)
/**
 * How many files were on the server before: of the last choice, and of those looked up along with it.
 */
export const skipped = signal(0)

let arrived: Arrived | undefined
let opening: Promise<Arrived> | undefined
const halves = createHalves()

/** The uploads of this page. */
export const uploads = createQueue({
  async send(item, watch) {
    const isKnown = (id: string) => arrived?.holds(id) ?? false
    const found = item.isUncertain ? await findStored(item, isKnown) : undefined
    if (!found) await folderTags.prepare(item.folders)
    // A file that was cancelled meanwhile is not in the list any more.
    watch.signal.throwIfAborted()
    // What is chosen after that is put on the file once it has arrived.
    if (!found) item.given = tagsBegun(item.file) ?? batch.tagsOf(item)
    const given = item.given!
    const { file, isNew } =
      found ?? (await sendFile(item.file, { tagIds: given, isHalf: halves.hasOther(item) }, watch))
    const { id, is_deleted: isInTrash, creator_name, version } = file
    if (!isInTrash) item.stored = { id, version }
    item.isDamaged = file.is_damaged
    const tags = file.tags.map((tag) => tag.id)
    if (isNew) {
      // A file that was found may have been sent before with other tags.
      const has = given.filter((tag) => tags.includes(tag))
      correctCounts(tags, 1)
      batch.arrive(id, item, has)
      batchPool.arrive(id)
      if (isAskedAbout(item, uploads.items)) void noteAlike(item, id)
    } else {
      noteHere(item, { id, isInTrash, tags, by: isOwn(file) ? null : creator_name })
    }
    return id
  },
  isDone: (key) => arrived?.idOf(key) !== undefined,
  onDone({ key, here }, id) {
    // A file in the trash is reported again when it is chosen again.
    if (!here?.isInTrash) arrived?.add(key, id)
  },
  isHeld: computed(() => isLost.value),
})

/** Records what looks like a file, if anything; without an answer the row stays as it is, since the file has arrived. */
async function noteAlike(item: Item, id: string): Promise<void> {
  try {
    const before = item.alike
    item.alike = await findAlike(id)
    if (before ?? item.alike) uploads.reportChange()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** How many files the user saw when rows were last asked about again. */
let seen: number | undefined

/**
 * Asks again about the files that look like another one, if files have come or gone since: that one may be
 * gone. Most changes leave all files, and a list may have many rows.
 */
async function lookAgain(): Promise<void> {
  const { isActive } = summaryOf(uploads.items)
  // One that arrives can make up for one that goes.
  if (isActive) seen = undefined
  const isShown = isPanelOpen.peek() && !isActive
  const rows = isShown ? uploads.items.filter(({ alike }) => alike) : []
  if (rows.length === 0) return
  try {
    const total = await countFiles()
    if (total === seen) return
    seen = total
    for (const item of rows) void noteAlike(item, item.stored!.id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/**
 * Records that a file was on the server before: choices for the list apply to it unless it is in the
 * trash.
 */
export function noteHere(item: Item, here: Here): void {
  item.here = here
  uploads.reportChange()
  if (here.isInTrash) return
  batch.arrive(here.id, item, [], here.tags)
  batchPool.arrive(here.id, true)
}

/** Milliseconds between two renderings of the progress. */
const FRAME = 200

/**
 * Follows the version of `uploads`, but throttled: three uploads change it more often than anybody can
 * see.
 */
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

/** Gives the files of the list tags named after their folders, or removes these tags. */
export async function tagByFolders(isOn: boolean): Promise<void> {
  folderTags.choose(isOn)
  try {
    // Files that are still to be sent get the tags when their turn comes.
    const done = uploads.items.filter(({ state }) => state === 'done')
    await folderTags.prepare(done.flatMap(({ folders }) => folders))
    batch.followFolders(() => folderTags.choose(!isOn))
  } catch (error) {
    folderTags.choose(false)
    complain(error)
  }
}

/** The tag that the first files of the list were dropped on, unless the user had already chosen it. */
let fallenOn: string | null = null
let turn: Promise<unknown> = Promise.resolve()
/**
 * Counts the choices that the server is being asked about, and their files; a cleared list starts
 * a new count.
 */
let asked = { choices: 0, here: 0 }

interface Known {
  one: Picked
  key: string
}

interface Rest {
  asked: typeof asked
  known: Known[]
  listed: number
}

/**
 * Uploads the files that the user chose, and skips those that were uploaded before. All of them get the
 * tag that they were dropped on; if they are the first of the list, it becomes the batch's tag.
 */
export async function upload(files: Picked[], tagId: string | null = null): Promise<void> {
  if (files.length === 0) return
  const queued = turn.then(() => queueNew(files, tagId))
  turn = queued.catch(() => undefined)
  // The next choice doesn't wait for the answer about these files.
  await skipKnown(await queued, tagId)
}

async function queueNew(files: Picked[], tagId: string | null): Promise<Rest> {
  opening ??= openArrived(session.peek()!.user.id)
  arrived = await opening
  const fresh: Picked[] = []
  const known: Known[] = []
  for (const one of files) {
    const key = keyOf(one.file)
    if (arrived.idOf(key) === undefined) fresh.push(one)
    else known.push({ one, key })
  }
  // A finished list in a closed panel was another batch, with tags of its own.
  if (!isPanelOpen.peek() && uploads.items.every(({ state }) => state === 'done')) clearUploads()
  isPanelOpen.value = true
  halves.note(files)
  asked.choices++
  return { asked, known, listed: queue(fresh, tagId) }
}

/** Adds files with the tag that they were dropped on; returns how many are in the list already. */
function queue(files: Picked[], tagId: string | null): number {
  if (files.length === 0) return 0
  if (uploads.items.length === 0) {
    // Tags that the user chose stay.
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
  folderTags.note(files)
  return uploads.add(files, isOfBatch ? [] : [tagId]).length
}

async function skipKnown(rest: Rest, tagId: string | null): Promise<void> {
  const { known, listed } = rest
  await evictGone(known)
  const ids: string[] = []
  const gone: Picked[] = []
  for (const { one, key } of known) {
    const id = arrived!.idOf(key)
    if (id === undefined) gone.push(one)
    else ids.push(id)
  }
  rest.asked.here += ids.length + listed + queue(gone, tagId)
  if (rest.asked === asked) skipped.value = asked.here
  if (--rest.asked.choices === 0) rest.asked.here = 0
  if (tagId !== null && ids.length > 0) tagFiles(ids, tagId).catch(complainUnlessLost)
}

/** Evicts files that were deleted for good since their upload. */
async function evictGone(known: Known[]): Promise<void> {
  if (known.length === 0 || isLost.peek()) return
  try {
    const ids = new Set(known.flatMap(({ key }) => arrived!.idOf(key) ?? []))
    arrived!.evict(await findGone([...ids]))
  } catch (error) {
    complainUnlessLost(error)
  }
}

/** Gives all files of the list a tag that the user chose. */
export function chooseTag(id: string): void {
  // The tag now stays when other files are dropped elsewhere, even if it was removed before.
  if (id === fallenOn) fallenOn = null
  batch.set([...new Set([...batch.tags.peek(), id])])
}

/** Removes finished files from the list, and cancels the others unless they are being sent. */
export function clearUploads(): void {
  const before = [...uploads.items]
  uploads.clear()
  for (const item of before) if (!uploads.items.includes(item)) void giveUp(item.file)
  skipped.value = 0
  asked = { choices: 0, here: 0 }
  letGo()
}

/** Cancels a file. */
export function dropUpload(item: Item): void {
  uploads.drop(item)
  void giveUp(item.file)
  letGo()
}

function letGo(): void {
  batch.letGo(uploads.items)
  if (uploads.items.length > 0) return
  fallenOn = null
  batchPool.letGo()
  folderTags.clear()
  halves.clear()
}

/** Milliseconds between two refreshes of a listing that grows. */
const PAUSE = 3000

/**
 * Shows uploaded files in the grid, and asks for confirmation before the page is left during uploads.
 */
export function watchUploads(): () => void {
  let arrivals = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    timer = undefined
    answered.value++
    listed.refresh().catch(complainUnlessLost)
  }
  const stop = effect(() => {
    void drawn.value
    const { done } = summaryOf(uploads.items)
    if (done > arrivals) timer ??= setTimeout(look, PAUSE)
    arrivals = done
  })
  const stopLooking = effect(() => {
    void [settled.value, isPanelOpen.value]
    void untracked(lookAgain)
  })
  const release = holdPage(mayArrive)
  return () => {
    stop()
    stopLooking()
    release()
    clearTimeout(timer)
  }
}

/** Whether files are being uploaded or may be retried: a reload would lose them. */
function mayArrive(): boolean {
  const { failed, isActive } = summaryOf(uploads.items)
  return isActive || failed > 0
}
