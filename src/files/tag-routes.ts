import { Hono } from 'hono'
import { z } from 'zod'
import { requireExists } from '../acl/queries.ts'
import { audit } from '../audit/record.ts'
import { writeAs } from '../auth/write-as.ts'
import type { User } from '../base/user.ts'
import type { Tx, WriteDeps } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import { jsonText } from '../http/json.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody, validPath, validQuery } from '../http/validate.ts'
import { type AddedTags, addTags, removeTags, withFollowing } from '../tags/apply.ts'
import { viewTags } from '../tags/cache.ts'
import { loadTag, loadTagRids, tagIds } from '../tags/queries.ts'
import { TagFilesQuery, TagPath } from '../tags/schema.ts'
import { listFilesOfTag } from './find/list.ts'
import { presentFileTags } from './present.ts'
import { type FileRecord, listFileTags, loadFile } from './queries.ts'
import { FileCursorPage, FilePath, FileTag, FileTagPath, FileTags } from './schema.ts'

/** Returns the routes of a file's tags and of a tag's files. */
export function fileTagRoutes(deps: WriteDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()

  routes.get(
    '/files/:file_id/tags',
    operation({
      id: 'listFileTags',
      tag: 'File tags',
      scope: 'read',
      summary: 'List the tags of a file',
      description:
        'For callers who may view the file. Lists those of its tags that they may view, ' +
        'including tags that followed by rules.',
      responses: {
        200: { description: 'The tags of the file, by name', schema: z.array(FileTag) },
      },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    (c) => {
      const file = loadFile(db, c.var.user, c.req.valid('param').file_id, 'view')
      return jsonText(c, presentFileTags(db, c.var.user, file.rid))
    },
  )

  routes.put(
    '/files/:file_id/tags',
    operation({
      id: 'replaceFileTags',
      tag: 'File tags',
      scope: 'tag',
      summary: 'Replace all tags of a file',
      description:
        'Tags that follow from these by rules are also added. Tags that the caller may not view ' +
        'stay on the file. A file may have at most 1,000 tags, including hidden ones. More get ' +
        '409.',
      isAudited: true,
      responses: {
        200: {
          description: 'The tags of the file, including those that followed by rules',
          schema: z.array(FileTag),
        },
      },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(FilePath),
    validBody(FileTags),
    (c) => {
      const text = writeAs(deps, c, (tx, user) => {
        const { file_id } = c.req.valid('param')
        requireExists(tx, 'file', file_id)
        const named = loadTagRids(tx, user, c.req.valid('json').tag_ids)
        const file = loadFile(tx, user, file_id, 'edit')
        const wanted = withFollowing(tx, named)
        // Tags that the caller may not view stay on the file.
        takeOff(tx, user, file, without(visibleTags(tx, user, file), wanted.all))
        putOn(tx, user, file, wanted)
        return presentFileTags(tx, user, file.rid)
      })
      return jsonText(c, text)
    },
  )

  routes.put(
    '/files/:file_id/tags/:tag_id',
    operation({
      id: 'addFileTag',
      tag: 'File tags',
      scope: 'tag',
      summary: 'Add a tag to a file',
      description:
        'Tags that follow from it by rules are also added, even when the file already has the ' +
        'tag. A file may have at most 1,000 tags, including hidden ones. More get 409.',
      isAudited: true,
      responses: {
        200: {
          description: 'The tags of the file, including those that followed by rules',
          schema: z.array(FileTag),
        },
      },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(FileTagPath),
    (c) => {
      const { file_id, tag_id } = c.req.valid('param')
      const text = writeAs(deps, c, (tx, user) => {
        requireExists(tx, 'tag', tag_id)
        const file = loadFile(tx, user, file_id, 'edit')
        const tag = loadTag(tx, user, tag_id, 'view')
        putOn(tx, user, file, withFollowing(tx, [tag.rid]))
        return presentFileTags(tx, user, file.rid)
      })
      return jsonText(c, text)
    },
  )

  routes.delete(
    '/files/:file_id/tags/:tag_id',
    operation({
      id: 'removeFileTag',
      tag: 'File tags',
      scope: 'tag',
      summary: 'Remove a tag from a file',
      description:
        'If the file does not have the tag, nothing changes. Tags that followed from it stay.',
      isAudited: true,
      isDeletion: true,
      responses: { 204: null },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FileTagPath),
    (c) => {
      const { file_id, tag_id } = c.req.valid('param')
      writeAs(deps, c, (tx, user) => {
        requireExists(tx, 'tag', tag_id)
        const file = loadFile(tx, user, file_id, 'edit')
        const tag = loadTag(tx, user, tag_id, 'view')
        takeOff(tx, user, file, [tag.rid])
      })
      return c.body(null, 204)
    },
  )

  routes.get(
    '/tags/:tag_id/files',
    operation({
      id: 'listTagFiles',
      tag: 'Tags',
      scope: 'read',
      summary: 'List the files of a tag, newest first',
      description:
        'For callers who may view the tag. Lists those of its files that they may view and that ' +
        'are not in the trash.',
      responses: { 200: { description: 'A page of files', schema: FileCursorPage } },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(TagPath),
    validQuery(TagFilesQuery),
    async (c) => {
      const { user } = c.var
      const tag = (viewer: User) => loadTag(db, viewer, c.req.valid('param').tag_id, 'view')
      return jsonText(c, await listFilesOfTag(db, user, tag, c.req.valid('query')))
    },
  )

  return routes
}

function visibleTags(tx: Tx, user: User, file: FileRecord): number[] {
  const view = viewTags(tx, user)
  return listFileTags(tx, file.rid)
    .map((row) => row.tag_rid)
    .filter((rid) => view.byRid(rid))
}

function without(rids: number[], others: number[]): number[] {
  const excluded = new Set(others)
  return rids.filter((rid) => !excluded.has(rid))
}

function putOn(tx: Tx, user: User, file: FileRecord, tags: AddedTags): void {
  const added = addTags(tx, file.rid, tags)
  if (added.length === 0) return
  const by_rule = tagIds(tx, without(added, tags.named))
  const details = { tag_ids: tagIds(tx, added), by_rule }
  audit(tx, user, 'file_tag_add', { type: 'file', id: file.id }, details)
}

function takeOff(tx: Tx, user: User, file: FileRecord, tags: number[]): void {
  const removed = removeTags(tx, file.rid, tags)
  if (removed.length === 0) return
  const idsOf = (rows: typeof removed) =>
    tagIds(
      tx,
      rows.map((row) => row.tag_rid),
    )
  const details = { tag_ids: idsOf(removed), by_rule: idsOf(removed.filter((row) => !row.by_hand)) }
  audit(tx, user, 'file_tag_remove', { type: 'file', id: file.id }, details)
}
