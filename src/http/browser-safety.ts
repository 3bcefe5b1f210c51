import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from './env.ts'

/**
 * Sets the headers that keep browsers from doing more with an answer than reading it; with origins in
 * the settings, their pages may show pictures by a content link.
 */
export function safeHeaders(origins: string[]): MiddlewareHandler<AppEnv> {
  return secureHeaders({
    xFrameOptions: 'DENY',
    referrerPolicy: 'no-referrer',
    crossOriginResourcePolicy: origins.length > 0 ? 'cross-origin' : 'same-origin',
    // The proxy that speaks TLS decides about it.
    strictTransportSecurity: false,
  })
}

/** Forbids everything; what sends pages or files of its own puts another policy in its place. */
export const strictPolicy: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  await next()
}

/** Admits the origins that the settings name, and no other. */
export function crossOrigin(origins: string[]): MiddlewareHandler<AppEnv> {
  if (origins.length === 0) return (_, next) => next()
  return cors({
    origin: origins,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Range', 'If-None-Match', 'If-Range'],
    exposeHeaders: ['Content-Disposition', 'Content-Range', 'ETag', 'Retry-After', 'X-Request-Id'],
    maxAge: 3600,
  })
}
