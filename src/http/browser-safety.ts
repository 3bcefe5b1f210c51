import type { Context, MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from './env.ts'

/**
 * Sets the headers that keep browsers from doing more with an answer than reading it. When the
 * settings name origins, their pages may show pictures by content links.
 */
export function safeHeaders(origins: string[]): MiddlewareHandler<AppEnv> {
  const own = headersFor('same-origin')
  const shared = origins.length > 0 ? headersFor('cross-origin') : own
  return (c, next) => (isForOwnPage(c) ? own : shared)(c, next)
}

function headersFor(crossOriginResourcePolicy: 'same-origin' | 'cross-origin') {
  return secureHeaders({
    xFrameOptions: 'DENY',
    referrerPolicy: 'no-referrer',
    crossOriginResourcePolicy,
    // That is up to the proxy that speaks TLS.
    strictTransportSecurity: false,
  })
}

/** Cookies are read there, so no page of another origin has any business with it. */
function isForOwnPage(c: Context<AppEnv>): boolean {
  return c.req.path.startsWith('/web/')
}

/**
 * Forbids everything, and to keep the answer; routes that send pages or files replace both policies
 * with their own.
 */
export const strictPolicy: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  c.header('Cache-Control', 'no-store')
  await next()
}

/** Admits the origins that the settings name, and no others. */
export function crossOrigin(origins: string[]): MiddlewareHandler<AppEnv> {
  if (origins.length === 0) return (_, next) => next()
  const admit = cors({
    origin: origins,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Range', 'If-None-Match', 'If-Range'],
    exposeHeaders: [
      'Content-Disposition',
      'Content-Range',
      'ETag',
      'Operation',
      'Retry-After',
      'X-Request-Id',
    ],
    maxAge: 3600,
  })
  return (c, next) => (isForOwnPage(c) ? next() : admit(c, next))
}
