import { readAccess } from '../base/access.ts'
import { act, api, ask, asOneChange } from '../base/api.ts'
import { number } from '../base/format.ts'
import { withFilms } from '../base/pairs.ts'
import { inSlices, type Outcome, slicesOf, type Watch } from '../base/slices.ts'
import { undone } from '../base/undo/undo.ts'
import { complain, complainUnlessLost, toast } from '../parts/toast.tsx'
import { reloadTags } from '../tag-box/index.ts'
import { problem } from '../text/problem.ts'
import { sharing } from '../text/sharing.ts'
import { type Back, backBy } from './back.ts'
import { changeTag, shareTags } from './closed-tags.ts'
import { readState } from './read.ts'
import {
  type ClosedTag,
  type Draft,
  entriesAfter,
  type Lists,
  listsOf,
  rightsBefore,
} from './sight.ts'
import type { State, Subject } from './state.ts'
import { linesNow, linesOfSome } from './words.ts'

const MOST = 20

/**
 * Reports who sees something now that was shared, as stored on the server, and offers to take that back
 * where it is possible.
 */
export async function reportShared(
  subject: Subject,
  { rights, isPublic }: Draft,
  { operations, done, ids, tagCount = 0, back }: Sent,
): Promise<void> {
  const words = sharing()
  const few = new Set([...rights.keys()].slice(0, MOST))
  const lines: string[] = []
  if (done < ids.length) lines.push(`${words.ended(number(done), number(ids.length))}.`)
  try {
    const { signal } = new AbortController()
    // A change for everybody is reported for all people, because it changes what each of them sees.
    const isForAll = isPublic !== null || rights.size === 0
    if (isForAll) lines.push(...linesNow(await readState(subject, signal)))
    else lines.push(...linesOfSome(await readState(subject, signal, ({ id }) => few.has(id))))
  } catch (error) {
    complainUnlessLost(error)
  }
  if (tagCount > 0) lines.push(words.alsoTags(tagCount))
  const text = lines.join(' ')
  if (back === undefined) toast({ text, operation: operations })
  else toast({ text, ...(back && { action: takingBack(back) }) })
}

/** Returns the button that takes a change back; after a failure it is offered again for what is left. */
function takingBack(back: Back): { text: string; act(): void } {
  const { takeBack: text, takenBack } = sharing()
  const act = async () => {
    try {
      await asOneChange(back.take())
      toast({ text: takenBack })
    } catch (error) {
      if (!back.isLeft()) complain(error)
      else toast({ text: problem(error), kind: 'bad', action: takingBack(back) })
    }
  }
  return { text, act: () => void act() }
}

/** The result of a change of who sees something. */
interface Sent extends Outcome {
  /** The pictures whose lists were to be changed. */
  ids: string[]
  /** How many tags were shared along. */
  tagCount?: number
  /** Takes it back; null if that is impossible, absent if an undo of the operations does it. */
  back?: Back | null
}

interface Along extends Watch {
  /** Whether the pictures of a pool change with it. */
  hasPictures: boolean
  /** The tags that are shared along. */
  tags: readonly ClosedTag[]
  /** Called when it was taken back. */
  onBack?(ids: string[]): void
}

/** Changes who sees something, with its pictures and tags, and returns the result. */
export function send(subject: Subject, state: State, draft: Draft, along: Along): Promise<Sent> {
  return asOneChange(sendAll(subject, state, draft, along))
}

async function sendAll(
  subject: Subject,
  state: State,
  draft: Draft,
  { hasPictures, tags, onBack, ...watch }: Along,
): Promise<Sent> {
  let ids: string[] = []
  const operations: number[] = []
  try {
    if (!('files' in subject)) operations.push(...(await changeObject(subject, draft)))
    const change = changeOfPictures(state, draft)
    if (state.pictures && hasPictures && change) ids = await state.ids()
    const outcome = change ? await sharePictures(ids, change, watch) : { operations: [], done: 0 }
    operations.push(...outcome.operations)
    if (outcome.error !== undefined) return { ...outcome, operations, ids }
    const shared = await shareTags(tags, draft, watch.signal)
    operations.push(...shared.operations)
    const before = rightsBefore(state, draft, hasPictures)
    const isUndone = draft.rights.size === 0 && draft.sharesFiles === undefined
    const lists = change && change.add.length + change.remove.length > 0 ? ids : []
    const steps = () => [
      ...operations.toReversed().map((operation) => () => undo(operation)),
      ...shared.back.map((tag) => () => changeTag(tag)),
      async () => {
        if (!('files' in subject)) await changeObject(subject, before!)
      },
      () => unshare(lists, before!),
      async () => {
        if (shared.back.length > 0) await reloadTags()
        onBack?.(ids)
      },
    ]
    return {
      ...outcome,
      ...(shared.error !== undefined && { error: shared.error }),
      operations,
      ids,
      tagCount: shared.done,
      ...(!isUndone && { back: before && backBy(steps()) }),
    }
  } catch (error) {
    return { operations, done: 0, error, ids }
  }
}

async function undo(operation: number): Promise<void> {
  const params = { path: { operation } }
  await ask(api.POST('/api/v1/operations/{operation}/undo', { params }))
  undone.value = operation
}

async function unshare(ids: readonly string[], before: Draft): Promise<void> {
  const watch = { signal: new AbortController().signal, onProgress: () => {} }
  const { error } = await sharePictures(ids, { ...listsOf(before), isPublic: null }, watch)
  if (error !== undefined) throw error
}

/** Returns the change of the pictures' own lists; null for none. */
function changeOfPictures({ kind, sharesFiles }: State, draft: Draft): Change | null {
  const { isPublic } = draft
  const isThrough = kind === 'pool' && (draft.sharesFiles ?? sharesFiles)
  const { add, remove } = isThrough ? { add: [], remove: [] } : listsOf(draft)
  return isPublic === null && add.length + remove.length === 0 ? null : { add, remove, isPublic }
}

interface Change extends Lists {
  isPublic: boolean | null
}

/**
 * Changes the lists of pictures, in as many requests as needed. An undo restores whether everybody may view
 * them, and nothing else.
 */
export function sharePictures(
  ids: readonly string[],
  { add, remove, isPublic }: Change,
  watch: Watch,
): Promise<Outcome> {
  const share = async (slice: string[]) => {
    const file_ids = withFilms(slice)
    const body = { file_ids, add, remove, ...(isPublic !== null && { is_public: isPublic }) }
    const { operation } = await act(api.POST('/api/v1/files/bulk/share', { body }))
    return isPublic === null ? null : operation
  }
  return inSlices(slicesOf(ids, add.length + remove.length), share, watch)
}

/** Changes who sees a tag, a category or a pool; returns what of it can be undone. */
async function changeObject(
  subject: Exclude<Subject, { files: unknown }>,
  draft: Draft,
): Promise<number[]> {
  const [type, id] = objectOf(subject)
  if ('pool_id' in subject && draft.sharesFiles !== undefined) {
    await edit(subject, { shares_files: draft.sharesFiles })
  }
  if (draft.rights.size > 0) {
    // Another user's changes since then stay.
    const permissions = entriesAfter(await readAccess(type, id), draft)
    const params = { path: { object_type: type, object_id: id } }
    await act(api.PUT('/api/v1/acl/{object_type}/{object_id}', { params, body: { permissions } }))
  }
  if (draft.isPublic === null) return []
  const body = { is_public: draft.isPublic }
  const { operation } = await edit(subject, body)
  return operation === null ? [] : [operation]
}

function edit(
  subject: Exclude<Subject, { files: unknown }>,
  body: { is_public?: boolean; shares_files?: boolean },
) {
  if ('pool_id' in subject) {
    return act<unknown>(api.PATCH('/api/v1/pools/{pool_id}', { params: { path: subject }, body }))
  }
  if ('tag_id' in subject) {
    return act<unknown>(api.PATCH('/api/v1/tags/{tag_id}', { params: { path: subject }, body }))
  }
  const params = { path: subject }
  return act<unknown>(api.PATCH('/api/v1/categories/{category_id}', { params, body }))
}

function objectOf(
  subject: Exclude<Subject, { files: unknown }>,
): ['pool' | 'tag' | 'category', string] {
  if ('pool_id' in subject) return ['pool', subject.pool_id]
  if ('tag_id' in subject) return ['tag', subject.tag_id]
  return ['category', subject.category_id]
}
