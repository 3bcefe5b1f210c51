import { Hono } from 'hono'
import { writeAs } from '../../auth/write-as.ts'
import type { AppEnv } from '../../http/env.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validBody } from '../../http/validate.ts'
import { type RemovalDeps, removeContents } from '../content/removals.ts'
import { AppliedTags, BulkFiles, BulkReview, BulkTags, CommonTags } from '../schema.ts'
import { bulkDelete, bulkPurge, bulkRestore, bulkReview, bulkTags, commonTags } from './bulk.ts'
import { BulkResult, BulkUpdate } from './schema.ts'
import { bulkUpdate } from './update.ts'

/** Returns the routes that change or compare many files at once. */
export function bulkRoutes(deps: RemovalDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()

  routes.post(
    '/files/bulk/tags',
    operation({
      id: 'bulkTags',
      tag: 'Bulk',
      scope: 'tag',
      summary: 'Add tags to many files or remove tags from them',
      description:
        'The number of files times the number of tags, including tags that follow by rules, may ' +
        'be at most 40,000. Files that do not exist or that the caller may not edit are ' +
        'skipped. If one of the others would have more than 1,000 tags, including hidden ones, ' +
        'the answer is 409 and nothing has changed.',
      isAudited: true,
      responses: {
        200: { description: 'The named tags and those that followed', schema: AppliedTags },
      },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validBody(BulkTags),
    (c) => {
      const request = c.req.valid('json')
      const applied_tag_ids = writeAs(deps, c, (tx, user) => bulkTags(tx, user, request))
      return c.json({ applied_tag_ids })
    },
  )

  routes.post(
    '/files/bulk/update',
    operation({
      id: 'bulkUpdate',
      tag: 'Bulk',
      scope: 'admin',
      summary: 'Change fields of many files, move their dates, or turn them',
      description:
        'Files are skipped if they do not exist, if the caller may not edit them, or if their ' +
        'date would leave the years 0001 to 9999. When notes are changed, the old and the new ' +
        'notes of all files together may have at most 4 MiB.',
      isAudited: true,
      responses: { 200: { description: 'What happened to the files', schema: BulkResult } },
    }),
    validBody(BulkUpdate),
    (c) => {
      const request = c.req.valid('json')
      return c.json(writeAs(deps, c, (tx, user) => bulkUpdate(tx, user, request)))
    },
  )

  routes.post(
    '/files/bulk/delete',
    operation({
      id: 'bulkDelete',
      tag: 'Bulk',
      scope: 'admin',
      summary: 'Move many files to the trash',
      description: 'Files that do not exist or that the caller may not edit are skipped.',
      isAudited: true,
      isDeletion: true,
      responses: { 204: null },
    }),
    validBody(BulkFiles),
    (c) => {
      const { file_ids } = c.req.valid('json')
      writeAs(deps, c, (tx, user) => bulkDelete(tx, user, file_ids), { isDeletion: true })
      return c.body(null, 204)
    },
  )

  routes.post(
    '/files/bulk/restore',
    operation({
      id: 'bulkRestore',
      tag: 'Bulk',
      scope: 'admin',
      summary: 'Restore many files from the trash',
      description: 'Files that do not exist or that the caller may not edit are skipped.',
      isAudited: true,
      responses: { 200: { description: 'What happened to the files', schema: BulkResult } },
    }),
    validBody(BulkFiles),
    (c) => {
      const { file_ids } = c.req.valid('json')
      return c.json(writeAs(deps, c, (tx, user) => bulkRestore(tx, user, file_ids)))
    },
  )

  routes.post(
    '/files/bulk/permanent',
    operation({
      id: 'bulkDeletePermanently',
      tag: 'Bulk',
      scope: 'admin',
      summary: 'Delete many trashed files for good',
      description:
        'Their contents are also deleted, and they are removed from all pools. Files are ' +
        'skipped if they do not exist, if the caller may not edit them, or if they are not in ' +
        'the trash.',
      isAudited: true,
      isDeletion: true,
      responses: { 200: { description: 'What happened to the files', schema: BulkResult } },
    }),
    validBody(BulkFiles),
    async (c) => {
      const { file_ids } = c.req.valid('json')
      const { result, blobs } = writeAs(deps, c, (tx, user) => bulkPurge(tx, user, file_ids), {
        isDeletion: true,
      })
      await removeContents(deps, blobs)
      return c.json(result)
    },
  )

  routes.post(
    '/files/bulk/review',
    operation({
      id: 'bulkReview',
      tag: 'Bulk',
      scope: 'tag',
      summary: 'Mark many files as reviewed or as needing review',
      description: 'Files that do not exist or that the caller may not edit are skipped.',
      isAudited: true,
      responses: { 204: null },
    }),
    validBody(BulkReview),
    (c) => {
      const request = c.req.valid('json')
      writeAs(deps, c, (tx, user) => bulkReview(tx, user, request))
      return c.body(null, 204)
    },
  )

  routes.post(
    '/files/bulk/common-tags',
    operation({
      id: 'commonTags',
      tag: 'Bulk',
      scope: 'read',
      summary: 'Compare the tags of many files',
      description: 'Only files and tags that the caller may view are compared.',
      responses: {
        200: {
          description: 'The tags on all of the files and those on only some',
          schema: CommonTags,
        },
      },
    }),
    validBody(BulkFiles),
    async (c) => {
      return c.json(await commonTags(db, c.var.user, c.req.valid('json').file_ids))
    },
  )

  return routes
}
