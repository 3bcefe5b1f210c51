import { act, api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import type { Listing } from '../base/listing.ts'
import { withFilms } from '../base/pairs.ts'
import { inSlices, type Outcome, slicesOf, type Watch } from '../base/slices.ts'
import { type Edit, mergedCommon, type OnFiles } from './edits.ts'

/** The files that are changed together. */
export interface Target {
  /** Identifies the target. */
  key: string
  /** The number of files. */
  count: number
  /** Returns their ids; for everything in a listing it loads them. */
  ids(): Promise<Ids>
  /** The listing that contains exactly these files; undefined if some of it is left out. */
  listing?: Listing | undefined
  /** Shows the files that could not be changed. */
  show?(ids: string[]): void
}

export interface Ids {
  ids: string[]
  /** The files that the caller may not edit, as far as the page knows. */
  locked: string[]
}

/** The result of tagging a target. */
export interface Tagged extends Outcome {
  locked: string[]
  /** The file's tags, if it is a single file and the answer contains them. */
  tags?: OnFiles[]
}

export function oneFile(id: string): Target {
  return { key: id, count: 1, ids: async () => ({ ids: [id], locked: [] }) }
}

function asOnFiles(tags: { id: string; by_rule: boolean }[]): OnFiles[] {
  return tags.map(({ id, by_rule }) => ({ id, on: 'all', byRule: by_rule }))
}

/** Returns the tags of the files of a target. Throws an ApiError. */
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
 * Adds tags to the files of a target or removes them, and returns the result; `following` is the number
 * of tags that rules will add. A single tag of a single file gets its own kind of request, because that
 * reports why it fails.
 */
export async function send(
  target: Target,
  edit: Edit,
  following: number,
  watch: Watch,
): Promise<Tagged> {
  try {
    const { ids, locked } = await target.ids()
    const isOne = withFilms(ids).length === 1
    if (isOne && edit.ids.length === 1) return await sendOne(ids[0]!, edit)
    const { action, ids: tag_ids } = edit
    const outcome = await inSlices(
      slicesOf(ids, tag_ids.length + following),
      async (slice) => {
        const body = { file_ids: withFilms(slice), action, tag_ids }
        return (await act(api.POST('/api/v1/files/bulk/tags', { body }))).operation
      },
      watch,
    )
    if (ids.length !== 1 || outcome.done === 0) return { ...outcome, locked }
    // The request silently skips a file that the caller may not edit.
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
