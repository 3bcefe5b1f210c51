import type { z } from 'zod'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { compareText, fold } from '../db/text.ts'
import { type JsonText, jsonArray } from '../http/json.ts'
import { type TagView, viewTags } from './cache.ts'
import type { TagListQuery, TagOffsetPage } from './schema.ts'
import type { KnownTag } from './texts.ts'

/** Returns a page of the tags that `viewer` may view, all of them or those of one category. */
export function listTags(
  db: Db,
  viewer: User,
  query: z.output<typeof TagListQuery>,
  category_rid: number | null = null,
): JsonText<TagOffsetPage> {
  const { offset, limit } = query
  const view = viewTags(db, viewer)
  const search = fold(query.search ?? '')
  const tags = view
    .visible()
    .filter((tag) => tag.name_key.includes(search))
    .filter((tag) => category_rid === null || tag.category?.rid === category_rid)
  sortTags(tags, query, view)
  const items = view.texts(tags.slice(offset, offset + limit))
  return `{"items":${jsonArray(items)},"total":${tags.length},"offset":${offset},"limit":${limit}}`
}

// Sorts by what the viewer sees, ties by name, then id; tags without a key come last.
function sortTags(
  tags: KnownTag[],
  { sort, order }: Pick<z.output<typeof TagListQuery>, 'sort' | 'order'>,
  view: TagView,
): void {
  const sign = order === 'asc' ? 1 : -1
  if (sort === 'name') {
    tags.sort((a, b) => sign * compareText(a.name_key, b.name_key) || a.rank - b.rank)
    return
  }
  if (sort === 'created') {
    tags.sort((a, b) => sign * (a.rid - b.rid))
    return
  }
  const key = (tag: KnownTag) =>
    sort === 'color' ? tag.color?.toLowerCase() : view.categoryOf(tag)?.name_key
  tags.sort((a, b) => {
    const [x, y] = [key(a), key(b)]
    if (x === undefined || y === undefined) {
      return Number(x === undefined) - Number(y === undefined) || a.rank - b.rank
    }
    return sign * compareText(x, y) || a.rank - b.rank
  })
}
