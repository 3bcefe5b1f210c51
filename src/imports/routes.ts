import { Hono } from 'hono'
import { adminOnly } from '../acl/access.ts'
import { currentAdmin } from '../auth/guard.ts'
import { findActiveUser } from '../auth/queries.ts'
import { workLeft } from '../background/run.ts'
import type { Config } from '../base/config.ts'
import { AppError, invalid } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { ContentDeps } from '../files/upload.ts'
import type { AppEnv } from '../http/env.ts'
import { operation } from '../http/openapi/operation.ts'
import { ndjson } from '../http/stream.ts'
import { validBody, validQuery } from '../http/validate.ts'
import { countFolder } from './count.ts'
import { openImportFolder } from './folder.ts'
import { importFiles, lockImports } from './import.ts'
import { createImports } from './imports.ts'
import { listFolders } from './list-folders.ts'
import {
  CountQuery,
  FoldersQuery,
  ImportCount,
  ImportEvent,
  ImportFolders,
  ImportRequest,
  ImportState,
} from './schema.ts'

// In milliseconds.
const COUNTED_WITHIN = 2000

/** Returns the routes of the import, which are for admins only. */
export function importRoutes(
  deps: ContentDeps & { config: Config; stopping: AbortController },
): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const imports = createImports(deps.clock)
  const hanging = new Set<Promise<unknown>>()
  routes.post(
    '/files/import',
    operation({
      id: 'importFiles',
      tag: 'Import',
      scope: 'admin',
      summary: 'Import the files of a folder on the server',
      description:
        'For admins only. The files in the folder become files of the caller, or of `owner`, and ' +
        'are removed from the folder. Folders in it stay; they are skipped, or searched with `recursive`. A ' +
        'picture and its film become one living picture, as with `pair` of an upload; without a ' +
        '`ContentIdentifier` they must come from one folder. A ' +
        'dry run reports what would be done, and does nothing. The answer is 409 while another ' +
        "import is running, when import is turned off, or while the server can't determine " +
        'whether backups or another library are there. When the client hangs up or the server ' +
        'stops, the import ends after the current file.',
      responses: {
        200: {
          description: 'The progress, one event per line',
          schema: ImportEvent,
          contentType: 'application/x-ndjson',
        },
      },
      errors: ['conflict'],
    }),
    adminOnly,
    validBody(ImportRequest, { isOptional: true }),
    async (c) => {
      const { path, owner: owner_id, ...options } = c.req.valid('json')
      const owner = owner_id === undefined ? undefined : ownerOf(deps.db, owner_id)
      if (!options.dry_run) await deps.storage.withRoom(deps.storage.room.requireRoom)
      const { folder, end } = await begin(deps.config, path)
      const caller = () => currentAdmin(deps, c)
      const { id, name } = c.var.user
      return ndjson(c, (signal) =>
        imports.watch({ id, name }, options, async function* (endedBySomebody) {
          const ended = AbortSignal.any([endedBySomebody, deps.stopping.signal])
          try {
            yield* importFiles(deps, { folder, caller, owner, signal, ended, ...options })
          } finally {
            await end()
          }
        }),
      )
    },
  )
  routes.get(
    '/files/import',
    operation({
      id: 'getImport',
      tag: 'Import',
      scope: 'admin',
      summary: 'Get the progress of the import, or the result of the last one',
      description:
        'For admins only. Reports the import of any admin, while it runs and until the next one ' +
        'begins. It is `running` until another one may begin, and also `failed` when its client ' +
        'hung up. An import that was stopped is `done`, like its stream. Only imports that this ' +
        'server has run since its start are reported, and none of `tagstead import`.',
      responses: { 200: { description: 'The current state', schema: ImportState } },
    }),
    adminOnly,
    (c) => c.json({ ...imports.state(), background: workLeft(deps.db) } satisfies ImportState),
  )
  routes.delete(
    '/files/import',
    operation({
      id: 'endImport',
      tag: 'Import',
      scope: 'admin',
      summary: 'Stop the running import',
      description:
        'For admins only, no matter who started it. The import ends after the current file. Its ' +
        'stream ends with `done`, which GET also reports from then on. What was imported stays, ' +
        'and has its audit entries as one operation. When no import of this server is running, ' +
        'the answer is 409.',
      responses: { 204: null },
      errors: ['conflict'],
    }),
    adminOnly,
    (c) => {
      imports.end(c.var.user)
      return c.body(null, 204)
    },
  )
  routes.get(
    '/files/import/folders',
    operation({
      id: 'listImportFolders',
      tag: 'Import',
      scope: 'admin',
      summary: 'List the folders that may be imported',
      description:
        'For admins only. Lists the folders directly in one folder, by name, and only the first ' +
        '1,000. Links and folders whose name is not UTF-8 are left out. When import is turned ' +
        'off, the answer is 409.',
      responses: { 200: { description: 'The folders', schema: ImportFolders } },
      errors: ['conflict'],
    }),
    adminOnly,
    validQuery(FoldersQuery),
    async (c) => {
      const signal = AbortSignal.timeout(COUNTED_WITHIN)
      const folder = await openImportFolder(deps.config, c.req.valid('query').path, {
        toList: true,
      })
      try {
        const folders = await listFolders(folder, signal, hanging)
        return c.json({ path: folder.below, folders } satisfies ImportFolders)
      } finally {
        await folder.close()
      }
    },
  )
  routes.get(
    '/files/import/count',
    operation({
      id: 'countImport',
      tag: 'Import',
      scope: 'admin',
      summary: 'Count the photos and videos in a folder that may be imported',
      description:
        'For admins only. Takes at most a few seconds, and reads no file: a dry run does. When ' +
        'import is turned off, the answer is 409.',
      responses: { 200: { description: 'The count', schema: ImportCount } },
      errors: ['conflict'],
    }),
    adminOnly,
    validQuery(CountQuery),
    async (c) => {
      const { path, recursive } = c.req.valid('query')
      const stop = AbortSignal.timeout(COUNTED_WITHIN)
      const giveUp = AbortSignal.timeout(2 * COUNTED_WITHIN)
      const folder = await openImportFolder(deps.config, path, { toList: true })
      const counting = { recursive, stop, giveUp, hanging }
      return c.json((await countFolder(deps.db, folder, counting)) satisfies ImportCount)
    },
  )
  return routes
}

// Throws a validation error when there is no such active user, and later forbidden once they are blocked.
function ownerOf(db: Db, id: number): () => User {
  if (!findActiveUser(db, id)) throw invalid('owner', 'must be a user who is not blocked')
  return () => {
    const user = findActiveUser(db, id)
    if (!user) throw new AppError('forbidden', 'The owner of the import is blocked')
    return user
  }
}

// Throws what either step throws, and then leaves neither the folder open nor the lock taken.
async function begin(config: Config, path: string | undefined) {
  const folder = await openImportFolder(config, path)
  try {
    // With patience, all requests would wait as well.
    const lock = lockImports(config, 0)
    return {
      folder,
      async end() {
        lock.release()
        await folder.close()
      },
    }
  } catch (error) {
    await folder.close()
    throw error
  }
}
