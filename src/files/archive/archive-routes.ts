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
      summary: 'Ask for many files as one ZIP',
      description:
        'For one download, to be begun within ten minutes, with the token in the query. Files that ' +
        'do not exist, that the caller may not view, or that are in the trash are left out. There ' +
        'may be at most 100,000 files and 200 GB. Of a user the last three archives that were asked ' +
        'for are remembered, of all users the last twenty, until the server ends. The token ends ' +
        'when the user is blocked, and with a new password.',
      responses: { 200: { description: 'The token, and what it is for', schema: Archive } },
      errors: ['not_found', 'forbidden'],
    }),
    validBody(ArchiveAsked),
    async (c) => {
      const { user } = c.var
      // The epoch is that of the moment in which the guard admits the user.
      const epoch = findEpoch(deps.db, user.id)
      const { rids, bytes } = await chooseFiles(deps.db, user, c.req.valid('json'), deps.pools)
      const archive_id = deps.archives.add(user.id, rids)
      const token = await deps.tokens.signArchive({ user_id: user.id, archive_id, epoch })
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
        'The files that the user who asked for it may view when the download begins, as a ZIP in ' +
        'which nothing is compressed, made as it is read: always the whole. Contents that are ' +
        'replaced or deleted meanwhile are sent as they were. In the place of what can not be read ' +
        'there are zeros, and a last file `MISSING.txt` names it. A user may have two archives under ' +
        'way at once, and all users together ten.',
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
    (c) => sendArchive(deps, c),
  )
  return routes
}
