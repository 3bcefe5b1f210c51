import { Hono } from 'hono'
import { creatorsOnly, requireCreator } from '../acl/access.ts'
import { writeAs } from '../auth/write-as.ts'
import { isoTime } from '../base/time.ts'
import type { User } from '../base/user.ts'
import { idTime } from '../db/ids.ts'
import type { WriteDeps } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import { NamedListQuery } from '../http/fields.ts'
import { jsonPage } from '../http/json.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody, validPath, validQuery } from '../http/validate.ts'
import { createCategory, editCategory, removeCategory } from './edit.ts'
import { type CategoryRecord, listCategories, loadCategory } from './queries.ts'
import {
  Category,
  CategoryCreate,
  CategoryOffsetPage,
  CategoryPath,
  CategoryUpdate,
} from './schema.ts'

/** Returns the routes of categories. */
export function categoryRoutes(deps: WriteDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()
  const present = (user: User, id: string) => presentCategory(loadCategory(db, user, id, 'view'))

  routes.get(
    '/categories',
    operation({
      id: 'listCategories',
      tag: 'Categories',
      scope: 'read',
      summary: 'List categories',
      description: 'Those that the caller may view.',
      responses: { 200: { description: 'A page of categories', schema: CategoryOffsetPage } },
    }),
    validQuery(NamedListQuery),
    (c) => {
      const query = c.req.valid('query')
      const { rows, total } = listCategories(db, c.var.user, query)
      const { offset, limit } = query
      const items = rows.map(presentCategory)
      return jsonPage<CategoryOffsetPage>(c, { items, total, offset, limit })
    },
  )

  routes.post(
    '/categories',
    operation({
      id: 'createCategory',
      tag: 'Categories',
      scope: 'admin',
      summary: 'Create a category',
      description:
        'For users who may create. A user who is not an admin may create at most 1,000 ' +
        'categories. Any more get 409, and so does a name that another category has.',
      isAudited: true,
      responses: { 201: { description: 'The new category', schema: Category } },
      errors: ['conflict'],
    }),
    creatorsOnly,
    validBody(CategoryCreate),
    (c) => {
      const category = writeAs(deps, c, (tx, user) => {
        requireCreator(user)
        return present(user, createCategory(tx, user, c.req.valid('json')))
      })
      return c.json(category, 201)
    },
  )

  const path = '/categories/:category_id'

  routes.get(
    path,
    operation({
      id: 'getCategory',
      tag: 'Categories',
      scope: 'read',
      summary: 'Get a category',
      description: 'For callers who may view it.',
      responses: { 200: { description: 'The category', schema: Category } },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(CategoryPath),
    (c) => {
      return c.json(present(c.var.user, c.req.valid('param').category_id))
    },
  )

  routes.patch(
    path,
    operation({
      id: 'updateCategory',
      tag: 'Categories',
      scope: 'admin',
      summary: 'Change a category',
      description:
        'For callers who may edit it. Absent fields stay as they are; `null` clears a field ' +
        'that may be null. A name that another category has gets 409.',
      isAudited: true,
      responses: { 200: { description: 'The changed category', schema: Category } },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(CategoryPath),
    validBody(CategoryUpdate),
    (c) => {
      const category = writeAs(deps, c, (tx, user) => {
        const category = loadCategory(tx, user, c.req.valid('param').category_id, 'edit')
        editCategory(tx, user, category, c.req.valid('json'))
        return present(user, category.id)
      })
      return c.json(category)
    },
  )

  routes.delete(
    path,
    operation({
      id: 'deleteCategory',
      tag: 'Categories',
      scope: 'admin',
      summary: 'Delete a category; its tags stay',
      description: 'For callers who may edit it. Its tags stay, without a category.',
      isAudited: true,
      isDeletion: true,
      responses: { 204: null },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(CategoryPath),
    (c) => {
      writeAs(deps, c, (tx, user) => {
        const category = loadCategory(tx, user, c.req.valid('param').category_id, 'edit')
        removeCategory(tx, user, category)
      })
      return c.body(null, 204)
    },
  )

  return routes
}

function presentCategory(category: CategoryRecord): Category {
  return {
    id: category.id,
    name: category.name,
    notes: category.notes,
    color: category.color,
    metadata: category.metadata && JSON.parse(category.metadata),
    creator_id: category.creator_id,
    creator_name: category.creator_name,
    is_public: category.is_public,
    created_at: isoTime(idTime(category.id)),
  }
}
