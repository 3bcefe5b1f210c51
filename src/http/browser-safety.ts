import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from './env.ts'

/**
 * Sets the headers that keep browsers from doing more with an answer than reading it. When the
 * settings name origins, their pages may show pictures by content links.
 */
export function safeHeaders(origins: string[]): MiddlewareHandler<AppEnv> {
  return secureHeaders({
    xFrameOptions: 'DENY',
    referrerPolicy: 'no-referrer',
    crossOriginResourcePolicy: origins.length > 0 ? 'cross-origin' : 'same-origin',
    // That is up to the proxy that speaks TLS.
    strictTransportSecurity: false,
  })
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
  return cors({
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
}
