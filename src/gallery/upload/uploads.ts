import { computed, effect, signal } from '@preact/signals'
import { answered } from '../base/api.ts'
import { lostFor } from '../base/connection.ts'
import { holdPage } from '../base/leaving.ts'
import { session } from '../base/session.ts'
import { files as listed } from '../grid/index.ts'
import { complain, complainUnlessLost } from '../parts/toast.tsx'
import { correctCounts, tagFiles } from '../tagging/index.ts'
import { type Arrived, openArrived } from './arrived.ts'
import { batch, batchPool, folderTags } from './choices.ts'
import type { Picked } from './pick.ts'
import { createQueue, type Here, type Item, keyOf } from './queue.ts'
import { findGone, findStored, isOwn, sendFile } from './send.ts'
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
    const found = item.isInDoubt ? await findStored(item, isKnown) : undefined
    if (!found) await folderTags.prepare(item.folders)
    // What was given up meanwhile is not of the list any more.
    watch.signal.throwIfAborted()
    if (!found) item.given = batch.tagsOf(item)
    const given = item.given!
    const { file, isNew } = found ?? (await sendFile(item.file, given, watch))
    const { id, is_deleted: isInTrash, creator_name } = file
    const tags = file.tags.map((tag) => tag.id)
    if (isNew) {
      // One that was found may have been sent before with other tags.
      const has = given.filter((tag) => tags.includes(tag))
      correctCounts(tags, 1)
      batch.arrive(id, item, has)
      batchPool.arrive(id)
    } else {
      noteHere(item, { id, isInTrash, tags, by: isOwn(file) ? null : creator_name })
    }
    return id
  },
  isDone: (key) => arrived?.idOf(key) !== undefined,
  onDone({ key, here }, id) {
    // What is in the trash is told again when it is chosen again.
    if (!here?.isInTrash) arrived?.add(key, id)
  },
  isHeld: computed(() => lostFor.value !== null),
})

/** Notes that a file was on the server before: it follows the choices for the list unless it is in the trash. */
export function noteHere(item: Item, here: Here): void {
  item.here = here
  uploads.tellChanged()
  if (here.isInTrash) return
  batch.arrive(here.id, item, [], here.tags)
  batchPool.arrive(here.id, true)
}

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

/** Gives the files of the list tags of the names of their folders, or takes these off again. */
export async function tagByFolders(isOn: boolean): Promise<void> {
  folderTags.choose(isOn)
  try {
    // Those that are still to be sent see to it when it is their turn.
    const done = uploads.items.filter(({ state }) => state === 'done')
    await folderTags.prepare(done.flatMap(({ folders }) => folders))
    batch.followFolders(() => folderTags.choose(!isOn))
  } catch (error) {
    folderTags.choose(false)
    complain(error)
  }
}

/** The tag that the first files of the list fell on, and that nobody had chosen for it before. */
let fallenOn: string | null = null
let turn: Promise<unknown> = Promise.resolve()
/** The choices of files that the server is asked about at a time, begun anew by a cleared list. */
let asked = { choices: 0, here: 0 }

/** A file that has arrived before. */
interface Known {
  one: Picked
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
export async function upload(files: Picked[], tagId: string | null = null): Promise<void> {
  if (files.length === 0) return
  const queued = turn.then(() => queueNew(files, tagId))
  turn = queued.catch(() => undefined)
  // What is chosen next doesn't wait for the answer about these.
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
  // A list that has arrived and is out of sight was another batch, with tags of its own.
  if (!isPanelOpen.peek() && uploads.items.every(({ state }) => state === 'done')) clearUploads()
  isPanelOpen.value = true
  asked.choices++
  return { asked, known, listed: queue(fresh, tagId) }
}

/** Adds files with the tag that they fell on; returns how many of them are in the list already. */
function queue(files: Picked[], tagId: string | null): number {
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
  folderTags.note(files)
  return uploads.add(files, isOfBatch ? [] : [tagId]).length
}

async function skipKnown(rest: Rest, tagId: string | null): Promise<void> {
  const { known, listed } = rest
  await forgetGone(known)
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
  folderTags.clear()
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
