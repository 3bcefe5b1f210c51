import { api } from '../../base/api.ts'
import { ApiError } from '../../base/error.ts'
import { toast } from '../../parts/toast.tsx'
import { addTag, correctCounts, reloadTags, showTags, type Tag } from '../../tagging/index.ts'
import { problem } from '../../text/problem.ts'
import { tagPage } from '../../text/tag-page.ts'
import { change } from './changes.ts'

/** Merges a tag into another one, which so many files get that lack it. */
export async function mergeTags(tag: Tag, into: Tag, lacking: number): Promise<void> {
  const words = tagPage()
  showTags((all) => all.filter(({ id }) => id !== tag.id))
  const params = { path: { tag_id: tag.id } }
  const done = await change({
    subject: tag.id,
    call: () => api.POST('/api/v1/tags/{tag_id}/merge', { params, body: { into: into.id } }),
    back: () => addTag(tag),
    failed: (error) => words.notMerged(tag.name, into.name, whyNot(error)),
  })
  if (!done) return
  correctCounts([into.id], lacking)
  // The rules of the one are now those of the other.
  void reloadTags()
  toast({ text: words.merged(tag.name, into.name), operation: done.operation })
}

function whyNot(error: unknown): string {
  const isConflict = error instanceof ApiError && error.code === 'conflict'
  return isConflict ? tagPage().noMerge : problem(error)
}
