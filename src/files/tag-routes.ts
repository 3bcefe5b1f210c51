import { Hono } from 'hono'
import { z } from 'zod'
import { requireExists } from '../acl/queries.ts'
import { recordAudit } from '../audit/record.ts'
import { currentUser } from '../auth/guard.ts'
import type { WriteDeps } from '../db/client.ts'
import { write } from '../db/client.ts'
import type { AppEnv } from '../http/env.ts'
import { jsonText } from '../http/json.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody, validPath, validQuery } from '../http/validate.ts'
import { addTags, expandTags, removeTags } from '../tags/apply.ts'
import { viewTags } from '../tags/cache.ts'
import { loadTag, loadTagRids, tagIds } from '../tags/queries.ts'
import { Tag, TagFilesQuery, TagPath } from '../tags/schema.ts'
import type { User } from '../user.ts'
import { listFilesOfTag } from './list.ts'
import { presentFileTags } from './present.ts'
import { type FileRecord, listTagRids, loadFile } from './queries.ts'
import { FileCursorPage, FilePath, FileTagPath, FileTags } from './schema.ts'

/** Returns the routes of a file's tags and of a tag's files. */
export function fileTagRoutes(deps: WriteDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()

  routes.get(
    '/files/:file_id/tags',
    operation({
      id: 'listFileTags',
      tag: 'File tags',
      summary: 'List the tags of a file',
      responses: { 200: { description: 'The tags of the file, by name', schema: z.array(Tag) } },
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
      summary: 'Replace all tags of a file',
      description:
        'Tags that follow from these by rules are added, too. Tags that the caller may not view ' +
        'stay on the file.',
      responses: {
        200: {
          description: 'The tags of the file, including those that followed by rules',
          schema: z.array(Tag),
        },
      },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    validBody(FileTags),
    (c) => {
      const text = write(db, () => {
        const user = currentUser(deps, c)
        const { file_id } = c.req.valid('param')
        requireExists(db, 'file', file_id)
        const named = loadTagRids(db, user, c.req.valid('json').tag_ids)
        const file = loadFile(db, user, file_id, 'edit')
        const wanted = expandTags(db, named)
        // Tags that the caller may not view stay on the file.
        const seen = visibleTags(deps, user, file)
        recordRemoved(deps, user, file, removeTags(db, file.rid, without(seen, wanted)))
        recordAdded(deps, user, file, addTags(db, file.rid, wanted))
        return presentFileTags(db, user, file.rid)
      })
      return jsonText(c, text)
    },
  )

  routes.put(
    '/files/:file_id/tags/:tag_id',
    operation({
      id: 'addFileTag',
      tag: 'File tags',
      summary: 'Put a tag on a file',
      description:
        'Tags that follow from it by rules are added, too, even when the file already has the tag.',
      responses: {
        200: {
          description: 'The tags of the file, including those that followed by rules',
          schema: z.array(Tag),
        },
      },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FileTagPath),
    (c) => {
      const { file_id, tag_id } = c.req.valid('param')
      const text = write(db, () => {
        const user = currentUser(deps, c)
        requireExists(db, 'tag', tag_id)
        const file = loadFile(db, user, file_id, 'edit')
        const tag = loadTag(db, user, tag_id, 'view')
        recordAdded(deps, user, file, addTags(db, file.rid, [tag.rid]))
        return presentFileTags(db, user, file.rid)
      })
      return jsonText(c, text)
    },
  )

  routes.delete(
    '/files/:file_id/tags/:tag_id',
    operation({
      id: 'removeFileTag',
      tag: 'File tags',
      summary: 'Take a tag off a file',
      description:
        'A tag that the file does not have changes nothing. Tags that followed from it stay.',
      responses: { 204: null },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FileTagPath),
    (c) => {
      const { file_id, tag_id } = c.req.valid('param')
      write(db, () => {
        const user = currentUser(deps, c)
        requireExists(db, 'tag', tag_id)
        const file = loadFile(db, user, file_id, 'edit')
        const tag = loadTag(db, user, tag_id, 'view')
        recordRemoved(deps, user, file, removeTags(db, file.rid, [tag.rid]))
      })
      return c.body(null, 204)
    },
  )

  routes.get(
    '/tags/:tag_id/files',
    operation({
      id: 'listTagFiles',
      tag: 'Tags',
      summary: 'List the files of a tag, newest first',
      responses: { 200: { description: 'A page of files', schema: FileCursorPage } },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(TagPath),
    validQuery(TagFilesQuery),
    async (c) => {
      const { user } = c.var
      const tag = () => loadTag(db, user, c.req.valid('param').tag_id, 'view')
      return jsonText(c, await listFilesOfTag(db, user, tag, c.req.valid('query')))
    },
  )

  return routes
}

function visibleTags(deps: WriteDeps, user: User, file: FileRecord): number[] {
  const view = viewTags(deps.db, user)
  return listTagRids(deps.db, file.rid).filter((rid) => view.byRid(rid))
}

function without(rids: number[], others: number[]): number[] {
  const excluded = new Set(others)
  return rids.filter((rid) => !excluded.has(rid))
}

function recordAdded(deps: WriteDeps, user: User, file: FileRecord, tags: number[]): void {
  recordTags(deps, user, file, 'file_tag_add', tags)
}

function recordRemoved(deps: WriteDeps, user: User, file: FileRecord, tags: number[]): void {
  recordTags(deps, user, file, 'file_tag_remove', tags)
}

function recordTags(
  deps: WriteDeps,
  user: User,
  file: FileRecord,
  action: 'file_tag_add' | 'file_tag_remove',
  tags: number[],
): void {
  if (tags.length === 0) return
  recordAudit(deps.db, {
    user,
    action,
    object_type: 'file',
    object_id: file.id,
    details: { tag_ids: tagIds(deps.db, tags) },
    now: deps.clock(),
  })
}
