import type { Context, MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { AppError } from '../base/errors.ts'
import type { Step } from './before.ts'
import type { AppEnv } from './env.ts'

// Routes that send pages or files replace both policies, Content-Security-Policy and caching, with their own.
const SAFE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
}

/**
 * Returns the step that sets the headers which keep browsers from doing more with an answer than reading it, and from
 * caching it. Pages of the origins in the settings may show pictures by content links.
 */
export function safeHeaders(origins: string[]): Step {
  const own = headersFor('same-origin')
  const shared = origins.length > 0 ? headersFor('cross-origin') : own
  return (c) => {
    const headers = own === shared || isForOwnPage(c) ? own : shared
    for (const [name, value] of headers) c.header(name, value)
  }
}

function headersFor(policy: 'same-origin' | 'cross-origin'): [name: string, value: string][] {
  return Object.entries({ ...SAFE_HEADERS, 'Cross-Origin-Resource-Policy': policy })
}

// These paths read cookies, or passwords that a browser remembers, so no page of another origin has any business with
// them.
function isForOwnPage(c: Context<AppEnv>): boolean {
  return /^\/(web|dav|s)(\/|$)/.test(c.req.path)
}

/**
 * Throws AppError forbidden for a request that comes from a page of another origin: no form can send the header, and
 * no such page is allowed to.
 */
export function requireOwnPage(c: Context<AppEnv>): void {
  const site = c.req.header('Sec-Fetch-Site')
  // Over plain HTTP, browsers don't send it.
  const isElsewhere = site !== undefined && site !== 'same-origin'
  if (isElsewhere || c.req.header('X-Tagstead') !== '1') {
    throw new AppError('forbidden', 'Only the page of this server may request this')
  }
}

/** Returns the middleware that admits the origins in the settings, of which there must be some. */
export function crossOrigin(origins: string[]): MiddlewareHandler<AppEnv> {
  const admit = cors({
    origin: origins,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [
      'Authorization',
      'Content-Type',
      'Range',
      'If-None-Match',
      'If-Range',
      'Tus-Resumable',
      'Upload-Length',
      'Upload-Metadata',
      'Upload-Offset',
    ],
    exposeHeaders: [
      'Content-Disposition',
      'Content-Range',
      'ETag',
      'Location',
      'Operation',
      'Retry-After',
      'Tus-Extension',
      'Tus-Max-Size',
      'Tus-Resumable',
      'Tus-Version',
      'Upload-Expires',
      'Upload-File-Id',
      'Upload-File-Is-New',
      'Upload-Length',
      'Upload-Offset',
      'X-Request-Id',
    ],
    maxAge: 3600,
  })
  return async (c, next) => {
    if (isForOwnPage(c)) return next()
    const isAsking = c.req.header('Access-Control-Request-Method') !== undefined
    if (isAsking && c.req.method === 'OPTIONS') return admit(c, next)
    await next()
    // Runs after the routes: headers set on an answer before it is made would later replace its own.
    await admit(c, async () => {})
  }
}
