import { Hono } from 'hono'
import { adminOnly } from '../acl/access.ts'
import { currentAdmin } from '../auth/guard.ts'
import type { Config } from '../config.ts'
import type { ContentDeps } from '../files/upload.ts'
import type { AppEnv } from '../http/env.ts'
import { operation } from '../http/openapi/operation.ts'
import { ndjson } from '../http/stream.ts'
import { validBody } from '../http/validate.ts'
import { importFolder } from './folder.ts'
import { importFiles, lockImports } from './import.ts'
import { ImportEvent, ImportRequest } from './schema.ts'

/** Returns the route of the import, for admins. */
export function importRoutes(deps: ContentDeps & { config: Config }): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.post(
    '/files/import',
    operation({
      id: 'importFiles',
      tag: 'Import',
      summary: 'Import the files of a folder of the server',
      description:
        'For admins. Files of the folder itself become files of the caller and are removed ' +
        'from it; folders in it are skipped. While another import runs, or when imports are ' +
        'off, 409. A client that hangs up ends it after the file at hand.',
      responses: {
        200: {
          description: 'The progress, one event a line',
          schema: ImportEvent,
          contentType: 'application/x-ndjson',
        },
      },
      errors: ['conflict'],
    }),
    adminOnly,
    validBody(ImportRequest, { isOptional: true }),
    async (c) => {
      const folder = await importFolder(deps.config, c.req.valid('json').path)
      const lock = lockImports(deps.config)
      return ndjson(c, async function* (signal) {
        try {
          yield* importFiles(deps, { folder, caller: () => currentAdmin(deps, c), signal })
        } finally {
          lock.release()
        }
      })
    },
  )
  return routes
}
