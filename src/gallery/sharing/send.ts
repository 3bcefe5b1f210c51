import { readAccess } from '../base/access.ts'
import { act, api, asOneChange } from '../base/api.ts'
import { number } from '../base/format.ts'
import { inSlices, type Outcome, slicesOf, type Watch } from '../base/slices.ts'
import { complainUnlessLost, toast } from '../parts/toast.tsx'
import { sharing } from '../text/sharing.ts'
import { readState } from './read.ts'
import { type Draft, entriesAfter, isEmpty, type Lists, listsOf } from './sight.ts'
import type { State, Subject } from './state.ts'
import { linesNow, linesOfSome } from './words.ts'

const MOST = 20

/**
 * Reports who sees something now that was shared, as stored on the server, and that this can't be
 * undone.
 */
export async function reportShared(
  subject: Subject,
  { rights, isPublic }: Draft,
  { operations, done, ids }: Sent,
): Promise<void> {
  const words = sharing()
  const isUndone = rights.size === 0 && operations.length > 0
  const few = new Set([...rights.keys()].slice(0, MOST))
  const lines: string[] = []
  if (done < ids.length) lines.push(`${words.ended(number(done), number(ids.length))}.`)
  try {
    const { signal } = new AbortController()
    // A change for everybody is reported for all people, because it changes what each of them sees.
    if (isPublic !== null) lines.push(...linesNow(await readState(subject, signal)))
    else lines.push(...linesOfSome(await readState(subject, signal, ({ id }) => few.has(id))))
  } catch (error) {
    complainUnlessLost(error)
  }
  if (!isUndone) lines.push(words.toastNoUndo)
  toast({ text: lines.join(' '), ...(isUndone && { operation: operations }) })
}

/** The result of a change of who sees something. */
interface Sent extends Outcome {
  /** The pictures whose lists were to be changed. */
  ids: string[]
}

/**
 * Changes who sees something, including its pictures with `hasPictures`, and returns the result. That
 * contains operations to undo only if nothing else was changed.
 */
export function send(
  subject: Subject,
  state: State,
  draft: Draft,
  { hasPictures, ...watch }: Watch & { hasPictures: boolean },
): Promise<Sent> {
  return asOneChange(sendAll(subject, state, draft, { hasPictures, ...watch }))
}

async function sendAll(
  subject: Subject,
  state: State,
  draft: Draft,
  { hasPictures, ...watch }: Watch & { hasPictures: boolean },
): Promise<Sent> {
  let ids: string[] = []
  const operations: number[] = []
  try {
    if (!('files' in subject)) operations.push(...(await changeObject(subject, draft)))
    if (state.pictures && hasPictures) ids = await state.ids()
    const isFinal = draft.rights.size > 0
    const change = { ...listsOf(draft), isPublic: draft.isPublic }
    const outcome = await sharePictures(isEmpty(draft) ? [] : ids, change, { ...watch, isFinal })
    return { ...outcome, operations: [...operations, ...outcome.operations], ids }
  } catch (error) {
    return { operations, done: 0, error, ids }
  }
}

interface Change extends Lists {
  isPublic: boolean | null
}

/** Changes the lists of pictures, in as many requests as needed. With `isFinal`, it can't be undone. */
export function sharePictures(
  ids: readonly string[],
  { add, remove, isPublic }: Change,
  { isFinal, ...watch }: Watch & { isFinal: boolean },
): Promise<Outcome> {
  const share = async (file_ids: string[]) => {
    const body = { file_ids, add, remove, ...(isPublic !== null && { is_public: isPublic }) }
    const { operation } = await act(api.POST('/api/v1/files/bulk/share', { body }))
    return isFinal ? null : operation
  }
  return inSlices(slicesOf(ids, add.length + remove.length), share, watch)
}

/** Changes who sees a tag, a category or a pool; returns what of it can be undone. */
async function changeObject(
  subject: Exclude<Subject, { files: unknown }>,
  draft: Draft,
): Promise<number[]> {
  const [type, id] = objectOf(subject)
  if (draft.rights.size > 0) {
    // Another user's changes since then stay.
    const permissions = entriesAfter(await readAccess(type, id), draft)
    const params = { path: { object_type: type, object_id: id } }
    await act(api.PUT('/api/v1/acl/{object_type}/{object_id}', { params, body: { permissions } }))
  }
  if (draft.isPublic === null) return []
  const body = { is_public: draft.isPublic }
  const { operation } = await edit(subject, body)
  return operation === null || draft.rights.size > 0 ? [] : [operation]
}

function edit(subject: Exclude<Subject, { files: unknown }>, body: { is_public: boolean }) {
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
