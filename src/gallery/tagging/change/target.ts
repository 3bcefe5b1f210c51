import { act, api, ask } from '../../base/api.ts'
import { ApiError } from '../../base/error.ts'
import type { Listing } from '../../base/listing.ts'
import { inSlices, type Outcome, slicesOf, type Watch } from '../../base/slices.ts'
import { type Edit, mergedCommon, type OnFiles } from './edits.ts'

/** The files that are changed together. */
export interface Target {
  /** Tells one target from another. */
  key: string
  /** How many files they are. */
  count: number
  /** Their ids; of everything in a listing they are loaded now. */
  ids(): Promise<Ids>
  /** The listing that they are all of; undefined when some of it is left out. */
  listing?: Listing | undefined
  /** Shows those that could not be changed. */
  show?(ids: string[]): void
}

export interface Ids {
  ids: string[]
  /** Those of them that the caller may not edit, as far as the page knows. */
  locked: string[]
}

/** What became of the tags of a target. */
export interface Tagged extends Outcome {
  locked: string[]
  /** The tags of the file, when it is one and the answer told them. */
  tags?: OnFiles[]
}

/** Returns the target of one file. */
export function oneFile(id: string): Target {
  return { key: id, count: 1, ids: async () => ({ ids: [id], locked: [] }) }
}

/** Returns the tags of one file as they are shown. */
function asOnFiles(tags: { id: string; by_rule: boolean }[]): OnFiles[] {
  return tags.map(({ id, by_rule }) => ({ id, on: 'all', byRule: by_rule }))
}

/** Returns the tags that are on the files of a target. Throws an ApiError. */
export async function loadTags(target: Target): Promise<OnFiles[]> {
  const { ids } = await target.ids()
  if (ids.length === 0) return []
  if (ids.length === 1) {
    const params = { path: { file_id: ids[0]! } }
    return asOnFiles(await ask(api.GET('/api/v1/files/{file_id}/tags', { params })))
  }
  const parts = await Promise.all(
    slicesOf(ids).map((file_ids) =>
      ask(api.POST('/api/v1/files/bulk/common-tags', { body: { file_ids } })),
    ),
  )
  const { common, partial } = mergedCommon(parts)
  return [
    ...common.map((id): OnFiles => ({ id, on: 'all', byRule: false })),
    ...partial.map((id): OnFiles => ({ id, on: 'some', byRule: false })),
  ]
}

/**
 * Puts tags on the files of a target, or takes them off, and returns how far that went;
 * `following` is the number of tags that will come along. A single tag of a single file is asked
 * for by itself, because that tells why it can't be done.
 */
export async function send(
  target: Target,
  edit: Edit,
  following: number,
  watch: Watch,
): Promise<Tagged> {
  try {
    const { ids, locked } = await target.ids()
    if (ids.length === 1 && edit.ids.length === 1) return await sendOne(ids[0]!, edit)
    const { action, ids: tag_ids } = edit
    const outcome = await inSlices(
      slicesOf(ids, tag_ids.length + following),
      async (file_ids) => {
        const body = { file_ids, action, tag_ids }
        return (await act(api.POST('/api/v1/files/bulk/tags', { body }))).operation
      },
      watch,
    )
    if (ids.length !== 1 || outcome.done === 0) return { ...outcome, locked }
    // That request skips in silence a file that may not be edited.
    const tags = await loadTags(target)
    const isDone = tag_ids.every((id) => tags.some((tag) => tag.id === id) === (action === 'add'))
    if (isDone) return { ...outcome, locked, tags }
    return { operations: [], done: 0, locked, tags, error: new ApiError(403, 'forbidden') }
  } catch (error) {
    return { operations: [], done: 0, locked: [], error }
  }
}

async function sendOne(file_id: string, { action, ids: [tag_id] }: Edit): Promise<Tagged> {
  const params = { path: { file_id, tag_id: tag_id! } }
  const { data, operation } =
    action === 'remove'
      ? await act(api.DELETE('/api/v1/files/{file_id}/tags/{tag_id}', { params }))
      : await act(api.PUT('/api/v1/files/{file_id}/tags/{tag_id}', { params }))
  return {
    operations: operation === null ? [] : [operation],
    done: 1,
    locked: [],
    ...(data && { tags: asOnFiles(data) }),
  }
}
