import { computed } from '@preact/signals'
import { act, api } from '../base/api.ts'
import { session } from '../base/session.ts'
import { remember } from '../base/undo/undo.ts'
import { toast } from '../parts/toast.tsx'
import {
  correctCounts,
  createTag,
  ownName,
  reloadTags,
  tagFinder,
  tags,
  tagsById,
  tagsError,
} from '../tag-box/index.ts'
import { poolBox } from '../text/pool-box.ts'
import { problem } from '../text/problem.ts'
import { tagBox } from '../text/tag-box.ts'
import { upload as words } from '../text/upload.ts'
import { createBatch } from './batch.ts'
import { createFolderTags } from './folder-tags.ts'
import { createBatchPool } from './pool.ts'

const found = computed(() => tagFinder(tags.value))

/** The tags of the folders that the files of the list came from. */
export const folderTags = createFolderTags({
  find: (name) => found.value(name),
  holds: (id) => tagsById.value.has(id),
  async make(name) {
    return (await createTag({ name })).data.id
  },
  ownName: (name, taken) => ownName(name, session.peek()!.user.name, taken),
  async reload() {
    await reloadTags()
    const error = tagsError.peek()
    if (error) throw error
  },
})

/** The tags of the files of the list. */
export const batch = createBatch({
  byFolders: (item) => folderTags.tagsOf(item),
  async change(action, file_ids, tag) {
    const body = { action, file_ids, tag_ids: [tag] }
    const { data, operation } = await act(api.POST('/api/v1/files/bulk/tags', { body }))
    if (action === 'add') correctCounts(data.applied_tag_ids, file_ids.length)
    else correctCounts([tag], -file_ids.length)
    return operation
  },
  onChanged: remember,
  onFailed(error, change, retry) {
    const action = retry && { text: words().tryAgain, act: retry }
    const text = tagBox()[change === 'add' ? 'notTagged' : 'notRemoved'](problem(error))
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
    const text = poolBox().notPut(problem(error))
    toast({ text, kind: 'bad', ...(action && { action }) })
  },
})
