import { createHmac } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { OpenedSession } from '../auth/queries.ts'
import type { Renewal } from '../auth/refresh.ts'
import {
  createRefreshTokens,
  derivedKey,
  isSame,
  type RefreshSource,
  type RefreshTokens,
} from '../auth/tokens.ts'
import type { Config } from '../base/config.ts'
import { DAY } from '../base/time.ts'
import { isForwardedFromHttps } from '../http/clients/client-address.ts'
import type { AppEnv } from '../http/env.ts'

type Secret = Pick<RefreshSource, 'id' | 'nonce'>

/** The cookies of the gallery's sessions, and the secret part of their addresses. */
export interface WebTokens {
  /** Eight hex digits, so that other servers on the same host have other names for their cookies. */
  instance: string
  /** The cookies with which the page is signed in. */
  refresh: RefreshTokens
  /** Returns the cookie for pictures, which stays the same as long as the session lives. */
  media(session: Secret): string
  /** Returns the id of the session that such a cookie names, or null for anything else. */
  readMedia(cookie: string): number | null
  /** Returns whether the cookie is that of the session, in constant time. */
  isMedia(cookie: string, session: Secret): boolean
  /** Returns the 16 characters of a session that are in the addresses of its pictures. */
  key(session: Secret): string
  /** Returns whether these characters are those of the session, in constant time. */
  isKey(key: string, session: Secret): boolean
}

/** Creates and verifies the cookies; `secret` has at least 32 bytes. */
export function createWebTokens(secret: Uint8Array): WebTokens {
  const mediaKey = derivedKey(secret, 'tagstead media cookie')
  const addressKey = derivedKey(secret, 'tagstead media address')
  const media = (session: Secret) => `${session.id}.${secretOf(mediaKey, session)}`
  const key = (session: Secret) => secretOf(addressKey, session).slice(0, 16)
  return {
    instance: createHmac('sha256', secret).update('cookie').digest('hex').slice(0, 8),
    refresh: createRefreshTokens(derivedKey(secret, 'tagstead session cookie')),
    media,
    readMedia: (cookie) => Number(/^([1-9]\d{0,14})\.[\w-]{43}$/.exec(cookie)?.[1] ?? 0) || null,
    isMedia: (cookie, session) => isSame(Buffer.from(cookie), Buffer.from(media(session))),
    key,
    isKey: (given, session) => isSame(Buffer.from(given), Buffer.from(key(session))),
  }
}

function secretOf(key: Uint8Array, { id, nonce }: Secret): string {
  return createHmac('sha256', key).update(`${id}.`).update(nonce).digest('base64url')
}

/**
 * Returns how the sessions of the page are renewed: once a day at most. An answer that was lost may be requested again
 * until the next time, since a browser may sleep at any moment and for long.
 */
export function webRenewal(tokens: WebTokens, config: Pick<Config, 'refreshTokenTtl'>): Renewal {
  // A session in use must not end because its lifetime is less than a day.
  const rotateAfter = Math.min(DAY, config.refreshTokenTtl / 2)
  return { tokens: tokens.refresh, rotateAfter, grace: Number.POSITIVE_INFINITY }
}

// By the last part of the cookies' names; the cookies are sent to these paths only.
const PATHS = { s: '/web/session', m: '/web/media' }
type CookieKind = keyof typeof PATHS

export interface CookieDeps {
  config: Pick<Config, 'trustedProxies'>
  webTokens: WebTokens
}

/** Returns the cookie of the page's session (`s`) or of its pictures (`m`), if there is one. */
export function readCookie(
  deps: CookieDeps,
  c: Context<AppEnv>,
  kind: CookieKind,
): string | undefined {
  return getCookie(c, cookieName(deps, kind, isHttps(deps, c)))
}

/** Sets both cookies, for as long as the session lives; `now` is in milliseconds. */
export function setCookies(
  deps: CookieDeps,
  c: Context<AppEnv>,
  session: OpenedSession,
  now: number,
): void {
  const left = Math.floor((session.expires_at - now) / 1000)
  setCookie(deps, c, 's', deps.webTokens.refresh.make(session), left)
  setCookie(deps, c, 'm', deps.webTokens.media(session), left)
}

export function clearCookies(deps: CookieDeps, c: Context<AppEnv>): void {
  setCookie(deps, c, 's', '', 0)
  setCookie(deps, c, 'm', '', 0)
}

/** Returns whether the browser speaks TLS to a proxy that the settings name. */
export function isHttps({ config }: CookieDeps, c: Context<AppEnv>): boolean {
  return isForwardedFromHttps(c, config.trustedProxies)
}

// The lifetime is in seconds.
function setCookie(
  deps: CookieDeps,
  c: Context<AppEnv>,
  kind: CookieKind,
  value: string,
  lifetime: number,
): void {
  const isSecure = isHttps(deps, c)
  const parts = [
    `${cookieName(deps, kind, isSecure)}=${value}`,
    `Path=${PATHS[kind]}`,
    `Max-Age=${lifetime}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure ? ['Secure'] : []),
  ]
  c.header('Set-Cookie', parts.join('; '), { append: true })
}

function cookieName({ webTokens }: CookieDeps, kind: CookieKind, isSecure: boolean): string {
  return `${isSecure ? '__Secure-' : ''}tagstead-${webTokens.instance}-${kind}`
}
