import { Hono } from 'hono'
import { aclRoutes } from './acl/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { guard } from './auth/guard.ts'
import { keyRoutes } from './auth/keys/routes.ts'
import { createPasswordLimit } from './auth/password-limit.ts'
import { clientKey, createRefreshLimit } from './auth/rate-limit.ts'
import { authRoutes, publicAuthRoutes } from './auth/routes.ts'
import { categoryRoutes } from './categories/routes.ts'
import { changeRoutes } from './changes/routes.ts'
import { davRoutes } from './dav/routes.ts'
import { docsRoutes } from './docs/routes.ts'
import { proposalRoutes } from './duplicates/proposals/routes.ts'
import { rescanRoutes } from './duplicates/rescan/routes.ts'
import { duplicateRoutes } from './duplicates/routes.ts'
import { similarRoutes } from './duplicates/similar/routes.ts'
import { archiveDownloadRoutes, archiveRoutes } from './files/archive/archive-routes.ts'
import { createArchives } from './files/archive/archives.ts'
import { bulkRoutes } from './files/bulk/bulk-routes.ts'
import { contentRoutes, derivativeRoutes } from './files/content/content-routes.ts'
import { favouriteRoutes } from './files/favourites/routes.ts'
import { knownFileRoutes } from './files/known/routes.ts'
import { tagCountRoutes } from './files/overview/counts-routes.ts'
import { fileSetRoutes } from './files/overview/routes.ts'
import { fileRoutes } from './files/routes.ts'
import { fileTagRoutes } from './files/tag-routes.ts'
import { before } from './http/before.ts'
import { crossOrigin, safeHeaders } from './http/browser-safety.ts'
import { unnamedProxy } from './http/clients/client-address.ts'
import { clientRequests } from './http/clients/client-requests.ts'
import { unambiguous } from './http/clients/unambiguous.ts'
import type { AppEnv } from './http/env.ts'
import { healthRoutes } from './http/health-routes.ts'
import { knownRoutes } from './http/known-routes.ts'
import { onError } from './http/on-error.ts'
import { requestLog } from './http/request-log.ts'
import { importRoutes } from './imports/routes.ts'
import type { Deps } from './library.ts'
import { countChanges } from './long-changes/queries.ts'
import { operationRoutes } from './operations/routes.ts'
import { joinPool, poolFor } from './pools/arrange.ts'
import { poolFileRoutes } from './pools/file-routes.ts'
import { poolsOf } from './pools/list.ts'
import { poolRoutes } from './pools/routes.ts'
import { shareRoutes } from './pools/sharing/share-routes.ts'
import { linkRoutes } from './shares/link-routes.ts'
import { shareLinkRoutes } from './shares/routes.ts'
import { statusRoutes } from './status/routes.ts'
import { tagRoutes } from './tags/routes.ts'
import { tagRuleRoutes } from './tags/rules/rule-routes.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { passwordRoutes } from './users/password-routes.ts'
import { userRoutes } from './users/routes.ts'
import { settingsRoutes } from './users/settings-routes.ts'
import { webMediaRoutes } from './web/media-routes.ts'
import {
  bakedOrBuilt,
  type GallerySource,
  galleryRoutes,
  linkPage,
  unknownPage,
} from './web/routes.ts'
import { webSessionRoutes } from './web/session-routes.ts'

/**
 * Returns the application: every route of the API, and the gallery, ready to be served or called. `gallery` is the
 * source of its page, by default the gallery of a release or one that is built at the first request.
 */
export function createApp(deps: Deps, gallery: GallerySource = bakedOrBuilt()): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.onError(onError(deps.log))
  app.use((c, next) => deps.activity.watch(c, next))
  const { corsOrigins, trustedProxies } = deps.config
  app.use(
    requestLog(deps.log),
    before(safeHeaders(corsOrigins), (c) => c.set('limits', deps.config)),
  )
  if (corsOrigins.length > 0) app.use(crossOrigin(corsOrigins))
  app.use(clientRequests({ config: deps.config, keyOf: clientKey }))
  const known = knownRoutes(app, unknownPage(gallery))
  app.use(before(unnamedProxy(deps.log, trustedProxies), unambiguous, known))
  app.route('/', healthRoutes())
  app.route(
    '/',
    docsRoutes(() => app.routes),
  )
  app.route('/', galleryRoutes(gallery))

  // A request goes to the first route that matches it. Routes that need no access token come before the guard. A path
  // with a fixed word comes before one with a parameter in the same position, which would take the word for an id:
  // /files/:file_id would match /files/duplicates.
  const limits = {
    passwordLimit: createPasswordLimit(deps),
    refreshLimit: createRefreshLimit(deps.config.authRateLimit, deps.clock),
  }
  app.route('/', webSessionRoutes({ ...deps, ...limits }))
  app.route('/', webMediaRoutes(deps))
  const keyLimit = createRefreshLimit(deps.config.authRateLimit, deps.clock)
  app.route('/', davRoutes({ ...deps, keyLimit, joinPool }))
  app.route('/', linkRoutes({ ...deps, sendPage: linkPage(gallery) }))
  app.route('/api/v1', apiRoutes(deps, limits))
  return app
}

interface Limits {
  passwordLimit: ReturnType<typeof createPasswordLimit>
  refreshLimit: ReturnType<typeof createRefreshLimit>
}

function apiRoutes(deps: Deps, limits: Limits): Hono<AppEnv> {
  const api = new Hono<AppEnv>()
  api.route('/', publicAuthRoutes({ ...deps, ...limits }))
  const archives = createArchives(deps.clock)
  api.route('/', contentRoutes(deps))
  api.route('/', archiveDownloadRoutes({ ...deps, archives }))
  api.route('/', changeRoutes(deps))
  api.use(guard(deps))
  api.route('/', authRoutes(deps))
  api.route('/', keyRoutes({ ...deps, poolFor }))
  api.route('/', userRoutes({ ...deps, ...limits }))
  api.route('/', passwordRoutes({ ...deps, ...limits }))
  api.route('/', settingsRoutes(deps))
  api.route('/', duplicateRoutes(deps))
  api.route('/', proposalRoutes(deps))
  api.route('/', rescanRoutes(deps))
  api.route('/', similarRoutes(deps))
  api.route('/', importRoutes(deps))
  api.route('/', bulkRoutes(deps))
  api.route('/', favouriteRoutes(deps))
  api.route('/', shareRoutes(deps))
  api.route('/', fileSetRoutes({ ...deps, pools: poolsOf(deps.db) }))
  api.route('/', archiveRoutes({ ...deps, archives, pools: poolsOf(deps.db) }))
  api.route('/', knownFileRoutes(deps))
  api.route('/', fileRoutes({ ...deps, joinPool }))
  api.route('/', uploadRoutes({ ...deps, joinPool }))
  api.route('/', derivativeRoutes(deps))
  api.route('/', fileTagRoutes(deps))
  api.route('/', tagCountRoutes({ ...deps, pools: poolsOf(deps.db) }))
  api.route('/', tagRuleRoutes(deps))
  api.route('/', tagRoutes(deps))
  api.route('/', categoryRoutes(deps))
  api.route('/', poolRoutes(deps))
  api.route('/', poolFileRoutes(deps))
  api.route('/', shareLinkRoutes(deps))
  api.route('/', aclRoutes(deps))
  api.route('/', auditRoutes(deps))
  api.route('/', operationRoutes(deps))
  api.route('/', statusRoutes({ ...deps, longChanges: () => countChanges(deps.db) }))
  return api
}
