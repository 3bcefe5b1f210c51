import { Hono } from 'hono'
import { creatorsOnly, requireCreator } from '../acl/access.ts'
import { requireExists } from '../acl/queries.ts'
import { requireSameViewers } from '../auth/keys/scopes.ts'
import { writeAs } from '../auth/write-as.ts'
import { invalid } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import { loadCategory } from '../categories/queries.ts'
import { CategoryPath } from '../categories/schema.ts'
import type { AppEnv } from '../http/env.ts'
import { OffsetQuery } from '../http/fields.ts'
import { type JsonText, jsonText } from '../http/json.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody, validPath, validQuery } from '../http/validate.ts'
import { type LongWriteDeps, writeLongAs } from '../long-changes/write-long.ts'
import { viewTags } from './cache.ts'
import { createTag, editTag } from './edit.ts'
import { listTags } from './list.ts'
import { mergeTag } from './merge/merge.ts'
import { loadTag } from './queries.ts'
import { removalUnderWay, removeTag } from './remove.ts'
import {
  Tag,
  TagCreate,
  TagListQuery,
  TagMerge,
  TagOffsetPage,
  TagPath,
  TagUpdate,
} from './schema.ts'

/** Returns the routes of tags and of a category's tags. */
export function tagRoutes(deps: LongWriteDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()
  const present = (user: User, id: string): JsonText<Tag> => {
    const view = viewTags(db, user)
    return view.texts([view.byId(id)!])[0]!
  }

  routes.get(
    '/tags',
    operation({
      id: 'listTags',
      tag: 'Tags',
      scope: 'read',
      summary: 'List tags',
      description:
        'Those that the caller may view. When they are sorted by colour or category, tags ' +
        'without one come last.',
      responses: { 200: { description: 'A page of tags', schema: TagOffsetPage } },
    }),
    validQuery(TagListQuery),
    (c) => {
      return jsonText(c, listTags(db, c.var.user, c.req.valid('query')))
    },
  )

  routes.post(
    '/tags',
    operation({
      id: 'createTag',
      tag: 'Tags',
      scope: 'tag',
      summary: 'Create a tag',
      description:
        'For users who may create. A user who is not an admin may create at most 10,000 tags. ' +
        'Any more get 409.',
      isAudited: true,
      responses: { 201: { description: 'The new tag', schema: Tag } },
      errors: ['not_found', 'conflict'],
    }),
    creatorsOnly,
    validBody(TagCreate),
    (c) => {
      requireSameViewers(c, c.req.valid('json'))
      const text = writeAs(deps, c, (tx, user) => {
        requireCreator(user)
        return present(user, createTag(tx, user, c.req.valid('json')))
      })
      return jsonText(c, text, 201)
    },
  )

  routes.get(
    '/tags/:tag_id',
    operation({
      id: 'getTag',
      tag: 'Tags',
      scope: 'read',
      summary: 'Get a tag',
      description: 'For callers who may view it.',
      responses: { 200: { description: 'The tag', schema: Tag } },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(TagPath),
    (c) => {
      const tag = loadTag(db, c.var.user, c.req.valid('param').tag_id, 'view')
      return jsonText(c, present(c.var.user, tag.id))
    },
  )

  routes.patch(
    '/tags/:tag_id',
    operation({
      id: 'updateTag',
      tag: 'Tags',
      scope: 'admin',
      summary: 'Change a tag',
      description:
        'For callers who may edit it. Absent fields stay as they are; `null` clears a field ' +
        'that may be null. A name that another tag has gets 409.',
      isAudited: true,
      responses: { 200: { description: 'The changed tag', schema: Tag } },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(TagPath),
    validBody(TagUpdate),
    (c) => {
      const text = writeAs(deps, c, (tx, user) => {
        const update = c.req.valid('json')
        if (update.category_id) requireExists(tx, 'category', update.category_id)
        const tag = loadTag(tx, user, c.req.valid('param').tag_id, 'edit')
        editTag(tx, user, tag, update)
        return present(user, tag.id)
      })
      return jsonText(c, text)
    },
  )

  routes.delete(
    '/tags/:tag_id',
    operation({
      id: 'deleteTag',
      tag: 'Tags',
      scope: 'admin',
      summary: 'Delete a tag',
      description:
        'It disappears at once, with its rules. The answer comes when it has been removed from ' +
        'all files; other requests go on meanwhile. A tag that is being merged with another one ' +
        'is not deleted, and the answer is 409.',
      isAudited: true,
      isDeletion: true,
      responses: { 204: null },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(TagPath),
    async (c) => {
      const { tag_id } = c.req.valid('param')
      await writeLongAs(deps, c, (tx, user) => {
        return (
          removalUnderWay(tx, user, tag_id) ??
          removeTag(tx, user, loadTag(tx, user, tag_id, 'edit'))
        )
      })
      return c.body(null, 204)
    },
  )

  routes.post(
    '/tags/:tag_id/merge',
    operation({
      id: 'mergeTag',
      tag: 'Tags',
      scope: 'admin',
      summary: 'Merge a tag into another one',
      description:
        'For callers who may edit both. All files that carry the tag lose it and get the other ' +
        'one, with the tags that follow from that, no matter who owns them. It counts as put on ' +
        'by hand if one of the two was. The other tag keeps its fields and rights and takes ' +
        'over the rules of the tag, on either side, except those between the two. A rule that ' +
        'both have is active if one of them was. Then the tag is deleted. If more than 200 tags ' +
        'would follow from one, nothing is changed and the answer is 409. A file that has no ' +
        'room for what follows from the other tag gets only that tag. The answer comes when all ' +
        'files are done; other requests go on meanwhile. Until then, putting the old tag on a ' +
        'file puts the other one on, and neither can be deleted or merged (409).',
      isAudited: true,
      responses: { 200: { description: 'The other tag', schema: Tag } },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(TagPath),
    validBody(TagMerge),
    async (c) => {
      const { tag_id } = c.req.valid('param')
      const { into } = c.req.valid('json')
      if (into === tag_id) throw invalid('into', 'must be a different tag')
      await writeLongAs(deps, c, (tx, user) => {
        requireExists(tx, 'tag', into)
        const old = loadTag(tx, user, tag_id, 'edit')
        return mergeTag(tx, user, { old, into: loadTag(tx, user, into, 'edit') })
      })
      // Another user may have changed the tag since.
      const { id } = loadTag(db, c.var.user, into, 'view')
      return jsonText(c, present(c.var.user, id))
    },
  )

  routes.get(
    '/categories/:category_id/tags',
    operation({
      id: 'listCategoryTags',
      tag: 'Categories',
      scope: 'read',
      summary: 'List the tags of a category',
      description:
        'For callers who may view the category. Lists those of its tags that they may view.',
      responses: { 200: { description: 'A page of tags, newest first', schema: TagOffsetPage } },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(CategoryPath),
    validQuery(OffsetQuery),
    (c) => {
      const category = loadCategory(db, c.var.user, c.req.valid('param').category_id, 'view')
      const newestFirst = { ...c.req.valid('query'), sort: 'created', order: 'desc' } as const
      return jsonText(c, listTags(db, c.var.user, newestFirst, category.rid))
    },
  )

  return routes
}
