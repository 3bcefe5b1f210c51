import { Hono } from 'hono'
import { adminOnly } from '../acl/access.ts'
import { currentAdmin } from '../auth/guard.ts'
import type { Config } from '../config.ts'
import type { ContentDeps } from '../files/upload.ts'
import type { AppEnv } from '../http/env.ts'
import { operation } from '../http/openapi/operation.ts'
import { ndjson } from '../http/stream.ts'
import { validBody, validQuery } from '../http/validate.ts'
import { openImportFolder } from './folder.ts'
import { importFiles, lockImports } from './import.ts'
import { listFolders } from './list-folders.ts'
import { FoldersQuery, ImportEvent, ImportFolders, ImportRequest } from './schema.ts'

/** Milliseconds within which the files of folders are counted. */
const COUNTED_WITHIN = 2000

/** Returns the routes of the import, which are for admins only. */
export function importRoutes(deps: ContentDeps & { config: Config }): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.post(
    '/files/import',
    operation({
      id: 'importFiles',
      tag: 'Import',
      summary: 'Import the files of a folder on the server',
      description:
        'For admins only. The files directly in the folder become files of the caller and are ' +
        'removed from it; folders in it are skipped. While another import is running, or when ' +
        'import is turned off, the answer is 409. When the client hangs up, the import ends ' +
        'after the current file.',
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
      deps.disk.requireRoom()
      const { folder, end } = await begin(deps.config, c.req.valid('json').path)
      return ndjson(c, async function* (signal) {
        try {
          yield* importFiles(deps, { folder, caller: () => currentAdmin(deps, c), signal })
        } finally {
          await end()
        }
      })
    },
  )
  routes.get(
    '/files/import/folders',
    operation({
      id: 'listImportFolders',
      tag: 'Import',
      summary: 'List the folders that may be imported',
      description:
        'For admins only. Those directly in one folder, by name; of more than 1,000 the first. No ' +
        'link is one of them, and none whose name is not UTF-8. When import is turned off, the ' +
        'answer is 409.',
      responses: { 200: { description: 'The folders', schema: ImportFolders } },
      errors: ['conflict'],
    }),
    adminOnly,
    validQuery(FoldersQuery),
    async (c) => {
      const signal = AbortSignal.timeout(COUNTED_WITHIN)
      const folder = await openImportFolder(deps.config, c.req.valid('query').path)
      try {
        const folders = await listFolders(folder, signal)
        return c.json({ path: folder.below, folders } satisfies ImportFolders)
      } finally {
        await folder.close()
      }
    },
  )
  return routes
}

/** Opens the folder of an import and takes the lock; throws what either throws, and keeps neither. */
async function begin(config: Config, path: string | undefined) {
  const folder = await openImportFolder(config, path)
  try {
    const lock = lockImports(config)
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
