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
      summary: 'Take back what a request, an import or a rule did',
      description:
        'For who did it, for a day, and for admins. What still stands as the operation left it is ' +
        'taken back, object by object, as far as the caller may edit it: tags, rules, fields, ' +
        'trash, review, the files of pools and their order, merges, and deletions of tags, ' +
        'categories and pools. What was created is deleted as long as it has no more than then, ' +
        'and uploads go to the trash. Accounts, rights, dismissals, replaced contents and what ' +
        'was deleted for good stay as they are. ' +
        'The undo is an operation of its own, which can be undone; only that of a merge of files ' +
        'can not: they are merged anew, as they are by then. The answer comes when all is taken ' +
        'back, while other requests go on. An operation that was undone already, that is not over ' +
        'yet, or that took back a merge of files, is answered with 409.',
      isAudited: true,
      responses: {
        200: { description: 'What was taken back and what was not', schema: UndoResult },
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
      summary: 'List what was done to a file, newest first',
      description:
        'For callers who may view the file, without tags, pools and other files that they may ' +
        'not view. Former values are told to callers who may edit the file, and changes of its ' +
        'access list to its creator and admins.',
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
