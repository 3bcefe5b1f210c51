import { Hono } from 'hono'
import { loadFile } from '../files/queries.ts'
import { FilePath } from '../files/schema.ts'
import type { AppEnv } from '../http/env.ts'
import { jsonPage } from '../http/json.ts'
import { operation } from '../http/openapi/operation.ts'
import { validPath, validQuery } from '../http/validate.ts'
import { type LongWriteDeps, writeLongAs } from '../long-changes/write-long.ts'
import { fileHistory } from './history.ts'
import { FileHistoryPage, HistoryQuery, OperationPath, UndoResult } from './schema.ts'
import { undoOperation } from './undo.ts'

/** Returns the routes of operations and of a file's history. */
export function operationRoutes(deps: LongWriteDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()

  routes.post(
    '/operations/:operation/undo',
    operation({
      id: 'undoOperation',
      tag: 'Operations',
      scope: 'admin',
      summary: 'Undo what a request, an import or a rule did',
      description:
        'For the user who did it, for a day, and for admins. Everything that is still as the ' +
        'operation left it is undone, object by object, as far as the caller may edit it: tags, ' +
        'rules, fields, trash, review, the files of pools and their order, merges, and ' +
        'deletions of tags, categories and pools. What was created is deleted if nothing has ' +
        'been added to it since, and uploads go to the trash. Accounts, rights, dismissals, ' +
        'replaced contents and what was deleted for good stay as they are. The undo is an ' +
        'operation of its own and can be undone. Only the undo of a merge of files can not: ' +
        'merge the files again, as they are by then. The answer comes when everything is ' +
        'undone; other requests go on meanwhile. The answer is 409 if the operation was already ' +
        'undone, is not over yet, or took back a merge of files.',
      isAudited: true,
      responses: {
        200: { description: 'What was undone and what was not', schema: UndoResult },
      },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(OperationPath),
    async (c) => {
      const number = c.req.valid('param').operation
      const result = await writeLongAs(deps, c, (tx, user) => undoOperation(tx, user, number))
      await deps.longChanges.allOver(result.operation)
      return c.json(result satisfies UndoResult)
    },
  )

  routes.get(
    '/files/:file_id/history',
    operation({
      id: 'listFileHistory',
      tag: 'Files',
      scope: 'read',
      summary: 'List what was done to a file, newest first',
      description:
        'For callers who may view the file. Tags, pools and other files that they may not view ' +
        'are left out. Only callers who may edit the file see former values, and only its ' +
        'creator and admins see changes of its access list.',
      responses: { 200: { description: 'A page of what was done', schema: FileHistoryPage } },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    validQuery(HistoryQuery),
    (c) => {
      const file = loadFile(db, c.var.user, c.req.valid('param').file_id, 'view')
      const page = fileHistory(db, c.var.user, file, c.req.valid('query'))
      return jsonPage<FileHistoryPage>(c, page)
    },
  )

  return routes
}
