import { Hono } from 'hono'
import { archiveGuard, type GuardDeps } from '../../auth/guard.ts'
import { findEpoch } from '../../auth/queries.ts'
import type { AppEnv } from '../../http/env.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validBody, validQuery } from '../../http/validate.ts'
import type { Pools } from '../overview/listing.ts'
import { chooseFiles } from './choose.ts'
import { Archive, ArchiveAsked, ArchiveQuery } from './schema.ts'
import { type ArchiveDeps, sendArchive } from './send.ts'

/** Returns the route by which clients ask for an archive of files. */
export function archiveRoutes(
  deps: ArchiveDeps & Pick<GuardDeps, 'tokens'> & { pools: Pools },
): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.post(
    '/files/archive',
    operation({
      id: 'createArchive',
      tag: 'Files',
      scope: 'read',
      summary: 'Request many files as one ZIP',
      description:
        'The token is for one download, which must begin within ten minutes with the token in ' +
        'the query. Files are left out if they do not exist, if the caller may not view them, ' +
        'or if they are in the trash. There may be at most 100,000 files and 200 GB. The server ' +
        'remembers the last three archives that a user requested, and the last twenty of all ' +
        'users, until it stops. The token becomes invalid when the user is blocked or gets a ' +
        'new password.',
      responses: { 200: { description: 'The token, and what it is for', schema: Archive } },
      errors: ['not_found', 'forbidden'],
    }),
    validBody(ArchiveAsked),
    async (c) => {
      const { user, key } = c.var
      // The epoch is that of the moment in which the guard admits the user.
      const epoch = findEpoch(deps.db, user.id)
      const { rids, bytes } = await chooseFiles(deps.db, user, c.req.valid('json'), deps.pools)
      const archive_id = deps.archives.add(user.id, rids)
      const claims = { user_id: user.id, key_id: key?.id, archive_id, epoch }
      const token = await deps.tokens.signArchive(claims)
      return c.json({ token, files: rids.length, bytes })
    },
  )
  return routes
}

/** Returns the route of the archives, which accepts their tokens alone. */
export function archiveDownloadRoutes(deps: ArchiveDeps & GuardDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get(
    '/files/archive',
    operation({
      id: 'getArchive',
      tag: 'Files',
      summary: 'Download an archive',
      description:
        'The archive holds the files that the user who requested it may view when the download ' +
        'begins. It is a ZIP without compression, made while it is read, and is always sent ' +
        'whole. Contents that are replaced or deleted in the meantime are sent as they were. ' +
        'Content that can not be read is replaced with zeros, and a last file `MISSING.txt` ' +
        'names it. A user may download two archives at once, and all users together ten.',
      responses: {
        200: {
          description: 'The archive',
          contentType: 'application/zip',
          headers: {
            'Content-Length': 'The number of bytes in the body',
            'Content-Disposition': 'That it is to be saved, and its name (RFC 6266)',
          },
        },
      },
      errors: ['not_found', 'rate_limited'],
    }),
    archiveGuard(deps),
    validQuery(ArchiveQuery),
    (c) => sendArchive(deps, c, { hasSidecars: c.req.valid('query').sidecars === '1' }),
  )
  return routes
}
