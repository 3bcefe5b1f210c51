import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bytesOf } from '../audit/text-queries.ts'
import { clientOf } from '../auth/client.ts'
import { unauthorized } from '../auth/guard.ts'
import { admitBasic, admitKey } from '../auth/keys/admit.ts'
import { requireScope } from '../auth/keys/scopes.ts'
import type { RefreshLimit } from '../auth/rate-limit.ts'
import { writeAs } from '../auth/write-as.ts'
import type { Config } from '../base/config.ts'
import { AppError, invalid } from '../base/errors.ts'
import { CHECKED, sendContent, sendLoaded } from '../files/content/send.ts'
import { filesByRid, loadFile } from '../files/queries.ts'
import { createQuotaShares, quotaLeft } from '../files/usage/quota.ts'
import { createPace, JSON_WAIT } from '../http/clients/pace.ts'
import type { AppEnv } from '../http/env.ts'
import { readBody } from '../http/validate.ts'
import { loadEntry, makeFolder, moveEntry, removeEntry } from './entries.ts'
import { findEntry } from './entries-queries.ts'
import { lock, proppatch, unlock } from './locks.ts'
import { type DavPath, isRoot, parseDestination, parsePath, ROOT } from './paths.ts'
import { etagOf, lastModified, propfind, type Room, rootEntry } from './propfind.ts'
import { finishPart, isDropped, isPart, type PutDeps, put } from './put.ts'

interface DavDeps extends Omit<PutDeps, 'quotaShare'> {
  config: PutDeps['config'] & Pick<Config, 'trustedProxies'>
  /** Counts the keys that are none. */
  keyLimit: RefreshLimit
}

// Bytes of a body that is read to be refused.
const MOST_BODY = 64 * 1024
const METHODS = 'OPTIONS, GET, HEAD, PUT, DELETE, PROPFIND, PROPPATCH, MKCOL, MOVE, LOCK, UNLOCK'

type DavHandler = (c: Context<AppEnv>, path: DavPath) => Response | Promise<Response>

/**
 * Returns the routes of the drop box: WebDAV (RFC 4918) for apps that send pictures, with a key of the scope `upload`
 * as password. Its entries are what has been sent, whatever became of it in the library.
 */
export function davRoutes(deps: DavDeps): Hono<AppEnv> {
  const { db } = deps
  const putDeps = { ...deps, quotaShare: createQuotaShares(db, deps.config) }
  const routes = new Hono<AppEnv>()
  const admitted = admit(deps)
  const at = (method: string, handle: DavHandler) =>
    routes.on(method, `${ROOT}/*`, admitted, (c) => {
      const { pathname, hash } = new URL(c.req.url)
      // A client that forgot to escape it means another file.
      if (hash !== '') throw invalid('path', 'must have # in percent escapes')
      return handle(c, parsePath(pathname))
    })

  at('OPTIONS', (c) => c.body(null, 200, { DAV: '1, 2', 'MS-Author-Via': 'DAV', Allow: METHODS }))
  at('PROPFIND', (c, path) => {
    const entry = isRoot(path) ? rootEntry(deps.clock()) : loadEntry(db, c.var.user, path)
    return propfind(c, db, { path, entry, room: () => roomOf(deps, c.var.user.id) })
  })
  at('PROPPATCH', (c, path) => proppatch(deps, c, path))
  at('GET', (c, path) => get(deps, c, path))
  at('PUT', (c, path) => put(putDeps, c, path))
  at('MKCOL', async (c, path) => {
    const body = await readBody(c, MOST_BODY, createPace(JSON_WAIT))
    if (body.length > 0) throw new AppError('unsupported_mime', 'A folder is made without a body')
    writeAs(deps, c, (tx, user) => makeFolder(tx, user, path))
    return c.body(null, 201)
  })
  const discard = async (parts: string[]) => {
    for (const id of parts) await deps.uploads.discard({ id })
  }
  at('MOVE', async (c, from) => {
    const to = parseDestination(c.req.header('Destination'))
    const overwrites = c.req.header('Overwrite')?.trim().toUpperCase() !== 'F'
    const way = { from, to, overwrites }
    const entry = findEntry(db, c.var.user.id, from)
    if (entry && !entry.is_folder && isDropped(from) && !isDropped(to)) {
      throw new AppError('conflict', 'Nothing is kept of what systems write for themselves')
    }
    const upload_id = isPart(to) ? null : entry?.upload_id
    const { isNew, parts } =
      entry && upload_id
        ? await finishPart(putDeps, c, { ...entry, upload_id }, way)
        : writeAs(deps, c, (tx, user) => moveEntry(tx, user, way))
    await discard(parts)
    return c.body(null, isNew ? 201 : 204)
  })
  at('DELETE', async (c, path) => {
    await discard(writeAs(deps, c, (tx, user) => removeEntry(tx, user, path)))
    return c.body(null, 204)
  })
  at('LOCK', (c, path) => lock(deps, c, path))
  at('UNLOCK', (c) => unlock(c))
  return routes
}

// The programs that send pictures are no pages, and a browser would send a password that it remembers for any of them.
function admit(deps: DavDeps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const site = c.req.header('Sec-Fetch-Site') ?? 'none'
    if (site !== 'none' && site !== 'same-origin') {
      throw new AppError('forbidden', 'Pages of other sites have no business here')
    }
    const header = c.req.header('Authorization')
    if (!header) throw wanted()
    const [, bearer] = /^Bearer +(\S+)$/i.exec(header) ?? []
    const { address } = clientOf(c, deps.config.trustedProxies)
    const found = bearer ? admitKey(deps, bearer) : admitBasic(deps, header)
    // One phone with a key that has ended must not keep out all others of its house: no key can be guessed.
    if (!found) {
      throw deps.keyLimit.attempt(address, () => {
        throw wanted()
      })
    }
    requireScope(found.key, 'upload')
    c.set('user', found.user)
    c.set('key', found.key)
    await next()
  }
}

function wanted(): AppError {
  const error = unauthorized('A key is required, as the password')
  error.headers['WWW-Authenticate'] = 'Basic realm="Tagstead", charset="UTF-8"'
  return error
}

// Answers a GET: of a file with its content as it is now in the library, as a download.
async function get(deps: DavDeps, c: Context<AppEnv>, path: DavPath): Promise<Response> {
  if (isRoot(path)) {
    return c.text('This is the drop box of Tagstead, for apps that send pictures.\n')
  }
  const { user } = c.var
  const entry = loadEntry(deps.db, user, path)
  if (entry.is_folder) return c.text('')
  // What an app asks about what it has sent must be as PROPFIND tells it, so that it doesn't send it again.
  if (entry.size === 0 || c.req.method === 'HEAD') {
    const headers = { ETag: etagOf(entry), 'Last-Modified': lastModified(entry) }
    return c.body(null, 200, { ...headers, 'Content-Length': String(entry.size) })
  }
  const load = () => {
    const { file_rid } = loadEntry(deps.db, user, path)
    const [file] = file_rid === null ? [] : filesByRid(deps.db, [file_rid])
    if (!file) throw new AppError('not_found', 'Its file is not in the library any more')
    return loadFile(deps.db, user, file.id, 'view')
  }
  return sendLoaded(load, (file) =>
    sendContent(deps, c, file, { isInline: false, cacheControl: CHECKED }),
  )
}

function roomOf({ db, config, storage }: DavDeps, user: number): Room {
  const left = quotaLeft(db, config, user)
  const available = Math.min(left, storage.room.room() ?? Number.POSITIVE_INFINITY)
  return {
    used: bytesOf(db, user),
    available: Number.isFinite(available) ? Math.max(0, available) : null,
  }
}
